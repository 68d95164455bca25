//! Enumerations, flags and descriptors of d3d11.h for the pipeline's stages, queries and bindings. Floats are stored as
//! their bits.

// Documentation of a field is part of the schema in every trace, where elements of arrays are written as in C.
#![allow(rustdoc::broken_intra_doc_links)]

use crate::code::codes;
use crate::d3d11_context_desc::ShaderStage;
use crate::d3d11_desc::{BindFlags, CpuAccessFlags, Usage};
use crate::desc::descs;
use crate::field::{Field, HandleMap};
use crate::format::Format;
use crate::id::{D3d11QueryId, D3d11ResourceId, D3d11StateId, D3d11ViewId};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// `D3D11_PRIMITIVE_TOPOLOGY`, without patch lists.
    code PrimitiveTopology {
        UNDEFINED = 0, POINTLIST = 1, LINELIST = 2, LINESTRIP = 3, TRIANGLELIST = 4, TRIANGLESTRIP = 5,
    }

    /// `D3D11_COMPARISON_FUNC`.
    code ComparisonFunc {
        NEVER = 1, LESS = 2, EQUAL = 3, LESS_EQUAL = 4, GREATER = 5, NOT_EQUAL = 6, GREATER_EQUAL = 7, ALWAYS = 8,
    }

    /// `D3D11_STENCIL_OP`.
    code StencilOp {
        KEEP = 1, ZERO = 2, REPLACE = 3, INCR_SAT = 4, DECR_SAT = 5, INVERT = 6, INCR = 7, DECR = 8,
    }

    /// `D3D11_DEPTH_WRITE_MASK`.
    code DepthWriteMask { ZERO = 0, ALL = 1, }

    /// `D3D11_FILL_MODE`.
    code FillMode { WIREFRAME = 2, SOLID = 3, }

    /// `D3D11_CULL_MODE`.
    code CullMode { NONE = 1, FRONT = 2, BACK = 3, }

    /// `D3D11_TEXTURE_ADDRESS_MODE`.
    code TextureAddressMode { WRAP = 1, MIRROR = 2, CLAMP = 3, BORDER = 4, MIRROR_ONCE = 5, }

    /// `D3D11_FILTER`: bits for point or linear per direction, for anisotropy, and for comparison.
    code D3d11Filter {
        MIN_MAG_MIP_POINT = 0, MIN_MAG_POINT_MIP_LINEAR = 1, MIN_POINT_MAG_LINEAR_MIP_POINT = 4,
        MIN_POINT_MAG_MIP_LINEAR = 5, MIN_LINEAR_MAG_MIP_POINT = 16, MIN_LINEAR_MAG_POINT_MIP_LINEAR = 17,
        MIN_MAG_LINEAR_MIP_POINT = 20, MIN_MAG_MIP_LINEAR = 21, ANISOTROPIC = 85, COMPARISON_MIN_MAG_MIP_POINT = 128,
        COMPARISON_MIN_MAG_MIP_LINEAR = 149, COMPARISON_ANISOTROPIC = 213,
    }

    /// `D3D11_QUERY`.
    code QueryType {
        EVENT = 0, OCCLUSION = 1, TIMESTAMP = 2, TIMESTAMP_DISJOINT = 3, PIPELINE_STATISTICS = 4, OCCLUSION_PREDICATE = 5,
        SO_STATISTICS = 6, SO_OVERFLOW_PREDICATE = 7, SO_STATISTICS_STREAM0 = 8, SO_OVERFLOW_PREDICATE_STREAM0 = 9,
        SO_STATISTICS_STREAM1 = 10, SO_OVERFLOW_PREDICATE_STREAM1 = 11, SO_STATISTICS_STREAM2 = 12,
        SO_OVERFLOW_PREDICATE_STREAM2 = 13, SO_STATISTICS_STREAM3 = 14, SO_OVERFLOW_PREDICATE_STREAM3 = 15,
    }

    /// An interface that some objects have besides their own: `ID3D11Predicate`.
    code D3d11Interface { UNKNOWN = 0, PREDICATE = 1, }

    /// `D3D11_CLEAR_FLAG`.
    flags ClearFlags { NONE = 0, DEPTH = 1, STENCIL = 2, }
}

impl QueryType {
    /// True if draws can be predicated on the query.
    pub fn is_predicate(self) -> bool {
        let overflows = [7, 9, 11, 13, 15];
        self == QueryType::OCCLUSION_PREDICATE || overflows.contains(&self.0)
    }

    /// True if the query has an end only: Begin is not called on it.
    pub fn only_ends(self) -> bool {
        self == QueryType::EVENT || self == QueryType::TIMESTAMP
    }

    /// Size of the query's data in bytes.
    pub fn data_bytes(self) -> u32 {
        match self {
            QueryType::OCCLUSION | QueryType::TIMESTAMP => 8,
            QueryType::PIPELINE_STATISTICS => 88,
            kind if kind == QueryType::EVENT || kind.is_predicate() => 4,
            _ => 16,
        }
    }
}

descs! {
    /// `D3D11_TEXTURE1D_DESC`.
    #[derive(Copy)]
    Texture1dDesc {
        /// D3D11_TEXTURE1D_DESC::Width, in texels.
        width: u32 as Extent,
        /// D3D11_TEXTURE1D_DESC::MipLevels; 0 is the full chain.
        mip_levels: u32 as Count,
        /// D3D11_TEXTURE1D_DESC::ArraySize.
        array_size: u32 as Extent,
        /// D3D11_TEXTURE1D_DESC::Format.
        format: Format,
        /// D3D11_TEXTURE1D_DESC::Usage.
        usage: Usage,
        /// D3D11_TEXTURE1D_DESC::BindFlags.
        bind_flags: BindFlags,
        /// D3D11_TEXTURE1D_DESC::CPUAccessFlags.
        cpu_access_flags: CpuAccessFlags,
    }

    /// `D3D11_TEXTURE3D_DESC`.
    #[derive(Copy)]
    Texture3dDesc {
        /// D3D11_TEXTURE3D_DESC::Width, in texels.
        width: u32 as Extent,
        /// D3D11_TEXTURE3D_DESC::Height, in texels.
        height: u32 as Extent,
        /// D3D11_TEXTURE3D_DESC::Depth, in texels.
        depth: u32 as Extent,
        /// D3D11_TEXTURE3D_DESC::MipLevels; 0 is the full chain.
        mip_levels: u32 as Count,
        /// D3D11_TEXTURE3D_DESC::Format.
        format: Format,
        /// D3D11_TEXTURE3D_DESC::Usage.
        usage: Usage,
        /// D3D11_TEXTURE3D_DESC::BindFlags.
        bind_flags: BindFlags,
        /// D3D11_TEXTURE3D_DESC::CPUAccessFlags.
        cpu_access_flags: CpuAccessFlags,
    }

    /// `D3D11_RENDER_TARGET_VIEW_DESC`, `D3D11_DEPTH_STENCIL_VIEW_DESC` or `D3D11_UNORDERED_ACCESS_VIEW_DESC`.
    #[derive(Copy)]
    D3d11OutputViewDesc {
        /// Format.
        format: Format,
        /// MipSlice; a buffer's FirstElement.
        first_element: u32 as Count,
        /// ArraySize or WSize; a buffer's NumElements.
        element_count: u32 as Count,
    }

    /// `D3D11_DEPTH_STENCILOP_DESC`.
    #[derive(Copy, PartialOrd, Ord)]
    StencilOpDesc {
        /// D3D11_DEPTH_STENCILOP_DESC::StencilFailOp.
        fail_op: StencilOp,
        /// D3D11_DEPTH_STENCILOP_DESC::StencilDepthFailOp.
        depth_fail_op: StencilOp,
        /// D3D11_DEPTH_STENCILOP_DESC::StencilPassOp.
        pass_op: StencilOp,
        /// D3D11_DEPTH_STENCILOP_DESC::StencilFunc.
        func: ComparisonFunc,
    }

    /// `D3D11_DEPTH_STENCIL_DESC`.
    #[derive(Copy, PartialOrd, Ord)]
    D3d11DepthStencilDesc {
        /// D3D11_DEPTH_STENCIL_DESC::DepthEnable.
        depth_enable: bool,
        /// D3D11_DEPTH_STENCIL_DESC::DepthWriteMask.
        depth_write_mask: DepthWriteMask,
        /// D3D11_DEPTH_STENCIL_DESC::DepthFunc.
        depth_func: ComparisonFunc,
        /// D3D11_DEPTH_STENCIL_DESC::StencilEnable.
        stencil_enable: bool,
        /// D3D11_DEPTH_STENCIL_DESC::StencilReadMask.
        stencil_read_mask: u32 as Flags,
        /// D3D11_DEPTH_STENCIL_DESC::StencilWriteMask.
        stencil_write_mask: u32 as Flags,
        /// D3D11_DEPTH_STENCIL_DESC::FrontFace.
        front_face: StencilOpDesc,
        /// D3D11_DEPTH_STENCIL_DESC::BackFace.
        back_face: StencilOpDesc,
    }

    /// `D3D11_RASTERIZER_DESC`.
    #[derive(Copy, PartialOrd, Ord)]
    D3d11RasterizerDesc {
        /// D3D11_RASTERIZER_DESC::FillMode.
        fill_mode: FillMode,
        /// D3D11_RASTERIZER_DESC::CullMode.
        cull_mode: CullMode,
        /// D3D11_RASTERIZER_DESC::FrontCounterClockwise.
        front_counter_clockwise: bool,
        /// D3D11_RASTERIZER_DESC::DepthBias, as bits.
        depth_bias: u32,
        /// D3D11_RASTERIZER_DESC::DepthBiasClamp.
        depth_bias_clamp: u32,
        /// D3D11_RASTERIZER_DESC::SlopeScaledDepthBias.
        slope_scaled_depth_bias: u32,
        /// D3D11_RASTERIZER_DESC::DepthClipEnable.
        depth_clip_enable: bool,
        /// D3D11_RASTERIZER_DESC::ScissorEnable.
        scissor_enable: bool,
        /// D3D11_RASTERIZER_DESC::MultisampleEnable.
        multisample_enable: bool,
        /// D3D11_RASTERIZER_DESC::AntialiasedLineEnable.
        antialiased_line_enable: bool,
    }

    /// `D3D11_SAMPLER_DESC`.
    #[derive(Copy, PartialOrd, Ord)]
    D3d11SamplerDesc {
        /// D3D11_SAMPLER_DESC::Filter.
        filter: D3d11Filter,
        /// D3D11_SAMPLER_DESC::AddressU.
        address_u: TextureAddressMode,
        /// D3D11_SAMPLER_DESC::AddressV.
        address_v: TextureAddressMode,
        /// D3D11_SAMPLER_DESC::AddressW.
        address_w: TextureAddressMode,
        /// D3D11_SAMPLER_DESC::MipLODBias.
        mip_lod_bias: u32,
        /// D3D11_SAMPLER_DESC::MaxAnisotropy.
        max_anisotropy: u32,
        /// D3D11_SAMPLER_DESC::ComparisonFunc.
        comparison_func: ComparisonFunc,
        /// D3D11_SAMPLER_DESC::BorderColor[0].
        border_red: u32,
        /// D3D11_SAMPLER_DESC::BorderColor[1].
        border_green: u32,
        /// D3D11_SAMPLER_DESC::BorderColor[2].
        border_blue: u32,
        /// D3D11_SAMPLER_DESC::BorderColor[3].
        border_alpha: u32,
        /// D3D11_SAMPLER_DESC::MinLOD.
        min_lod: u32,
        /// D3D11_SAMPLER_DESC::MaxLOD.
        max_lod: u32,
    }

    /// A shader's code, as far as the simulation models it.
    #[derive(Copy)]
    ShaderDesc {
        /// Stage of the shader.
        stage: ShaderStage,
        /// BytecodeLength, in bytes.
        size_bytes: u64 as Size,
        /// Hash of the code.
        digest: u64,
        /// True for a pixel shader that writes one colour to every target for all pixels.
        is_constant: bool,
        /// Red channel of that colour, as bits.
        output_red: u32,
        /// Green channel of that colour, as bits.
        output_green: u32,
        /// Blue channel of that colour, as bits.
        output_blue: u32,
        /// Alpha channel of that colour, as bits.
        output_alpha: u32,
    }

    /// The elements of an input layout.
    #[derive(Copy)]
    InputLayoutDesc {
        /// NumElements.
        elements: u32 as Count,
        /// Hash of the elements.
        digest: u64,
    }

    /// `D3D11_QUERY_DESC`.
    #[derive(Copy)]
    QueryDesc {
        /// D3D11_QUERY_DESC::Query.
        query: QueryType,
        /// D3D11_QUERY_DESC::MiscFlags.
        misc_flags: u32 as Flags,
    }

    /// `D3D11_FEATURE_DATA_THREADING`.
    #[derive(Copy)]
    ThreadingSupport {
        /// D3D11_FEATURE_DATA_THREADING::DriverConcurrentCreates.
        driver_concurrent_creates: bool,
        /// D3D11_FEATURE_DATA_THREADING::DriverCommandLists.
        driver_command_lists: bool,
    }

    /// `D3D11_VIEWPORT`.
    #[derive(Copy)]
    D3d11Viewport {
        /// D3D11_VIEWPORT::TopLeftX.
        top_left_x: u32,
        /// D3D11_VIEWPORT::TopLeftY.
        top_left_y: u32,
        /// D3D11_VIEWPORT::Width.
        width: u32,
        /// D3D11_VIEWPORT::Height.
        height: u32,
        /// D3D11_VIEWPORT::MinDepth.
        min_depth: u32,
        /// D3D11_VIEWPORT::MaxDepth.
        max_depth: u32,
    }

    /// `D3D11_RECT`; the numbers as bits.
    #[derive(Copy)]
    D3d11Rect {
        /// D3D11_RECT::left.
        left: u32,
        /// D3D11_RECT::top.
        top: u32,
        /// D3D11_RECT::right.
        right: u32,
        /// D3D11_RECT::bottom.
        bottom: u32,
    }

    /// A vertex buffer bound to a slot.
    #[derive(Copy)]
    VertexBufferBinding {
        /// The buffer.
        buffer: D3d11ResourceId,
        /// Bytes from one vertex to the next.
        stride_bytes: u32,
        /// Offset of the first vertex, in bytes.
        offset_bytes: u32 as Offset,
    }

    /// The bound index buffer.
    #[derive(Copy)]
    IndexBufferBinding {
        /// The buffer.
        buffer: D3d11ResourceId,
        /// Format of an index.
        format: Format,
        /// Offset of the first index, in bytes.
        offset_bytes: u32 as Offset,
    }

    /// The bound render targets.
    RenderTargetBinding {
        /// ppRenderTargetViews.
        render_targets: Vec<D3d11ViewId>,
        /// ppDepthStencilView.
        depth_stencil: D3d11ViewId,
    }

    /// The bound blend state.
    BlendStateBinding {
        /// ppBlendState; null is the default.
        blend_state: D3d11StateId,
        /// BlendFactor; none is four times 1.
        blend_factor: Vec<u32>,
        /// pSampleMask.
        sample_mask: u32 as Flags,
    }

    /// The bound depth-stencil state.
    #[derive(Copy)]
    DepthStencilStateBinding {
        /// ppDepthStencilState; null is the default.
        depth_stencil_state: D3d11StateId,
        /// pStencilRef.
        stencil_ref: u32,
    }

    /// The bound predicate.
    #[derive(Copy)]
    PredicationBinding {
        /// ppPredicate.
        predicate: D3d11QueryId,
        /// pPredicateValue.
        value: bool,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_those_of_the_header() {
        let predicates = (0..16).map(QueryType).filter(|kind| kind.is_predicate());
        let names: Vec<_> = predicates.map(|kind| format!("{kind:?}")).collect();
        assert!(names.iter().all(|name| name.contains("PREDICATE")));
        assert_eq!(names.len(), QueryType::NAMES.iter().filter(|(_, name)| name.contains("PREDICATE")).count());
    }
}

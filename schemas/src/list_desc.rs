//! Enumerations and descriptors of d3d12.h for command lists, descriptors and objects of pipelines. Floats are stored
//! as their bits.

use crate::code::codes;
use crate::desc::{CpuDescriptorHandle, GpuVirtualAddress, descs};
use crate::field::{Field, HandleMap};
use crate::format::Format;
use crate::id::ResourceId;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// `D3D12_DESCRIPTOR_HEAP_TYPE`.
    code DescriptorHeapType { CBV_SRV_UAV = 0, SAMPLER = 1, RTV = 2, DSV = 3, }

    /// `D3D12_DESCRIPTOR_HEAP_FLAGS`.
    flags DescriptorHeapFlags { NONE = 0, SHADER_VISIBLE = 0x1, }

    /// Stage of a shader.
    code OpaqueStage { VERTEX = 0, PIXEL = 1, DOMAIN = 2, HULL = 3, GEOMETRY = 4, COMPUTE = 5, }
}

descs! {
    /// `D3D12_VIEWPORT`.
    #[derive(Copy)]
    Viewport {
        /// D3D12_VIEWPORT::TopLeftX, bits of a float.
        top_left_x: u32,
        /// D3D12_VIEWPORT::TopLeftY, bits of a float.
        top_left_y: u32,
        /// D3D12_VIEWPORT::Width, bits of a float.
        width: u32,
        /// D3D12_VIEWPORT::Height, bits of a float.
        height: u32,
        /// D3D12_VIEWPORT::MinDepth, bits of a float.
        min_depth: u32,
        /// D3D12_VIEWPORT::MaxDepth, bits of a float.
        max_depth: u32,
    }

    /// `D3D12_RECT`, members as the bits of a LONG.
    #[derive(Copy)]
    Rect {
        /// D3D12_RECT::left.
        left: u32,
        /// D3D12_RECT::top.
        top: u32,
        /// D3D12_RECT::right.
        right: u32,
        /// D3D12_RECT::bottom.
        bottom: u32,
    }

    /// `D3D12_INDEX_BUFFER_VIEW`.
    #[derive(Copy)]
    IndexBufferView {
        /// D3D12_INDEX_BUFFER_VIEW::BufferLocation.
        buffer_location: GpuVirtualAddress,
        /// D3D12_INDEX_BUFFER_VIEW::SizeInBytes.
        size_bytes: u32 as Size,
        /// D3D12_INDEX_BUFFER_VIEW::Format.
        format: Format,
    }

    /// `D3D12_VERTEX_BUFFER_VIEW`.
    #[derive(Copy)]
    VertexBufferView {
        /// D3D12_VERTEX_BUFFER_VIEW::BufferLocation.
        buffer_location: GpuVirtualAddress,
        /// D3D12_VERTEX_BUFFER_VIEW::SizeInBytes.
        size_bytes: u32 as Size,
        /// D3D12_VERTEX_BUFFER_VIEW::StrideInBytes.
        stride_bytes: u32,
    }

    /// `D3D12_STREAM_OUTPUT_BUFFER_VIEW`.
    #[derive(Copy)]
    StreamOutputBufferView {
        /// D3D12_STREAM_OUTPUT_BUFFER_VIEW::BufferLocation.
        buffer_location: GpuVirtualAddress,
        /// D3D12_STREAM_OUTPUT_BUFFER_VIEW::SizeInBytes.
        size_bytes: u64 as Size,
        /// D3D12_STREAM_OUTPUT_BUFFER_VIEW::BufferFilledSizeLocation.
        buffer_filled_size_location: GpuVirtualAddress,
    }

    /// `D3D12_TEXTURE_COPY_LOCATION`.
    #[derive(Copy)]
    TextureCopyLocation {
        /// D3D12_TEXTURE_COPY_LOCATION::pResource.
        resource: ResourceId,
        /// D3D12_TEXTURE_COPY_LOCATION::Type: 0 for a subresource, 1 for a footprint in a buffer.
        copy_type: u32,
        /// D3D12_TEXTURE_COPY_LOCATION::SubresourceIndex; 0 for a footprint.
        subresource_index: u32 as Count,
        /// D3D12_PLACED_SUBRESOURCE_FOOTPRINT::Offset in bytes; 0 for a subresource, as the members that follow.
        offset_bytes: u64 as Offset,
        /// D3D12_SUBRESOURCE_FOOTPRINT::Format.
        format: Format,
        /// D3D12_SUBRESOURCE_FOOTPRINT::Width.
        width: u32 as Extent,
        /// D3D12_SUBRESOURCE_FOOTPRINT::Height.
        height: u32 as Extent,
        /// D3D12_SUBRESOURCE_FOOTPRINT::Depth.
        depth: u32 as Extent,
        /// D3D12_SUBRESOURCE_FOOTPRINT::RowPitch, in bytes.
        row_pitch_bytes: u32,
    }

    /// `D3D12_BOX`.
    #[derive(Copy)]
    CopyBox {
        /// D3D12_BOX::left.
        left: u32,
        /// D3D12_BOX::top.
        top: u32,
        /// D3D12_BOX::front.
        front: u32,
        /// D3D12_BOX::right.
        right: u32,
        /// D3D12_BOX::bottom.
        bottom: u32,
        /// D3D12_BOX::back.
        back: u32,
    }

    /// `D3D12_TILED_RESOURCE_COORDINATE`.
    #[derive(Copy)]
    TiledCoordinate {
        /// D3D12_TILED_RESOURCE_COORDINATE::X.
        x: u32,
        /// D3D12_TILED_RESOURCE_COORDINATE::Y.
        y: u32,
        /// D3D12_TILED_RESOURCE_COORDINATE::Z.
        z: u32,
        /// D3D12_TILED_RESOURCE_COORDINATE::Subresource.
        subresource: u32 as Count,
    }

    /// `D3D12_TILE_REGION_SIZE`.
    #[derive(Copy)]
    TileRegionSize {
        /// D3D12_TILE_REGION_SIZE::NumTiles.
        num_tiles: u32 as Count,
        /// D3D12_TILE_REGION_SIZE::UseBox.
        use_box: bool,
        /// D3D12_TILE_REGION_SIZE::Width.
        width: u32 as Extent,
        /// D3D12_TILE_REGION_SIZE::Height.
        height: u16 as Extent,
        /// D3D12_TILE_REGION_SIZE::Depth.
        depth: u16 as Extent,
    }

    /// `D3D12_SUBRESOURCE_RANGE_UINT64`.
    #[derive(Copy)]
    SubresourceBytes {
        /// D3D12_SUBRESOURCE_RANGE_UINT64::Subresource.
        subresource: u32 as Count,
        /// D3D12_RANGE_UINT64::Begin, in bytes.
        begin: u64 as Offset,
        /// D3D12_RANGE_UINT64::End, in bytes.
        end: u64 as Offset,
    }

    /// `D3D12_SAMPLE_POSITION`, members as the bits of an INT8 in sixteenths of a pixel.
    #[derive(Copy)]
    SamplePosition {
        /// D3D12_SAMPLE_POSITION::X.
        x: u8,
        /// D3D12_SAMPLE_POSITION::Y.
        y: u8,
    }

    /// `D3D12_WRITEBUFFERIMMEDIATE_PARAMETER`.
    #[derive(Copy)]
    WriteBufferImmediateParameter {
        /// D3D12_WRITEBUFFERIMMEDIATE_PARAMETER::Dest.
        dest: GpuVirtualAddress,
        /// D3D12_WRITEBUFFERIMMEDIATE_PARAMETER::Value.
        value: u32,
    }

    /// `D3D12_RESOURCE_BARRIER`.
    #[derive(Copy)]
    ResourceBarrierDesc {
        /// D3D12_RESOURCE_BARRIER::Type: 0 for a transition, 1 for aliasing, 2 for unordered access.
        barrier_type: u32,
        /// D3D12_RESOURCE_BARRIER::Flags.
        flags: u32 as Flags,
        /// The resource; of an aliasing barrier pResourceBefore.
        resource: ResourceId,
        /// D3D12_RESOURCE_ALIASING_BARRIER::pResourceAfter.
        resource_after: ResourceId,
        /// D3D12_RESOURCE_TRANSITION_BARRIER::Subresource.
        subresource: u32 as Count,
        /// D3D12_RESOURCE_TRANSITION_BARRIER::StateBefore.
        state_before: u32,
        /// D3D12_RESOURCE_TRANSITION_BARRIER::StateAfter.
        state_after: u32,
    }

    /// Four words of a color or of values: integers, or bits of floats.
    #[derive(Copy)]
    ClearWords {
        /// The first word.
        word0: u32,
        /// The second word.
        word1: u32,
        /// The third word.
        word2: u32,
        /// The fourth word.
        word3: u32,
    }

    /// View that a clear changes: of a `D3D12_RENDER_TARGET_VIEW_DESC`, `D3D12_DEPTH_STENCIL_VIEW_DESC` or
    /// `D3D12_UNORDERED_ACCESS_VIEW_DESC`.
    #[derive(Copy)]
    ClearedView {
        /// The resource; null for an unknown view and for a null descriptor.
        resource: ResourceId,
        /// Format; UNKNOWN is the resource's own.
        format: Format,
        /// MipSlice of a texture.
        mip_slice: u32 as Count,
        /// FirstArraySlice, or FirstWSlice of a 3D texture.
        first_slice: u32 as Count,
        /// ArraySize or WSize; UINT_MAX is up to the last slice.
        num_slices: u32 as Count,
        /// PlaneSlice.
        plane_slice: u32 as Count,
        /// FirstElement of a buffer.
        first_element: u64 as Count,
        /// NumElements of a buffer.
        num_elements: u32 as Count,
    }

    /// Subresources of a `D3D12_DISCARD_REGION`.
    #[derive(Copy)]
    SubresourceRange {
        /// D3D12_DISCARD_REGION::FirstSubresource.
        first_subresource: u32 as Count,
        /// D3D12_DISCARD_REGION::NumSubresources.
        num_subresources: u32 as Count,
    }

    /// `D3D12_QUERY_HEAP_DESC`.
    #[derive(Copy)]
    QueryHeapDesc {
        /// D3D12_QUERY_HEAP_DESC::Type.
        heap_type: u32,
        /// D3D12_QUERY_HEAP_DESC::Count.
        num_queries: u32 as Count,
        /// D3D12_QUERY_HEAP_DESC::NodeMask.
        node_mask: u32 as Flags,
    }

    /// `D3D12_COMMAND_SIGNATURE_DESC`, without its arguments.
    #[derive(Copy)]
    CommandSignatureDesc {
        /// D3D12_COMMAND_SIGNATURE_DESC::ByteStride.
        stride_bytes: u32,
        /// D3D12_COMMAND_SIGNATURE_DESC::NodeMask.
        node_mask: u32 as Flags,
    }

    /// A shader that the runtime does not read.
    #[derive(Copy)]
    OpaqueShader {
        /// The stage.
        stage: OpaqueStage,
        /// D3D12_SHADER_BYTECODE::BytecodeLength.
        size_bytes: u64 as Size,
        /// FNV-1a hash of the bytes.
        hash: u64,
    }

    /// `D3D12_DESCRIPTOR_HEAP_DESC`.
    #[derive(Copy)]
    DescriptorHeapDesc {
        /// D3D12_DESCRIPTOR_HEAP_DESC::Type.
        heap_type: DescriptorHeapType,
        /// D3D12_DESCRIPTOR_HEAP_DESC::NumDescriptors.
        num_descriptors: u32 as Count,
        /// D3D12_DESCRIPTOR_HEAP_DESC::Flags.
        flags: DescriptorHeapFlags,
        /// D3D12_DESCRIPTOR_HEAP_DESC::NodeMask.
        node_mask: u32 as Flags,
    }

    /// `D3D12_SAMPLER_DESC`.
    #[derive(Copy)]
    SamplerDesc {
        /// D3D12_SAMPLER_DESC::Filter.
        filter: u32,
        /// D3D12_SAMPLER_DESC::AddressU.
        address_u: u32,
        /// D3D12_SAMPLER_DESC::AddressV.
        address_v: u32,
        /// D3D12_SAMPLER_DESC::AddressW.
        address_w: u32,
        /// D3D12_SAMPLER_DESC::MipLODBias, bits of a float.
        mip_lod_bias: u32,
        /// D3D12_SAMPLER_DESC::MaxAnisotropy.
        max_anisotropy: u32 as Count,
        /// D3D12_SAMPLER_DESC::ComparisonFunc.
        comparison_func: u32,
        /// D3D12_SAMPLER_DESC::BorderColor, bits of floats.
        border_color: ClearWords,
        /// D3D12_SAMPLER_DESC::MinLOD, bits of a float.
        min_lod: u32,
        /// D3D12_SAMPLER_DESC::MaxLOD, bits of a float.
        max_lod: u32,
    }

    /// A range of descriptors.
    #[derive(Copy)]
    DescriptorRange {
        /// First descriptor.
        start: CpuDescriptorHandle,
        /// Number of descriptors.
        num_descriptors: u32 as Count,
    }
}

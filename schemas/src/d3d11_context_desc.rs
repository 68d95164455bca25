//! Enumerations, flags and descriptors of contexts: bindings (d3d11.h), handles and function tables (d3d10umddi.h).

use crate::code::{SrvDimension, codes};
use crate::desc::{DriverHandle, descs};
use crate::field::{Field, HandleMap};
use crate::format::Format;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// The stages of shaders, each with functions of its own in the headers.
    code ShaderStage { VERTEX = 0, HULL = 1, DOMAIN = 2, GEOMETRY = 3, PIXEL = 4, COMPUTE = 5, }

    /// `D3D11_BLEND`.
    code Blend {
        ZERO = 1, ONE = 2, SRC_COLOR = 3, INV_SRC_COLOR = 4, SRC_ALPHA = 5, INV_SRC_ALPHA = 6, DEST_ALPHA = 7,
        INV_DEST_ALPHA = 8, DEST_COLOR = 9, INV_DEST_COLOR = 10, SRC_ALPHA_SAT = 11, BLEND_FACTOR = 14,
        INV_BLEND_FACTOR = 15, SRC1_COLOR = 16, INV_SRC1_COLOR = 17, SRC1_ALPHA = 18, INV_SRC1_ALPHA = 19,
    }

    /// `D3D11_BLEND_OP`.
    code BlendOp { ADD = 1, SUBTRACT = 2, REV_SUBTRACT = 3, MIN = 4, MAX = 5, }

    /// `D3D11_COLOR_WRITE_ENABLE`.
    flags ColorWriteEnable { NONE = 0, RED = 1, GREEN = 2, BLUE = 4, ALPHA = 8, ALL = 15, }

    /// `D3D11DDI_HANDLETYPE`.
    code HandleType {
        RESOURCE = 0, SHADERRESOURCEVIEW = 1, RENDERTARGETVIEW = 2, DEPTHSTENCILVIEW = 3, SHADER = 4, ELEMENTLAYOUT = 5,
        BLENDSTATE = 6, DEPTHSTENCILSTATE = 7, RASTERIZERSTATE = 8, SAMPLERSTATE = 9, QUERY = 10, COMMANDLIST = 11,
        UNORDEREDACCESSVIEW = 12, DECODE = 13, VIDEOPROCESSORENUM = 14, VIDEOPROCESSOR = 15,
        VIDEODECODEROUTPUTVIEW = 16, VIDEOPROCESSORINPUTVIEW = 17, VIDEOPROCESSOROUTPUTVIEW = 18, CACHESESSION = 19,
    }

    /// `D3D11DDI_THREADING_CAPS::Caps`.
    flags ThreadingCaps { NONE = 0, FREETHREADED = 1, COMMANDLISTS = 2, COMMANDLISTS_BUILD_2 = 4, }
}

descs! {
    /// `D3D11_RENDER_TARGET_BLEND_DESC`.
    #[derive(Copy, PartialOrd, Ord)]
    RenderTargetBlendDesc {
        /// D3D11_RENDER_TARGET_BLEND_DESC::BlendEnable.
        blend_enable: bool,
        /// D3D11_RENDER_TARGET_BLEND_DESC::SrcBlend.
        src_blend: Blend,
        /// D3D11_RENDER_TARGET_BLEND_DESC::DestBlend.
        dest_blend: Blend,
        /// D3D11_RENDER_TARGET_BLEND_DESC::BlendOp.
        blend_op: BlendOp,
        /// D3D11_RENDER_TARGET_BLEND_DESC::SrcBlendAlpha.
        src_blend_alpha: Blend,
        /// D3D11_RENDER_TARGET_BLEND_DESC::DestBlendAlpha.
        dest_blend_alpha: Blend,
        /// D3D11_RENDER_TARGET_BLEND_DESC::BlendOpAlpha.
        blend_op_alpha: BlendOp,
        /// D3D11_RENDER_TARGET_BLEND_DESC::RenderTargetWriteMask.
        write_mask: ColorWriteEnable,
    }

    /// `D3D11_BLEND_DESC`.
    #[derive(PartialOrd, Ord)]
    BlendDesc {
        /// D3D11_BLEND_DESC::AlphaToCoverageEnable.
        alpha_to_coverage_enable: bool,
        /// D3D11_BLEND_DESC::IndependentBlendEnable.
        independent_blend_enable: bool,
        /// D3D11_BLEND_DESC::RenderTarget; missing elements have the default values.
        render_targets: Vec<RenderTargetBlendDesc>,
    }

    /// `D3D11_SHADER_RESOURCE_VIEW_DESC`, of a buffer or 2D texture.
    #[derive(Copy)]
    D3d11ShaderResourceViewDesc {
        /// D3D11_SHADER_RESOURCE_VIEW_DESC::Format.
        format: Format,
        /// D3D11_SHADER_RESOURCE_VIEW_DESC::ViewDimension.
        dimension: SrvDimension,
        /// D3D11_TEX2D_SRV::MostDetailedMip; a buffer's FirstElement.
        first_element: u32 as Count,
        /// D3D11_TEX2D_SRV::MipLevels; a buffer's NumElements.
        element_count: u32 as Count,
    }

    /// A driver's answer to the query for a handle's memory size.
    #[derive(Copy)]
    PrivateSize {
        /// The SIZE_T answered, in bytes.
        size_bytes: u64 as Size,
    }

    /// `D3D11DDI_HANDLESIZE`.
    #[derive(Copy)]
    HandleSize {
        /// D3D11DDI_HANDLESIZE::HandleType.
        handle_type: HandleType,
        /// D3D11DDI_HANDLESIZE::DriverPrivateSize, in bytes.
        size_bytes: u64 as Size,
    }

    /// The result of CheckDeferredContextHandleSizes.
    HandleSizes {
        /// pSizes: number of sizes.
        count: u32 as Count,
        /// pHSizes; empty where the pointer is null.
        sizes: Vec<HandleSize>,
    }

    /// The functions that a driver has set in a context's table.
    FunctionTable {
        /// The functions, by the numbers of their lines; for a function per stage, 8 times the number plus the stage.
        slots: Vec<u32>,
    }

    /// The arguments for the handle of an object's creation.
    #[derive(Copy)]
    CreateHandle {
        /// pDrvPrivate of the new handle: memory that the runtime allocated.
        driver_handle: DriverHandle,
        /// Size of that memory, in bytes.
        size_bytes: u64 as Size,
        /// In a deferred context, the object's handle of the immediate context instead of the runtime handle; else null.
        ic_handle: DriverHandle,
        /// Handle, in the same context, of the object that the new one depends on: a view's resource.
        dependency_handle: DriverHandle,
        /// True if the pointer to the arguments is null.
        args_null: bool,
        /// True if the arguments are zero but for the handle that the object depends on.
        args_zero: bool,
    }

    /// An access to the memory of a handle.
    #[derive(Copy)]
    HandleAccess {
        /// The handle; null if the address belongs to no handle.
        handle: DriverHandle,
        /// Offset in the handle's memory, in bytes; the address itself if it belongs to no handle.
        offset_bytes: u64 as Offset,
        /// Bytes accessed.
        size_bytes: u32 as Size,
        /// True for a write, false for a read.
        is_write: bool,
    }

    /// The contents of a command list, as its driver sums them up.
    #[derive(Copy)]
    RecordedCommands {
        /// Number of commands.
        commands: u32 as Count,
        /// Hash of the commands and of the objects they name.
        digest: u64,
    }
}

impl FunctionTable {
    /// The slot of a function that exists once.
    pub const fn slot(line: u16) -> u32 {
        line as u32
    }

    /// The slot of a function that exists per stage.
    pub const fn stage_slot(line: u16, stage: ShaderStage) -> u32 {
        line as u32 * 8 + stage.0
    }
}

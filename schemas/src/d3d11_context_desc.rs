//! Enumerations, flags and descriptors of contexts: of d3d11.h what they bind, of d3d10umddi.h handles and tables.

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
        /// D3D11_BLEND_DESC::RenderTarget; those behind the end are as by default.
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

    /// What a driver answers how large the memory behind a handle is to be.
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

    /// What CheckDeferredContextHandleSizes gives back.
    HandleSizes {
        /// pSizes: how many there are.
        count: u32 as Count,
        /// pHSizes, where it is not null.
        sizes: Vec<HandleSize>,
    }

    /// The functions that a driver has put into a context's table.
    FunctionTable {
        /// The functions, by the numbers of their lines; of those that each stage has, by 8 times that and the stage.
        slots: Vec<u32>,
    }

    /// What a function that creates an object is told of its handle.
    #[derive(Copy)]
    CreateHandle {
        /// pDrvPrivate of the new handle: memory that the runtime allocated.
        driver_handle: DriverHandle,
        /// How much memory that is, in bytes.
        size_bytes: u64 as Size,
        /// In a deferred context the object's handle of the immediate one, in the runtime handle's place; else null.
        ic_handle: DriverHandle,
        /// The handle, of the same context, of what the object depends on: a view's resource.
        dependency_handle: DriverHandle,
        /// The pointer to the arguments is null.
        args_null: bool,
        /// The arguments are zero but for the handle that the object depends on.
        args_zero: bool,
    }

    /// An access to the memory behind a handle.
    #[derive(Copy)]
    HandleAccess {
        /// The handle; null for what is no handle's.
        handle: DriverHandle,
        /// Where in its memory, in bytes; the address itself for what is no handle's.
        offset_bytes: u64 as Offset,
        /// How many bytes.
        size_bytes: u32 as Size,
        /// It was written, not read.
        is_write: bool,
    }

    /// What a command list is made of, as its driver sums it up.
    #[derive(Copy)]
    RecordedCommands {
        /// How many commands.
        commands: u32 as Count,
        /// A number that differs if a command differs, or the object it names.
        digest: u64,
    }
}

impl FunctionTable {
    /// The slot of a function that is there once.
    pub const fn slot(line: u16) -> u32 {
        line as u32
    }

    /// The slot of a function that each stage has.
    pub const fn stage_slot(line: u16, stage: ShaderStage) -> u32 {
        line as u32 * 8 + stage.0
    }
}

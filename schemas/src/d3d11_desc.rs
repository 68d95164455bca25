//! Enumerations, flags and descriptors of d3d11.h, and those of the instant-access extension.
//!
//! Names of the extension are those of the document "Tiling Format for Intel Iris Graphics Extension for Instant
//! Access"; members that it does not name are from the public sample that goes with it.

use crate::code::{Dimension, codes};
use crate::creates::{Created, Creates};
use crate::desc::{CpuAddress, descs};
use crate::field::{Field, HandleMap};
use crate::format::Format;
use crate::hresult::HResult;
use crate::id::{D3d11ContextId, D3d11ContextStateId, D3d11DeviceId};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

codes! {
    /// `D3D11_CREATE_DEVICE_FLAG`.
    flags CreateDeviceFlags { NONE = 0, SINGLETHREADED = 0x1, DEBUG = 0x2, }

    /// `D3D11_ASYNC_GETDATA_FLAG`.
    flags GetDataFlags { NONE = 0, DONOTFLUSH = 0x1, }

    /// `D3D11_USAGE`.
    code Usage { DEFAULT = 0, IMMUTABLE = 1, DYNAMIC = 2, STAGING = 3, }

    /// `D3D11_BIND_FLAG`.
    flags BindFlags {
        NONE = 0, VERTEX_BUFFER = 0x1, INDEX_BUFFER = 0x2, CONSTANT_BUFFER = 0x4, SHADER_RESOURCE = 0x8,
        STREAM_OUTPUT = 0x10, RENDER_TARGET = 0x20, DEPTH_STENCIL = 0x40, UNORDERED_ACCESS = 0x80,
    }

    /// `D3D11_CPU_ACCESS_FLAG`.
    flags CpuAccessFlags { NONE = 0, WRITE = 0x10000, READ = 0x20000, }

    /// `D3D11_MAP`.
    code MapType { READ = 1, WRITE = 2, READ_WRITE = 3, WRITE_DISCARD = 4, WRITE_NO_OVERWRITE = 5, }

    /// `D3D11_MAP_FLAG`.
    flags MapFlags { NONE = 0, DO_NOT_WAIT = 0x100000, }

    /// The extension's tile formats, MAP_TILE_TYPE_*: the arrangement of the bytes of a mapped texture.
    code TileFormat {
        TILE_X = 0, TILE_Y = 1, LINEAR = 3, TILE_X_NO_CSX_SWIZZLE = 4, TILE_Y_NO_CSX_SWIZZLE = 5,
    }

    /// Effect of CopyResource: with the extension's pair it binds instead of copying (rule T-04).
    code CopyKind { COPIED = 0, BOUND = 1, }
}

impl TileFormat {
    /// The name of the tiled layout in `taut_tiling`; `None` for linear and unknown formats.
    pub fn layout_name(self) -> Option<&'static str> {
        match self {
            TileFormat::TILE_X => Some("tile_x"),
            TileFormat::TILE_Y => Some("tile_y"),
            TileFormat::TILE_X_NO_CSX_SWIZZLE => Some("tile_x_no_csx"),
            TileFormat::TILE_Y_NO_CSX_SWIZZLE => Some("tile_y_no_csx"),
            _ => None,
        }
    }
}

descs! {
    /// `D3D11_TEXTURE2D_DESC`, of a texture with one sample per texel.
    #[derive(Copy)]
    Texture2dDesc {
        /// D3D11_TEXTURE2D_DESC::Width, in texels.
        width: u32 as Extent,
        /// D3D11_TEXTURE2D_DESC::Height, in texels.
        height: u32 as Extent,
        /// D3D11_TEXTURE2D_DESC::MipLevels; 0 is the full chain.
        mip_levels: u32 as Count,
        /// D3D11_TEXTURE2D_DESC::ArraySize.
        array_size: u32 as Extent,
        /// D3D11_TEXTURE2D_DESC::Format.
        format: Format,
        /// D3D11_TEXTURE2D_DESC::Usage.
        usage: Usage,
        /// D3D11_TEXTURE2D_DESC::BindFlags.
        bind_flags: BindFlags,
        /// D3D11_TEXTURE2D_DESC::CPUAccessFlags.
        cpu_access_flags: CpuAccessFlags,
    }

    /// `D3D11_BUFFER_DESC`.
    #[derive(Copy)]
    BufferDesc {
        /// D3D11_BUFFER_DESC::ByteWidth, in bytes.
        size_bytes: u32 as Size,
        /// D3D11_BUFFER_DESC::Usage.
        usage: Usage,
        /// D3D11_BUFFER_DESC::BindFlags.
        bind_flags: BindFlags,
        /// D3D11_BUFFER_DESC::CPUAccessFlags.
        cpu_access_flags: CpuAccessFlags,
    }

    /// `D3D11DDIARG_CREATERESOURCE`, of a buffer or 2D texture.
    #[derive(Copy)]
    D3d11DdiResourceDesc {
        /// D3D11DDIARG_CREATERESOURCE::ResourceDimension, numbered as the API does.
        dimension: Dimension,
        /// D3D10DDI_MIPINFO::TexelWidth of the first mip; a buffer's size in bytes.
        width: u32 as Extent,
        /// D3D10DDI_MIPINFO::TexelHeight of the first mip.
        height: u32 as Extent,
        /// D3D11DDIARG_CREATERESOURCE::MipLevels; the runtime has resolved 0 to the full chain.
        mip_levels: u32 as Count,
        /// D3D11DDIARG_CREATERESOURCE::ArraySize.
        array_size: u32 as Extent,
        /// D3D11DDIARG_CREATERESOURCE::Format.
        format: Format,
        /// D3D11DDIARG_CREATERESOURCE::Usage, numbered as the API does.
        usage: Usage,
        /// D3D11DDIARG_CREATERESOURCE::BindFlags, numbered as the API does.
        bind_flags: BindFlags,
        /// D3D11DDIARG_CREATERESOURCE::MapFlags, as the API's CPUAccessFlags.
        cpu_access_flags: CpuAccessFlags,
    }

    /// A driver's layout of a resource, which a real driver would store in the memory of its handle.
    #[derive(Copy)]
    D3d11ResourceLayout {
        /// Size of its memory in bytes; 0 for a direct-access staging texture, which has none of its own (rule T-05).
        size_bytes: u64 as Size,
        /// Bytes from one row to the next, for the first mip.
        pitch_bytes: u32,
        /// Arrangement of the bytes.
        tile_format: TileFormat,
        /// Start of the texture in its memory: bytes from the left edge.
        x_offset_bytes: u32 as Offset,
        /// Start of the texture in its memory: rows from the top.
        y_offset_rows: u32 as Count,
    }

    /// The result of D3D11CreateDevice.
    #[derive(Copy)]
    D3d11DeviceAndContext {
        /// ppDevice.
        device: D3d11DeviceId,
        /// ppImmediateContext.
        immediate_context: D3d11ContextId,
    }

    /// The result of CreateDeviceContextState.
    #[derive(Copy)]
    DeviceContextState {
        /// ppContextState.
        state: D3d11ContextStateId,
        /// pChosenFeatureLevel.
        chosen_feature_level: u32,
    }

    /// The result of CopyResource.
    #[derive(Copy)]
    CopyOutcome {
        /// Effect of the call: a copy or a binding.
        kind: CopyKind,
    }

    /// The result of the extension's Init.
    #[derive(Copy)]
    AvailableExtensions {
        /// True if SetDirectAccessResourceExtension is available.
        direct_access: bool,
    }

    /// RESOURCE_SHARED_MAP_DATA, to which D3D11_MAPPED_SUBRESOURCE::pData points for a direct-access staging texture
    /// (rule T-06); for any other resource D3D11_MAPPED_SUBRESOURCE in the same members.
    #[derive(Copy)]
    SharedMapData {
        /// Address of the memory's first byte, before the offsets.
        base_address: CpuAddress,
        /// Arrangement of the bytes.
        tile_format: TileFormat,
        /// Bytes from one row to the next; the width of whole tiles.
        pitch_bytes: u32,
        /// Start of the texture: bytes from the left edge.
        x_offset_bytes: u32 as Offset,
        /// Start of the texture: rows (of blocks) from the top.
        y_offset_rows: u32 as Count,
        /// Accessible bytes.
        size_bytes: u64 as Size,
    }
}

impl Created<HResult<D3d11DeviceAndContext>> for D3d11DeviceAndContext {
    const CREATES: Creates = Creates::Several;
}

impl Created<HResult<DeviceContextState>> for D3d11ContextStateId {
    const CREATES: Creates = Creates::One;
}

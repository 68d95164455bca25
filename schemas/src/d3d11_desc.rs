//! Enumerations, flags and descriptors of d3d11.h, and those of the instant-access extension.
//!
//! The extension's are named as the document "Tiling Format for Intel Iris Graphics Extension for Instant Access" names
//! them; members it does not name are from the public sample that goes with it.

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

    /// The extension's tile formats, MAP_TILE_TYPE_*: how the bytes of a mapped texture are arranged.
    code TileFormat {
        TILE_X = 0, TILE_Y = 1, LINEAR = 3, TILE_X_NO_CSX_SWIZZLE = 4, TILE_Y_NO_CSX_SWIZZLE = 5,
    }

    /// What CopyResource did: with the extension's pair it binds instead of copying (rule T-04).
    code CopyKind { COPIED = 0, BOUND = 1, }
}

impl TileFormat {
    /// The tiled layout of this name (as `taut_tiling` names them); `None` for linear and unknown formats.
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

    /// What a driver makes of a resource: what a real one would keep in the memory behind its handle.
    #[derive(Copy)]
    D3d11ResourceLayout {
        /// Bytes of memory it takes; 0 for a direct-access staging texture, which has none of its own (rule T-05).
        size_bytes: u64 as Size,
        /// Bytes from one row to the next, of the first mip.
        pitch_bytes: u32,
        /// How the bytes are arranged.
        tile_format: TileFormat,
        /// Where the texture begins in its memory: bytes from the left edge.
        x_offset_bytes: u32 as Offset,
        /// Where the texture begins in its memory: rows from the top.
        y_offset_rows: u32 as Count,
    }

    /// What D3D11CreateDevice gives.
    #[derive(Copy)]
    D3d11DeviceAndContext {
        /// ppDevice.
        device: D3d11DeviceId,
        /// ppImmediateContext.
        immediate_context: D3d11ContextId,
    }

    /// What CreateDeviceContextState gives.
    #[derive(Copy)]
    DeviceContextState {
        /// ppContextState.
        state: D3d11ContextStateId,
        /// pChosenFeatureLevel.
        chosen_feature_level: u32,
    }

    /// What CopyResource gives back.
    #[derive(Copy)]
    CopyOutcome {
        /// Whether it copied or bound.
        kind: CopyKind,
    }

    /// What the extension's Init finds.
    #[derive(Copy)]
    AvailableExtensions {
        /// Whether SetDirectAccessResourceExtension is there.
        direct_access: bool,
    }

    /// RESOURCE_SHARED_MAP_DATA, to which D3D11_MAPPED_SUBRESOURCE::pData leads for a direct-access staging texture (rule
    /// T-06); for any other resource D3D11_MAPPED_SUBRESOURCE in the same members.
    #[derive(Copy)]
    SharedMapData {
        /// The processor's pointer to the memory: its first byte, before the offsets.
        base_address: CpuAddress,
        /// How the bytes are arranged.
        tile_format: TileFormat,
        /// Bytes from one row to the next; the width of whole tiles.
        pitch_bytes: u32,
        /// Where the texture begins: bytes from the left edge.
        x_offset_bytes: u32 as Offset,
        /// Where the texture begins: rows (of blocks) from the top.
        y_offset_rows: u32 as Count,
        /// Bytes that can be reached.
        size_bytes: u64 as Size,
    }
}

impl Created<HResult<D3d11DeviceAndContext>> for D3d11DeviceAndContext {
    const CREATES: Creates = Creates::Several;
}

impl Created<HResult<DeviceContextState>> for D3d11ContextStateId {
    const CREATES: Creates = Creates::One;
}

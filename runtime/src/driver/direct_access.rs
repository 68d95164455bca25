//! The instant-access extension as a driver has it: a table of its profile.

use serde::{Deserialize, Serialize};
use taut_schemas::TileFormat;

/// How textures for direct access are arranged (the extension's tile formats; it numbers linear memory as well, which
/// no driver model here gives).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectTileFormat {
    /// X-tiles with channel-select swizzle.
    TileX,
    /// Y-tiles with channel-select swizzle.
    TileY,
    /// X-tiles without.
    TileXNoCsx,
    /// Y-tiles without.
    TileYNoCsx,
}

impl DirectTileFormat {
    /// Its code in the data that Map returns.
    pub fn code(self) -> TileFormat {
        match self {
            DirectTileFormat::TileX => TileFormat::TILE_X,
            DirectTileFormat::TileY => TileFormat::TILE_Y,
            DirectTileFormat::TileXNoCsx => TileFormat::TILE_X_NO_CSX_SWIZZLE,
            DirectTileFormat::TileYNoCsx => TileFormat::TILE_Y_NO_CSX_SWIZZLE,
        }
    }

    /// Bytes of one row of a tile.
    pub fn tile_width_bytes(self) -> u32 {
        if self.is_x() { 512 } else { 128 }
    }

    /// Rows of a tile.
    pub fn tile_rows(self) -> u32 {
        if self.is_x() { 8 } else { 32 }
    }

    fn is_x(self) -> bool {
        matches!(self, DirectTileFormat::TileX | DirectTileFormat::TileXNoCsx)
    }
}

macro_rules! keys {
    ($( $(#[$meta:meta])+ $key:ident: $ty:ty, )*) => {
        /// The instant-access extension of a driver.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct DirectAccess { $( $(#[$meta])+ pub $key: $ty, )* }

        impl DirectAccess {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[ $( stringify!($key) ),* ];
        }
    };
}

keys! {
    /// How textures for direct access are arranged.
    tile_format: DirectTileFormat,
    /// What the pitch is rounded up to, in bytes; 0 is the tile's width.
    #[serde(default)]
    pitch_alignment_bytes: u32,
    /// Where the texture begins in its memory, in bytes from the left.
    #[serde(default)]
    x_offset_bytes: u32,
    /// Where it begins, in rows from the top.
    #[serde(default)]
    y_offset_rows: u32,
}

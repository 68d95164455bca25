//! Instant-access extension of a driver: the profile table `[direct_access]`.

use serde::{Deserialize, Serialize};
use taut_schemas::TileFormat;

/// Tile format of textures for direct access. The extension also numbers linear memory, which no driver model here
/// uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectTileFormat {
    /// X-tiles with channel-select swizzle.
    TileX,
    /// Y-tiles with channel-select swizzle.
    TileY,
    /// X-tiles without channel-select swizzle.
    TileXNoCsx,
    /// Y-tiles without channel-select swizzle.
    TileYNoCsx,
}

impl DirectTileFormat {
    /// Returns the code of this format in the data of Map.
    pub fn code(self) -> TileFormat {
        match self {
            DirectTileFormat::TileX => TileFormat::TILE_X,
            DirectTileFormat::TileY => TileFormat::TILE_Y,
            DirectTileFormat::TileXNoCsx => TileFormat::TILE_X_NO_CSX_SWIZZLE,
            DirectTileFormat::TileYNoCsx => TileFormat::TILE_Y_NO_CSX_SWIZZLE,
        }
    }

    /// Returns the width of a tile in bytes.
    pub fn tile_width_bytes(self) -> u32 {
        if self.is_x() { 512 } else { 128 }
    }

    /// Returns the height of a tile in rows.
    pub fn tile_rows(self) -> u32 {
        if self.is_x() { 8 } else { 32 }
    }

    fn is_x(self) -> bool {
        matches!(self, DirectTileFormat::TileX | DirectTileFormat::TileXNoCsx)
    }
}

macro_rules! keys {
    ($( $(#[$meta:meta])+ $key:ident: $ty:ty, )*) => {
        /// Settings of the instant-access extension.
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
    /// Tile format of textures for direct access.
    tile_format: DirectTileFormat,
    /// Pitch alignment in bytes; 0 is the width of a tile.
    #[serde(default)]
    pitch_alignment_bytes: u32,
    /// Offset of the texture in its memory, in bytes from the left.
    #[serde(default)]
    x_offset_bytes: u32,
    /// Offset of the texture in its memory, in rows from the top.
    #[serde(default)]
    y_offset_rows: u32,
}

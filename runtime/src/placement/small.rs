//! Small resources, which may request the smaller of their two alignments (rules ).

use super::shape::Shape;
use super::tile::{tile_shape, tiles_of};
use super::{KIB_4, KIB_64, MIB_4};
use taut_schemas::{Dimension, TextureLayout};

/// Estimates the size of the most detailed mip of one array slice, in tiles of the smaller alignment: 4 KiB, or 64 KiB
/// for MSAA. Independent of drivers; compression data does not count. `None` for resources without tiles.
pub fn estimate_tiles(shape: &Shape) -> Option<u64> {
    let tile_bytes = if shape.is_msaa() { KIB_64 } else { KIB_4 };
    tiles_of(shape, shape.format.info()?, 0, tile_bytes)
}

/// Tiles of the smaller alignment in the most detailed mip of one array slice, by which a texture is small or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileCount {
    /// Width, height and depth of a tile in texels.
    pub tile_texels: (u64, u64, u64),
    pub tiles: u64,
    /// Maximum of a small texture.
    pub max_tiles: u64,
}

/// Counts the tiles of a texture. `None` for resources without tiles, and for 96-bit formats, whose texels cross tiles.
pub fn count_tiles(shape: &Shape) -> Option<TileCount> {
    let info = shape.format.info().filter(|info| info.unit_bits != 96)?;
    let (tile_bytes, max_bytes) = if shape.is_msaa() { (KIB_64, MIB_4) } else { (KIB_4, KIB_64) };
    let (width, height, depth) = tile_shape(info.unit_bits, shape.dimension, shape.sample_count, tile_bytes)?;
    let (across, down) = (u64::from(info.unit_texels.0), u64::from(info.unit_texels.1));
    let tile_texels = (width * across, height * down, depth);
    Some(TileCount { tile_texels, tiles: estimate_tiles(shape)?, max_tiles: max_bytes / tile_bytes })
}

/// True if a texture is small: layout UNKNOWN, neither render target nor depth-stencil, and no more tiles than fill the
/// larger alignment.
///
/// An MSAA texture must be a render target or depth-stencil, so that condition does not apply to it (rule X-05).
/// With `small_msaa` false, it applies to all textures, and no MSAA texture is small.
pub fn is_small(shape: &Shape, small_msaa: bool) -> bool {
    if shape.dimension == Dimension::BUFFER || shape.layout != TextureLayout::UNKNOWN {
        return false;
    }
    if shape.render_target_or_depth_stencil && !(shape.is_msaa() && small_msaa) {
        return false;
    }
    let max_tiles = if shape.is_msaa() { MIB_4 / KIB_64 } else { KIB_64 / KIB_4 };
    estimate_tiles(shape).is_some_and(|tiles| tiles <= max_tiles)
}

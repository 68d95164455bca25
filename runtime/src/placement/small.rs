//! Small resources: those that may ask for the smaller of their two alignments (rules ).

use super::shape::Shape;
use super::tile::tiles_of;
use super::{KIB_4, KIB_64, MIB_4};
use taut_schemas::{Dimension, TextureLayout};

/// The estimated size of the most detailed mip of one array slice, in tiles of the smaller alignment: 4 KiB, or
/// 64 KiB for MSAA. It depends on no driver and leaves compression data out. `None` for what has no tiles.
pub fn estimate_tiles(shape: &Shape) -> Option<u64> {
    let tile_bytes = if shape.is_msaa() { KIB_64 } else { KIB_4 };
    tiles_of(shape, shape.format.info()?, 0, tile_bytes)
}

/// Whether a texture is small: layout UNKNOWN, neither render target nor depth-stencil, and at most as many tiles as
/// fill the larger alignment.
///
/// An MSAA texture has to be a render target or depth-stencil, so that condition is not its (ambiguity A0.11).
/// `small_msaa` false applies it to all, and no MSAA texture is small.
pub fn is_small(shape: &Shape, small_msaa: bool) -> bool {
    if shape.dimension == Dimension::BUFFER || shape.layout != TextureLayout::UNKNOWN {
        return false;
    }
    if shape.render_target_or_depth_stencil && !(shape.is_msaa() && small_msaa) {
        return false;
    }
    let most = if shape.is_msaa() { MIB_4 / KIB_64 } else { KIB_64 / KIB_4 };
    estimate_tiles(shape).is_some_and(|tiles| tiles <= most)
}

//! Near-equilateral tiles of 4 KiB and 64 KiB, as in standard swizzle and D3D11 tiled resources (rule A-03).

use super::plane::planes;
use super::shape::Shape;
use taut_schemas::Dimension;
use taut_schemas::format::FormatInfo;

/// Returns width, height and depth of a tile, in units of the format: texels, or 4×4 blocks of a BC format.
///
/// `unit_bits` is a power of two from 8 to 128; `tile_bytes` a power of two of at least 16. `None` for other values,
/// for buffers, and for sample counts above 16.
pub fn tile_shape(unit_bits: u32, dimension: Dimension, sample_count: u32, tile_bytes: u64) -> Option<(u64, u64, u64)> {
    if !unit_bits.is_power_of_two() || !(8..=128).contains(&unit_bits) || !tile_bytes.is_power_of_two() {
        return None;
    }
    let units = tile_bytes.ilog2().checked_sub((unit_bits / 8).ilog2())?;
    // Logarithms of the extents; the remainder of the division goes to the earlier extents.
    let (width, height, depth) = match dimension {
        Dimension::TEXTURE1D => (units, 0, 0),
        Dimension::TEXTURE2D => (units.div_ceil(2), units / 2, 0),
        Dimension::TEXTURE3D => {
            let width = units.div_ceil(3);
            let height = (units - width).div_ceil(2);
            (width, height, units - width - height)
        }
        _ => return None,
    };
    let (across, down) = match sample_count {
        0 | 1 => (0, 0),
        2 => (1, 0),
        4 => (1, 1),
        8 => (2, 1),
        16 => (2, 2),
        _ => return None,
    };
    Some((1 << width.checked_sub(across)?, 1 << height.checked_sub(down)?, 1 << depth))
}

/// Returns the number of tiles of `tile_bytes` in one slice of a mip level, across all planes. `None` for resources
/// without tiles.
///
/// A 96-bit texel counts as three of 32 bits side by side (not documented; hardware stores it so).
pub fn tiles_of(shape: &Shape, info: &FormatInfo, level: u16, tile_bytes: u64) -> Option<u64> {
    let (unit_bits, per_unit) = if info.unit_bits == 96 { (32, 3) } else { (info.unit_bits, 1) };
    let (tile_width, tile_height, tile_depth) = tile_shape(unit_bits, shape.dimension, shape.sample_count, tile_bytes)?;
    let (width, height, depth) = shape.mip_extents(level);
    let tiles = |(width, height): (u64, u64)| {
        let units = width.div_ceil(info.unit_texels.0.into()).saturating_mul(per_unit);
        let rows = height.div_ceil(info.unit_texels.1.into());
        units.div_ceil(tile_width).saturating_mul(rows.div_ceil(tile_height)).saturating_mul(depth.div_ceil(tile_depth))
    };
    Some(planes(info, width, height).map(tiles).fold(0, u64::saturating_add))
}

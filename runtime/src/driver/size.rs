//! Texture sizes of a driver model. Sizes that do not fit saturate; the runtime rejects them as too large.

use super::profile::{Profile, TextureSizeModel};
use crate::placement::{KIB_4, KIB_64, Shape, planes, tiles_of};
use taut_schemas::format::FormatInfo;
use taut_schemas::{DdiResourceDesc, DdiResourceFlags, Dimension, TextureLayout};

/// Returns a texture's size in bytes at this alignment, not yet rounded up to it. 0 for a format without a size.
pub(crate) fn texture_bytes(profile: &Profile, shape: &Shape, alignment_bytes: u64) -> u64 {
    let Some(info) = shape.format.info() else { return 0 };
    let tiled = match profile.texture_size_model {
        TextureSizeModel::Tiled => tiled_slice_bytes(shape, info, alignment_bytes),
        TextureSizeModel::Packed => None,
    };
    let Some(tiled_slice_bytes) = tiled else {
        return packed_slice_bytes(profile, shape, info).saturating_mul(shape.array_size());
    };
    let tiled_bytes = tiled_slice_bytes.saturating_mul(shape.array_size());
    match profile.linear_pitch_alignment_bytes.filter(|_| shape.layout == TextureLayout::UNKNOWN) {
        Some(pitch_bytes) => tiled_bytes.min(linear_bytes(shape, info, pitch_bytes)),
        None => tiled_bytes,
    }
}

fn mip_levels(shape: &Shape) -> u16 {
    if shape.mip_levels == 0 { shape.full_mip_levels() } else { shape.mip_levels.min(shape.full_mip_levels()) }
}

/// Returns the size of one array slice in whole tiles: 4 KiB tiles below 64 KiB alignment. Mips that fit into one tile
/// are packed into a tail, as standard swizzle does. `None` if the tiles have no shape.
fn tiled_slice_bytes(shape: &Shape, info: &FormatInfo, alignment_bytes: u64) -> Option<u64> {
    let tile_bytes = if alignment_bytes < KIB_64 { KIB_4 } else { KIB_64 };
    let (mut tiles, mut tail_bytes) = (0_u64, 0_u64);
    for level in 0..mip_levels(shape) {
        match tiles_of(shape, info, level, tile_bytes)? {
            0 | 1 => tail_bytes = tail_bytes.saturating_add(packed_level_bytes(shape, info, level, 1, 1)),
            whole => tiles = tiles.saturating_add(whole),
        }
    }
    Some(tiles.saturating_add(tail_bytes.div_ceil(tile_bytes)).saturating_mul(tile_bytes))
}

/// Returns the size of the whole texture in rows, with a page per mip level: the layout of small and thin textures,
/// which would leave most of a tile empty.
fn linear_bytes(shape: &Shape, info: &FormatInfo, pitch_bytes: u64) -> u64 {
    let levels = mip_levels(shape);
    let rows = (0..levels).map(|level| level_bytes(shape, info, level, RowAlignment { pitch_bytes, height: 1 }, true));
    let slice_bytes = rows.fold(0, u64::saturating_add);
    slice_bytes.saturating_mul(shape.array_size()).saturating_add(u64::from(levels) * KIB_4)
}

/// Returns the size of one array slice in rows, level after level.
fn packed_slice_bytes(profile: &Profile, shape: &Shape, info: &FormatInfo) -> u64 {
    let (pitch, height) = (profile.row_pitch_alignment_bytes, profile.height_alignment);
    let levels = (0..mip_levels(shape)).map(|level| packed_level_bytes(shape, info, level, pitch, height));
    levels.fold(0, u64::saturating_add)
}

fn packed_level_bytes(shape: &Shape, info: &FormatInfo, level: u16, pitch_bytes: u64, height: u64) -> u64 {
    level_bytes(shape, info, level, RowAlignment { pitch_bytes, height }, false)
}

/// Alignment of the rows of a mip level.
struct RowAlignment {
    pitch_bytes: u64,
    /// Number of rows.
    height: u64,
}

/// Returns the size of a mip level in rows. Block-compressed formats use the pitch only if `blocks_have_pitch`.
fn level_bytes(shape: &Shape, info: &FormatInfo, level: u16, alignment: RowAlignment, blocks_have_pitch: bool) -> u64 {
    let RowAlignment { pitch_bytes, height } = alignment;
    let (level_width, level_height, depth) = shape.mip_extents(level);
    let plane_bytes = |(plane_width, plane_height): (u64, u64)| {
        let aligned_height = match shape.dimension {
            Dimension::TEXTURE2D | Dimension::TEXTURE3D if !info.is_block_compressed() => {
                round_up(plane_height, height)
            }
            _ => plane_height,
        };
        let rows = aligned_height.div_ceil(info.unit_texels.1.into());
        let row_bytes = plane_width.div_ceil(info.unit_texels.0.into()).saturating_mul(u64::from(info.unit_bits / 8));
        let pitch =
            if info.is_block_compressed() && !blocks_have_pitch { row_bytes } else { round_up(row_bytes, pitch_bytes) };
        pitch.saturating_mul(rows)
    };
    let bytes = planes(info, level_width, level_height).map(plane_bytes).fold(0, u64::saturating_add);
    bytes.saturating_mul(depth).saturating_mul(shape.sample_count.max(1).into())
}

/// Returns the size of a row-major texture that adapters share: a pitch that is a multiple of 128 bytes, and a multiple
/// of 4 rows. 0 for any other resource.
pub(crate) fn shared_bytes(desc: &DdiResourceDesc) -> u64 {
    let crosses = desc.flags.contains(DdiResourceFlags::CROSS_ADAPTER) && desc.layout == TextureLayout::ROW_MAJOR;
    let Some(info) = desc.format.info().filter(|_| crosses && desc.dimension != Dimension::BUFFER) else { return 0 };
    let units = desc.width.div_ceil(info.unit_texels.0.into());
    let pitch = round_up(units.saturating_mul(u64::from(info.unit_bits / 8)), 128);
    let rows = u64::from(desc.height).div_ceil(info.unit_texels.1.into());
    pitch.saturating_mul(round_up(rows, 4))
}

/// Rounds up to an alignment; `u64::MAX` on overflow.
pub(crate) fn round_up(bytes: u64, alignment: u64) -> u64 {
    bytes.checked_next_multiple_of(alignment.max(1)).unwrap_or(u64::MAX)
}

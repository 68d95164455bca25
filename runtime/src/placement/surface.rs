//! Layout in which the simulation stores the texels of a texture: subresources one after another, rows without padding.
//! Programs never see it, except of a row-major texture, whose rows have the pitch of copyable footprints.

use super::footprint::footprints;
use super::plane::plane_count;
use super::shape::Shape;
use taut_schemas::format::Format;
use taut_schemas::{Dimension, TextureLayout};

/// A subresource in the memory of its texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surface {
    /// Offset of the first unit from the begin of the memory.
    pub offset_bytes: u64,
    /// Format of the plane.
    pub format: Format,
    /// Width and height of a unit in texels.
    pub unit_texels: (u32, u32),
    /// Bytes of a unit.
    pub unit_bytes: u64,
    /// Distance of units: greater than their size if other planes or samples lie between them.
    pub unit_pitch_bytes: u64,
    pub row_pitch_bytes: u64,
    pub slice_pitch_bytes: u64,
    /// Units of a row.
    pub units: u64,
    pub rows: u64,
    /// Slices of a 3D texture; 1 for others.
    pub slices: u64,
}

/// True if depth and stencil share a word of 32 bits.
fn shares_word(format: Format) -> bool {
    matches!(
        format,
        Format::R24G8_TYPELESS
            | Format::D24_UNORM_S8_UINT
            | Format::R24_UNORM_X8_TYPELESS
            | Format::X24_TYPELESS_G8_UINT
    )
}

/// Place of a subresource. The mip levels of `shape` must be resolved. `None` if there is no such subresource, for a
/// buffer, and on overflow.
pub fn surface(shape: &Shape, subresource: u32) -> Option<Surface> {
    let (levels, slices) = (u64::from(shape.mip_levels.max(1)), shape.array_size().max(1));
    let planes = u64::from(plane_count(shape.format));
    let subresource = u64::from(subresource);
    if shape.dimension == Dimension::BUFFER || subresource >= levels * slices * planes {
        return None;
    }
    let is_shared_word = shares_word(shape.format);
    let (level, slice, plane) = (subresource % levels, subresource / levels % slices, subresource / (levels * slices));
    let samples = u64::from(shape.sample_count.max(1));
    let place = |plane: u64, level: u64| {
        let mut found = None;
        let index = plane * levels * slices + level;
        footprints(shape, index..index + 1, 0, &mut |place| found = Some(place))?;
        let (place, info) = (found?, found?.format.info()?);
        let unit_bytes = u64::from(info.unit_bits / 8);
        let unit_pitch_bytes = if is_shared_word { 4 } else { unit_bytes }.checked_mul(samples)?;
        let units = u64::from(place.width / info.unit_texels.0);
        let row_pitch_bytes = match shape.layout {
            TextureLayout::ROW_MAJOR => place.row_pitch_bytes.into(),
            _ => units.checked_mul(unit_pitch_bytes)?,
        };
        Some(Surface {
            offset_bytes: 0,
            format: place.format,
            unit_texels: info.unit_texels,
            // The fourth byte of the depth is the stencil.
            unit_bytes: if is_shared_word && plane == 0 { 3 } else { unit_bytes },
            unit_pitch_bytes,
            row_pitch_bytes,
            slice_pitch_bytes: row_pitch_bytes.checked_mul(place.num_rows.into())?,
            units,
            rows: place.num_rows.into(),
            slices: place.depth.into(),
        })
    };
    let size = |plane: u64, level: u64| {
        let surface = place(plane, level)?;
        surface.slice_pitch_bytes.checked_mul(surface.slices)
    };
    // Of a shared word, all planes have the place of the first one.
    let stored_plane = if is_shared_word { 0 } else { plane };
    let mut offset_bytes = if is_shared_word { 3 * plane } else { 0_u64 };
    let slice_bytes = |plane: u64| (0..levels).try_fold(0_u64, |sum, level| sum.checked_add(size(plane, level)?));
    for before in 0..stored_plane {
        offset_bytes = offset_bytes.checked_add(slice_bytes(before)?.checked_mul(slices)?)?;
    }
    offset_bytes = offset_bytes.checked_add(slice_bytes(stored_plane)?.checked_mul(slice)?)?;
    for before in 0..level {
        offset_bytes = offset_bytes.checked_add(size(stored_plane, before)?)?;
    }
    Some(Surface { offset_bytes, ..place(plane, level)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_schemas::ResourceDesc;

    fn shape(format: Format, extents: (u64, u32, u16), mip_levels: u16, sample_count: u32) -> Shape {
        let (width, height, depth_or_array_size) = extents;
        let desc = ResourceDesc {
            dimension: Dimension::TEXTURE2D,
            width,
            height,
            depth_or_array_size,
            mip_levels,
            format,
            sample_count,
            ..Default::default()
        };
        Shape::from(&desc)
    }

    #[test]
    fn subresources_follow_one_another_without_padding() {
        let shape = shape(Format::R8G8B8A8_UNORM, (6, 4, 2), 2, 1);
        let offsets: Vec<u64> = (0..4).map(|index| surface(&shape, index).unwrap().offset_bytes).collect();
        assert_eq!(offsets, [0, 96, 120, 216]);
        assert_eq!(surface(&shape, 4), None);
    }

    #[test]
    fn depth_and_stencil_share_a_word_and_samples_are_neighbours() {
        let shape = shape(Format::D24_UNORM_S8_UINT, (5, 3, 1), 1, 4);
        let [depth, stencil] = [0, 1].map(|index| surface(&shape, index).unwrap());
        assert_eq!((depth.offset_bytes, depth.unit_bytes, depth.unit_pitch_bytes), (0, 3, 16));
        assert_eq!((stencil.offset_bytes, stencil.unit_bytes, stencil.unit_pitch_bytes), (3, 1, 16));
        assert_eq!((stencil.row_pitch_bytes, stencil.rows), (80, 3));
    }
}

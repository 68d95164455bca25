//! Copyable footprints: layout of a texture's subresources in a buffer for copies.

use super::plane::plane_count;
use super::shape::Shape;
use taut_schemas::format::Format;
use taut_schemas::{CopyableFootprint, Dimension};

/// D3D12_TEXTURE_DATA_PITCH_ALIGNMENT (d3d12.h).
const PITCH_ALIGNMENT: u64 = 256;
/// D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT (d3d12.h).
const PLACEMENT_ALIGNMENT: u64 = 512;

/// Returns the number of subresources: mip levels of every slice of every plane.
pub fn subresource_count(shape: &Shape) -> u64 {
    match shape.dimension {
        Dimension::BUFFER => 1,
        _ => u64::from(shape.mip_levels) * shape.array_size() * u64::from(plane_count(shape.format)),
    }
}

/// Lays out `subresources` one after another from `base_offset_bytes`, each with a row pitch of a multiple of 256 bytes
/// and at a multiple of 512 bytes from the base. Calls `each` for every footprint, and returns the bytes from the base
/// to the end.
///
/// The mip levels of `shape` must be resolved. Samples do not count: Direct3D copies no multisampled texture through
/// buffers. `None` on overflow.
pub fn footprints(
    shape: &Shape,
    subresources: std::ops::Range<u64>,
    base_offset_bytes: u64,
    each: &mut dyn FnMut(CopyableFootprint),
) -> Option<u64> {
    let mut total = 0_u64;
    for subresource in subresources {
        let start = total.checked_next_multiple_of(PLACEMENT_ALIGNMENT)?;
        let mut place = footprint(shape, subresource)?;
        place.offset_bytes = base_offset_bytes.checked_add(start)?;
        let rows = u64::from(place.num_rows).checked_mul(place.depth.into())?;
        // The last row needs no padding.
        let padded = rows.saturating_sub(1).checked_mul(place.row_pitch_bytes.into())?;
        total = start.checked_add(padded)?.checked_add(place.row_size_bytes)?;
        base_offset_bytes.checked_add(total)?;
        each(place);
    }
    Some(total)
}

fn footprint(shape: &Shape, subresource: u64) -> Option<CopyableFootprint> {
    if shape.dimension == Dimension::BUFFER {
        return rows(Format::UNKNOWN, (1, 1), 8, (shape.width, 1, 1));
    }
    let levels = u64::from(shape.mip_levels.max(1));
    let plane = subresource / (levels * shape.array_size().max(1));
    let (width, height, depth) = shape.mip_extents((subresource % levels) as u16);
    let (format, (across, down)) = plane_format(shape.format, plane);
    let info = format.info()?;
    rows(format, info.unit_texels, info.unit_bits, (width.div_ceil(across), height.div_ceil(down), depth))
}

fn rows(
    format: Format,
    unit_texels: (u32, u32),
    unit_bits: u32,
    (width, height, depth): (u64, u64, u64),
) -> Option<CopyableFootprint> {
    let units = width.div_ceil(unit_texels.0.into());
    let num_rows = height.div_ceil(unit_texels.1.into());
    let row_size_bytes = units.checked_mul(u64::from(unit_bits / 8))?;
    let row_pitch_bytes = row_size_bytes.checked_next_multiple_of(PITCH_ALIGNMENT)?;
    Some(CopyableFootprint {
        offset_bytes: 0,
        format,
        width: u32::try_from(units * u64::from(unit_texels.0)).ok()?,
        height: u32::try_from(num_rows * u64::from(unit_texels.1)).ok()?,
        depth: u32::try_from(depth).ok()?,
        row_pitch_bytes: u32::try_from(row_pitch_bytes).ok()?,
        num_rows: u32::try_from(num_rows).ok()?,
        row_size_bytes,
    })
}

/// Returns the format in which a plane is copied, and the divisors of the texture's width and height in it.
fn plane_format(format: Format, plane: u64) -> (Format, (u64, u64)) {
    let whole = (1, 1);
    match (format, plane) {
        (Format::NV12 | Format::_420_OPAQUE | Format::NV11 | Format::P208 | Format::V208 | Format::V408, 0) => {
            (Format::R8_TYPELESS, whole)
        }
        (Format::NV12 | Format::_420_OPAQUE, _) => (Format::R8G8_TYPELESS, (2, 2)),
        (Format::NV11, _) => (Format::R8G8_TYPELESS, (4, 1)),
        (Format::P208, _) => (Format::R8G8_TYPELESS, (2, 1)),
        (Format::V208 | Format::V408, _) => (Format::R8_TYPELESS, whole),
        (Format::P010 | Format::P016, 0) => (Format::R16_TYPELESS, whole),
        (Format::P010 | Format::P016, _) => (Format::R16G16_TYPELESS, (2, 2)),
        _ if plane_count(format) == 2 && plane == 0 => (Format::R32_TYPELESS, whole),
        _ if plane_count(format) == 2 => (Format::R8_TYPELESS, whole),
        _ => (format, whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_schemas::ResourceDesc;

    fn laid_out(
        dimension: Dimension,
        format: Format,
        extents: (u64, u32, u16),
        mip_levels: u16,
    ) -> (u64, Vec<[u64; 5]>) {
        let (width, height, depth_or_array_size) = extents;
        let desc = ResourceDesc {
            dimension,
            width,
            height,
            depth_or_array_size,
            mip_levels,
            format,
            sample_count: 1,
            ..Default::default()
        };
        let shape = Shape::from(&desc);
        let mut places = Vec::new();
        let total = footprints(&shape, 0..subresource_count(&shape), 0, &mut |place| {
            places.push([
                place.offset_bytes,
                place.width.into(),
                place.height.into(),
                place.row_pitch_bytes.into(),
                place.row_size_bytes,
            ]);
        });
        (total.unwrap(), places)
    }

    #[test]
    fn rows_begin_at_multiples_of_256_and_subresources_at_512() {
        let (total, places) = laid_out(Dimension::TEXTURE2D, Format::R8G8B8A8_UNORM, (100, 3, 1), 2);
        assert_eq!(places, [[0, 100, 3, 512, 400], [1536, 50, 1, 256, 200]]);
        assert_eq!(total, 1736);
        let (total, places) = laid_out(Dimension::TEXTURE3D, Format::R8_UNORM, (4, 4, 3), 1);
        assert_eq!((total, places), (11 * 256 + 4, vec![[0, 4, 4, 256, 4]]));
    }

    #[test]
    fn blocks_are_whole_and_planes_are_apart() {
        let (_, places) = laid_out(Dimension::TEXTURE2D, Format::BC1_UNORM, (10, 10, 1), 3);
        assert_eq!(places, [[0, 12, 12, 256, 24], [1024, 8, 8, 256, 16], [1536, 4, 4, 256, 8]]);
        let (_, places) = laid_out(Dimension::TEXTURE2D, Format::NV12, (64, 64, 1), 1);
        assert_eq!(places, [[0, 64, 64, 256, 64], [16384, 32, 32, 256, 64]]);
        let (_, places) = laid_out(Dimension::TEXTURE2D, Format::D24_UNORM_S8_UINT, (64, 1, 2), 1);
        assert_eq!(places.iter().map(|place| place[4]).collect::<Vec<_>>(), [256, 256, 64, 64]);
    }

    #[test]
    fn a_buffer_is_one_row_and_an_overflow_is_none() {
        let (total, places) = laid_out(Dimension::BUFFER, Format::UNKNOWN, (1000, 1, 1), 1);
        assert_eq!((total, places), (1000, vec![[0, 1000, 1, 1024, 1000]]));
        let shape = Shape::from(&ResourceDesc { dimension: Dimension::BUFFER, width: 4, ..Default::default() });
        assert_eq!(footprints(&shape, 0..1, u64::MAX, &mut |_| {}), None);
    }
}

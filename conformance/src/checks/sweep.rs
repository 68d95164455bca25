//! Resources for checks: buffers of many widths, and textures of every format, dimension, sample count and use, below
//! and above the limits of small resources (rule A-03).

use taut_runtime::placement::{KIB_4, KIB_64, tile_shape};
use taut_schemas::format::{FORMATS, FormatInfo};
use taut_schemas::{Dimension, ResourceDesc, ResourceFlags};

/// Maximum extents (d3d12.h: D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION and others).
const LONGEST: u64 = 16384;
const LONGEST_3D: u64 = 2048;

const BUFFER_USES: [ResourceFlags; 3] = [
    ResourceFlags::NONE,
    ResourceFlags::ALLOW_UNORDERED_ACCESS,
    ResourceFlags(ResourceFlags::ALLOW_UNORDERED_ACCESS.0 | ResourceFlags::RAYTRACING_ACCELERATION_STRUCTURE.0),
];

const TEXTURE_USES: [ResourceFlags; 6] = [
    ResourceFlags::NONE,
    ResourceFlags::ALLOW_RENDER_TARGET,
    ResourceFlags::ALLOW_DEPTH_STENCIL,
    ResourceFlags::ALLOW_UNORDERED_ACCESS,
    ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS,
    ResourceFlags(ResourceFlags::ALLOW_DEPTH_STENCIL.0 | ResourceFlags::DENY_SHADER_RESOURCE.0),
];

/// (width, height, depth) of a texture.
type Extents = (u64, u64, u64);

/// Returns all resources, valid or not; the runtime decides which resources an adapter supports.
pub(crate) fn resources() -> Vec<ResourceDesc> {
    let mut resources = buffers();
    for info in FORMATS {
        textures(info, &mut resources);
    }
    resources
}

/// Returns buffers without the tight flag.
pub(crate) fn buffers() -> Vec<ResourceDesc> {
    let around = (4..=32).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    let pages = [4, 6, 100].into_iter().map(|count| count * (2_u64 << 20));
    let widths = (1..=15).chain(around).chain([100, 1000, 10_000, 100_000, 1_000_000]).chain(pages);
    let widths: Vec<u64> = widths.collect();
    let buffer = |width, flags| ResourceDesc { flags, ..ResourceDesc::buffer(width) };
    BUFFER_USES.iter().flat_map(|flags| widths.iter().map(move |width| buffer(*width, *flags))).collect()
}

fn textures(info: &FormatInfo, resources: &mut Vec<ResourceDesc>) {
    for dimension in [Dimension::TEXTURE1D, Dimension::TEXTURE2D, Dimension::TEXTURE3D] {
        for sample_count in [1, 2, 4, 8, 16] {
            if sample_count > 1 && dimension != Dimension::TEXTURE2D {
                continue;
            }
            for (width, height, depth) in extents(info, dimension, sample_count) {
                let base = ResourceDesc {
                    dimension,
                    width,
                    height: height as u32,
                    depth_or_array_size: depth as u16,
                    mip_levels: 1,
                    format: info.format,
                    sample_count,
                    ..Default::default()
                };
                let slices = ResourceDesc { depth_or_array_size: 6, ..base };
                let mips = ResourceDesc { mip_levels: 0, ..base };
                for flags in TEXTURE_USES {
                    resources.push(ResourceDesc { flags, ..base });
                }
                resources.push(mips);
                if dimension != Dimension::TEXTURE3D {
                    resources.push(slices);
                }
            }
        }
    }
}

/// Returns extents of one texel, of the maximum number of tiles of a small resource and of one tile more, and of large
/// textures.
fn extents(info: &FormatInfo, dimension: Dimension, sample_count: u32) -> Vec<Extents> {
    let tile_bytes = if sample_count > 1 { KIB_64 } else { KIB_4 };
    let unit_bits = if info.unit_bits == 96 { 32 } else { info.unit_bits };
    let tile = tile_shape(unit_bits, dimension, sample_count, tile_bytes).unwrap_or((64, 64, 1));
    let (width, height) = (tile.0 * u64::from(info.unit_texels.0), tile.1 * u64::from(info.unit_texels.1));
    // A step of one more tile that is valid for every subsampled format.
    let more = 4;
    let all: Vec<Extents> = match dimension {
        Dimension::TEXTURE1D => vec![(4, 1, 1), (width, 1, 1), (16 * width, 1, 1), (LONGEST, 1, 1)],
        Dimension::TEXTURE3D => {
            let depth = tile.2;
            vec![
                (4, 4, 1),
                (2 * width, 2 * height, 4 * depth),
                (2 * width + more, 2 * height, 4 * depth),
                (128, 128, 64),
            ]
        }
        _ => {
            let across = if sample_count > 1 { 8 } else { 4 };
            vec![
                (1, 1, 1),
                (4, 4, 1),
                (width, height, 1),
                (across * width, across * height, 1),
                (across * width + more, across * height, 1),
                (1000, 600, 1),
                (2048, 2048, 1),
                (LONGEST, 2, 1),
            ]
        }
    };
    let longest = if dimension == Dimension::TEXTURE3D { LONGEST_3D } else { LONGEST };
    all.into_iter().filter(|(width, height, depth)| *width.max(height).max(depth) <= longest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use taut_runtime::placement::{Shape, is_small};

    #[test]
    fn the_sweep_has_small_and_other_resources_of_every_format() {
        let resources = resources();
        for small in [true, false] {
            let of_kind = resources.iter().filter(|desc| is_small(&Shape::from(*desc), true) == small);
            let formats: BTreeSet<u32> = of_kind.map(|desc| desc.format.0).collect();
            assert!(FORMATS.iter().all(|info| formats.contains(&info.format.0)), "small: {small}");
        }
        let counts: BTreeSet<u32> = resources.iter().map(|desc| desc.sample_count).collect();
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), [1, 2, 4, 8, 16]);
    }
}

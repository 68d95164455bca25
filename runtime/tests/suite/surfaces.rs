//! The layout in which the simulation stores texels lies within the memory that drivers announce.

use super::world::{DEVICE, World};
use proptest::prelude::*;
use std::cell::RefCell;
use taut_runtime::placement::{Shape, surface};
use taut_schemas::format::Format;
use taut_schemas::{Dimension, ResourceDesc, ResourceFlags, d3d12};

const FORMATS: [Format; 14] = [
    Format::R8_UNORM,
    Format::R8G8B8A8_UNORM,
    Format::B5G6R5_UNORM,
    Format::R16G16B16A16_FLOAT,
    Format::R32G32B32A32_FLOAT,
    Format::R32G32B32_FLOAT,
    Format::BC1_UNORM,
    Format::BC7_UNORM,
    Format::NV12,
    Format::P010,
    Format::D16_UNORM,
    Format::D32_FLOAT,
    Format::D24_UNORM_S8_UINT,
    Format::D32_FLOAT_S8X24_UINT,
];

thread_local! {
    static WORLDS: RefCell<Vec<World>> = RefCell::new(["reference", "peer", "tightest", "multi-size", "msaa-2mib"].into_iter().filter_map(|name| {
        taut_runtime::Profile::named(name).map(|_| World::new(name))
    }).collect());
}

fn descs() -> impl Strategy<Value = ResourceDesc> {
    let extents = (1_u64..300, 1_u32..300, 1_u16..9, 1_u16..9);
    (0..FORMATS.len(), extents, 2_u32..5, prop_oneof![4 => Just(1_u32), 1 => Just(4)]).prop_map(
        |(format, (width, height, depth_or_array_size, mip_levels), dimension, sample_count)| {
            let format = FORMATS[format];
            let is_depth = matches!(
                format,
                Format::D16_UNORM | Format::D32_FLOAT | Format::D24_UNORM_S8_UINT | Format::D32_FLOAT_S8X24_UINT
            );
            let flags = match (is_depth, sample_count) {
                (true, _) => ResourceFlags::ALLOW_DEPTH_STENCIL,
                (false, 1) => ResourceFlags::NONE,
                (false, _) => ResourceFlags::ALLOW_RENDER_TARGET,
            };
            ResourceDesc {
                dimension: Dimension(dimension),
                // Formats with blocks and planes have whole ones.
                width: width.next_multiple_of(4),
                height: if dimension == 2 { 1 } else { height.next_multiple_of(4) },
                depth_or_array_size,
                mip_levels: if sample_count > 1 { 1 } else { mip_levels },
                format,
                sample_count,
                flags,
                ..Default::default()
            }
        },
    )
}

proptest! {
    #[test]
    fn texels_lie_within_the_announced_size_and_subresources_apart(desc in descs()) {
        WORLDS.with_borrow_mut(|worlds| {
            for world in worlds {
                let get = d3d12::GetResourceAllocationInfo { device: DEVICE, visible_mask: 0, descs: vec![desc] };
                let info = world.call(&get);
                if info.size_bytes == u64::MAX {
                    continue;
                }
                let shape = Shape::from(&desc);
                let (mut subresource, mut end) = (0, 0);
                while let Some(place) = surface(&shape, subresource) {
                    let last = place.offset_bytes
                        + (place.slices - 1) * place.slice_pitch_bytes
                        + (place.rows - 1) * place.row_pitch_bytes
                        + (place.units - 1) * place.unit_pitch_bytes
                        + place.unit_bytes;
                    prop_assert!(last <= info.size_bytes, "{last} of {}: {desc:?}", info.size_bytes);
                    // The stencil of a shared word lies between its depths.
                    if desc.format != Format::D24_UNORM_S8_UINT {
                        prop_assert!(place.offset_bytes >= end, "{desc:?}");
                        end = last;
                    }
                    subresource += 1;
                }
                prop_assert!(subresource > 0, "{desc:?}");
            }
            Ok(())
        })?;
    }
}

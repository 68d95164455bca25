//! Tests of GetCopyableFootprints.

use super::descs::*;
use super::world::{DEVICE, World};
use taut_schemas::format::Format;
use taut_schemas::{MessageId, ResourceDesc, d3d12};

fn copyable_footprints(
    world: &mut World,
    desc: ResourceDesc,
    range: (u32, u32),
    base_offset_bytes: u64,
) -> (u64, Vec<u64>) {
    let (first_subresource, num_subresources) = range;
    let answer = world.call(&d3d12::GetCopyableFootprints {
        device: DEVICE,
        desc,
        first_subresource,
        num_subresources,
        base_offset_bytes,
    });
    (answer.total_bytes, answer.layouts.iter().map(|place| place.offset_bytes).collect())
}

#[test]
fn subresources_lie_one_after_another() {
    let mut world = World::new("reference");
    let desc = ResourceDesc { mip_levels: 0, ..texture(Format::R8G8B8A8_UNORM, 128, 128) };
    let (total, offsets) = copyable_footprints(&mut world, desc, (0, 8), 0);
    assert_eq!((total, offsets.len()), (65536 + 16384 + 8192 + 4096 + 2048 + 1024 + 512 + 4, 8));
    assert_eq!(copyable_footprints(&mut world, desc, (1, 1), 1024), (63 * 256 + 256, vec![1024]));
    assert_eq!(copyable_footprints(&mut world, desc, (0, 0), 0), (0, vec![]));
    assert_eq!(world.ddi::<taut_schemas::d3d12_ddi::CheckResourceAllocationInfo>(), [], "the driver has no say");
}

#[test]
fn missing_subresources_have_no_footprint() {
    let mut world = World::new("reference");
    let desc = texture(Format::R8_UNORM, 16, 16);
    assert_eq!(copyable_footprints(&mut world, desc, (1, 1), 0), (INVALID, vec![]));
    assert_eq!(world.message_ids(), [MessageId::GETCOPYABLEFOOTPRINTS_INVALIDSUBRESOURCERANGE]);
    assert_eq!(copyable_footprints(&mut world, desc, (u32::MAX, u32::MAX), 0), (INVALID, vec![]));
    assert_eq!(copyable_footprints(&mut world, desc, (0, 1), u64::MAX), (INVALID, vec![]));
    assert_eq!(world.message_ids(), [MessageId::GETCOPYABLEFOOTPRINTS_INVALIDBASEOFFSET]);
    assert_eq!(copyable_footprints(&mut world, buffer(0), (0, 1), 0), (INVALID, vec![]));
}

#[test]
fn a16_a_description_is_validated_like_any_other() {
    let mut world = World::new("reference");
    assert_eq!(copyable_footprints(&mut world, aligned(16, tight_buffer(64)), (0, 1), 0), (INVALID, vec![]));
    assert_eq!(world.message_ids(), [MessageId::CREATERESOURCE_INVALIDALIGNMENT]);
    let mut world = World::under("reference", taut_runtime::RuleSet::R1_619_4);
    assert_eq!(copyable_footprints(&mut world, aligned(16, tight_buffer(64)), (0, 1), 0), (64, vec![0]));
}

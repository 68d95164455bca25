//! Tests of several descriptions in one query (rules ).

use super::descs::*;
use super::world::{DEVICE, World};
use proptest::prelude::*;
use taut_runtime::placement::Aggregate;
use taut_schemas::format::Format;
use taut_schemas::{AllocationInfo1, MessageId, MipRegion, ResourceDesc, d3d12};

/// Returns size and alignment of elements (size, alignment) in order.
fn laid_out(elements: &[(u64, u64)]) -> (u64, u64) {
    let mut layout = Aggregate::default();
    for &(size, alignment) in elements {
        layout.push(size, alignment).unwrap();
    }
    (layout.size_bytes().unwrap(), layout.alignment_bytes())
}

#[test]
fn a30_the_documents_example() {
    const MIB_2: u64 = 2 << 20;
    let (small, large) = ((256, 256), (MIB_2, MIB_2));
    assert_eq!(laid_out(&[small, large, small]), (6 << 20, MIB_2));
    assert_eq!(laid_out(&[small, small, large]), (4 << 20, MIB_2));
    assert_eq!(laid_out(&[large, small, small]), (4 << 20, MIB_2));
    let mut many = vec![small; 8192];
    many.push(large);
    assert_eq!(laid_out(&many), (4 << 20, MIB_2));
    // If sizes were not rounded up to the alignment, the result would differ (rule X-01).
    let unrounded = (256, MIB_2);
    assert_eq!(laid_out(&[unrounded, small, small]), (MIB_2, MIB_2));
    assert_eq!(laid_out(&[small, unrounded, small]), (4 << 20, MIB_2));
}

#[test]
fn a30_resources_are_laid_out_like_the_members_of_a_struct() {
    let mut world = World::new("reference");
    let (b, t) = (tight_buffer(100), texture(Format::R8G8B8A8_UNORM, 64, 64));
    assert_eq!(world.infos(&[b, t, b]).size_bytes, 3 * KIB_64);
    assert_eq!(world.infos(&[t, b, b]).size_bytes, 2 * KIB_64);
    assert_eq!(world.infos(&[b; 3]).size_bytes, 768);
}

#[test]
fn a31_no_description_is_size_0_at_alignment_1() {
    let info = World::new("reference").infos(&[]);
    assert_eq!((info.size_bytes, info.alignment_bytes), (0, 1));
}

#[test]
fn a31_one_invalid_element_makes_the_whole_invalid() {
    let mut world = World::new("reference");
    let info = world.infos(&[buffer(1), aligned(7, buffer(1)), buffer(1)]);
    assert_eq!((info.size_bytes, info.alignment_bytes), (INVALID, KIB_64));
    assert_eq!(world.message_ids(), [MessageId::CREATERESOURCE_INVALIDALIGNMENT]);
    let info = world.infos(&[aligned(7, buffer(1)), msaa(Format::R8_UNORM, 4, 4, 2)]);
    assert_eq!((info.size_bytes, info.alignment_bytes), (INVALID, MIB_4));
}

#[test]
fn a32_infos_are_each_elements_place_or_null() {
    let mut world = World::new("reference");
    let descs = vec![buffer(32), tight_buffer(100), buffer(120_000)];
    let query = |want_infos| d3d12::GetResourceAllocationInfo1 {
        device: DEVICE,
        visible_mask: 0,
        descs: descs.clone(),
        want_infos,
    };
    let with = world.call(&query(true));
    let place =
        |offset_bytes, alignment_bytes, size_bytes| AllocationInfo1 { offset_bytes, alignment_bytes, size_bytes };
    assert_eq!(with.infos, [place(0, KIB_64, KIB_64), place(KIB_64, 256, 256), place(2 * KIB_64, KIB_64, 2 * KIB_64)]);
    assert_eq!((with.size_bytes, with.alignment_bytes), (4 * KIB_64, KIB_64));
    let without = world.call(&query(false));
    assert_eq!((without.size_bytes, without.alignment_bytes, without.infos.len()), (4 * KIB_64, KIB_64, 0));
}

#[test]
fn a32_the_newer_forms_return_equal_answers() {
    let mut world = World::new("peer");
    let descs = vec![buffer(32), tight_texture(Format::BC3_UNORM, 100, 60)];
    let (device, visible_mask, want_infos) = (DEVICE, 0, true);
    let first =
        world.call(&d3d12::GetResourceAllocationInfo1 { device, visible_mask, descs: descs.clone(), want_infos });
    let second = world.call(&d3d12::GetResourceAllocationInfo2 {
        device,
        visible_mask,
        descs: descs.clone(),
        mip_regions: vec![MipRegion::default(); 2],
        want_infos,
    });
    let third = world.call(&d3d12::GetResourceAllocationInfo3 {
        device,
        visible_mask,
        descs,
        mip_regions: vec![],
        num_castable_formats: vec![0, 2],
        castable_formats: vec![Format::R32G32B32A32_FLOAT, Format::BC3_UNORM_SRGB],
        want_infos,
    });
    assert_eq!(first, second);
    assert_eq!(first, third);
}

#[test]
fn parallel_arrays_must_match_the_number_of_descriptions() {
    let mut world = World::new("peer");
    let base = d3d12::GetResourceAllocationInfo3 {
        device: DEVICE,
        descs: vec![texture(Format::R8_UNORM, 4, 4); 2],
        want_infos: true,
        ..Default::default()
    };
    let cases = [
        d3d12::GetResourceAllocationInfo3 { mip_regions: vec![MipRegion::default()], ..base.clone() },
        d3d12::GetResourceAllocationInfo3 { num_castable_formats: vec![0], ..base.clone() },
        d3d12::GetResourceAllocationInfo3 { num_castable_formats: vec![1, 1], ..base.clone() },
        d3d12::GetResourceAllocationInfo3 { num_castable_formats: vec![u32::MAX; 2], ..base.clone() },
        d3d12::GetResourceAllocationInfo3 { castable_formats: vec![Format::R8_UINT], ..base.clone() },
        d3d12::GetResourceAllocationInfo3 { visible_mask: 2, ..base.clone() },
    ];
    assert_ne!(world.call(&base).size_bytes, INVALID);
    for call in cases {
        assert_eq!(world.call(&call).size_bytes, INVALID, "{call:?}");
        assert_eq!(world.message_ids(), [MessageId::GETRESOURCEALLOCATIONINFO_INVALIDRDESCS]);
    }
}

#[test]
fn sizes_that_are_no_64_bit_number_are_invalid() {
    let mut world = World::new("reference");
    for desc in [buffer(u64::MAX), tight_buffer(u64::MAX), buffer(u64::MAX - 65534)] {
        assert_eq!(world.info(desc).size_bytes, INVALID);
        assert_eq!(world.message_ids(), [MessageId::CREATERESOURCE_INVALIDDIMENSIONS]);
        assert!(world.committed(desc).is_err());
    }
    let half = buffer(1 << 63);
    assert_eq!(world.info(half).size_bytes, 1 << 63);
    assert_eq!(world.infos(&[half, half]).size_bytes, INVALID);
    assert_eq!(world.message_ids(), [MessageId::GETRESOURCEALLOCATIONINFO_INVALIDRDESCS]);
    assert!(world.committed(half).is_err());
}

fn any_element() -> impl Strategy<Value = ResourceDesc> {
    prop_oneof![
        (1_u64..200_000).prop_map(buffer),
        (1_u64..5_000).prop_map(tight_buffer),
        (1_u64..300, 1_u32..300).prop_map(|(width, height)| tight_texture(Format::R8G8B8A8_UNORM, width, height)),
        (1_u64..100).prop_map(|width| msaa(Format::R8_UNORM, width, 16, 4)),
    ]
}

proptest! {
    #[test]
    fn a30_the_whole_is_what_a_naive_struct_would_be(descs in prop::collection::vec(any_element(), 1..20)) {
        let mut world = World::new("reference");
        let alone: Vec<_> = descs.iter().map(|desc| world.info(*desc)).collect();
        let (mut end, mut largest, mut offsets) = (0_u64, 1, Vec::new());
        for info in &alone {
            while end % info.alignment_bytes != 0 {
                end += 1;
            }
            offsets.push(end);
            end += info.size_bytes;
            largest = largest.max(info.alignment_bytes);
        }
        while end % largest != 0 {
            end += 1;
        }
        let whole = world.call(&d3d12::GetResourceAllocationInfo1 { device: DEVICE, visible_mask: 1, descs, want_infos: true });
        prop_assert_eq!((whole.size_bytes, whole.alignment_bytes), (end, largest));
        prop_assert_eq!(whole.infos.iter().map(|info| info.offset_bytes).collect::<Vec<_>>(), offsets);
    }
}

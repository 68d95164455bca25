//! Property tests over descriptions of every kind, sensible or not.

use super::descs::*;
use super::world::{DEVICE, World};
use proptest::prelude::*;
use taut_runtime::placement::{Shape, is_small};
use taut_runtime::{AllocationKind, Profile, RuleSet, Settings, alloc_info, driver};
use taut_schemas::format::{FORMATS, Format};
use taut_schemas::{
    AdapterId, BuildRaytracingAccelerationStructureDesc, ConstantBufferViewDesc, CpuPageProperty, DdiResourceDesc,
    DdiResourceFlags, Dimension, DriverCall, GpuVirtualAddress, HResultCode, HeapDesc, HeapFlags, HeapId,
    HeapProperties, HeapType, MemoryPool, MipRegion, RaytracingAccelerationStructureType, RaytracingGeometryDesc,
    RaytracingGeometryType, ResourceDesc, ResourceFlags, TextureLayout, d3d12, d3d12_ddi,
};

const DRIVERS: [&str; 4] = ["reference", "legacy", "peer", "large-pages"];

/// Generates edge cases: small numbers, numbers near powers of two, and the maximum.
fn edgy(bits: u32) -> impl Strategy<Value = u64> {
    let max = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    prop_oneof![
        0..=max.min(70),
        (0..bits, 0_u64..3).prop_map(move |(bit, off)| ((1_u64 << bit).wrapping_add(off).wrapping_sub(1)) & max),
        0..=max,
        Just(max),
    ]
}

prop_compose! {
    /// Generates any description.
    fn any_desc()(
        dimension in 0_u32..7,
        alignment_bytes in prop_oneof![4 => Just(0), 3 => edgy(64), 2 => Just(KIB_4), 1 => Just(KIB_64), 1 => Just(MIB_4)],
        width in edgy(64),
        height in edgy(32),
        depth_or_array_size in edgy(16),
        mip_levels in edgy(16),
        format in prop_oneof![0_u32..200, any::<u32>()],
        sample_count in prop_oneof![3 => Just(1), 1 => 0_u32..40, 1 => any::<u32>()],
        sample_quality in prop_oneof![5 => Just(0), 1 => any::<u32>()],
        layout in 0_u32..6,
        flags in prop_oneof![3 => Just(0_u32), 3 => Just(0x400), 3 => 0_u32..0x800, 1 => any::<u32>()],
    ) -> ResourceDesc {
        ResourceDesc {
            dimension: Dimension(dimension),
            alignment_bytes,
            width,
            height: height as u32,
            depth_or_array_size: depth_or_array_size as u16,
            mip_levels: mip_levels as u16,
            format: Format(format),
            sample_count,
            sample_quality,
            layout: TextureLayout(layout),
            flags: ResourceFlags(flags),
        }
    }
}

/// Generates mostly valid descriptions.
fn sensible_desc() -> impl Strategy<Value = ResourceDesc> {
    let formats = prop::sample::select(FORMATS).prop_map(|info| info.format);
    let samples = prop::sample::select(vec![1, 1, 1, 2, 4, 8, 16]);
    let flags = prop::sample::select(vec![0, 0, 1, 2, 4]);
    let textures = (2_u32..5, 1_u64..700, 1_u32..700, 1_u16..9, 0_u16..9, formats, samples, flags).prop_map(
        |(dimension, width, height, depth_or_array_size, mip_levels, format, sample_count, flags)| ResourceDesc {
            dimension: Dimension(dimension),
            height: if dimension == 2 { 1 } else { height },
            depth_or_array_size,
            mip_levels,
            sample_count,
            flags: ResourceFlags(flags),
            ..texture(format, width, 1)
        },
    );
    prop_oneof![1 => (1_u64..1_000_000).prop_map(buffer), 3 => textures]
}

prop_compose! {
    fn any_ddi_desc()(desc in any_desc(), flags in any::<u32>(), heap_offset_bytes in any::<u64>()) -> DdiResourceDesc {
        DdiResourceDesc {
            dimension: desc.dimension,
            width: desc.width,
            height: desc.height,
            depth_or_array_size: desc.depth_or_array_size,
            mip_levels: desc.mip_levels,
            format: desc.format,
            sample_count: desc.sample_count,
            sample_quality: desc.sample_quality,
            layout: desc.layout,
            flags: DdiResourceFlags(flags),
            heap_offset_bytes,
        }
    }
}

prop_compose! {
    fn any_heap_desc()(
        size_bytes in edgy(64),
        alignment_bytes in prop_oneof![3 => Just(0), 1 => edgy(64), 2 => Just(MIB_4)],
        heap_type in 0_u32..8,
        cpu_page_property in 0_u32..5,
        memory_pool in 0_u32..4,
        node_mask in 0_u32..3,
        flags in prop_oneof![3 => Just(0_u32), 3 => 0_u32..0x4000, 1 => any::<u32>()],
    ) -> HeapDesc {
        HeapDesc {
            size_bytes,
            alignment_bytes,
            flags: HeapFlags(flags),
            properties: HeapProperties {
                heap_type: HeapType(heap_type),
                cpu_page_property: CpuPageProperty(cpu_page_property),
                memory_pool: MemoryPool(memory_pool),
                creation_node_mask: node_mask,
                visible_node_mask: node_mask,
            },
        }
    }
}

fn any_settings() -> impl Strategy<Value = Settings> {
    (any::<bool>(), any::<bool>()).prop_map(|(strict, newer)| {
        let rules = if newer { RuleSet::R1_619_4 } else { RuleSet::R1_618 };
        Settings { rules, strict, ..Settings::default() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_description_makes_the_runtime_panic(
        name in prop::sample::select(DRIVERS.to_vec()),
        settings in any_settings(),
        descs in prop::collection::vec(prop_oneof![any_desc(), sensible_desc()], 0..5),
        region in (any::<u32>(), any::<u32>(), 0_u32..3),
        castable in prop::collection::vec(0_u32..200, 0..4),
        heap in any_heap_desc(),
        heap_offset_bytes in edgy(64),
    ) {
        let castable_formats: Vec<Format> = castable.into_iter().map(Format).collect();
        let mut world = World::with(driver(&Profile::named(name).unwrap()), settings);
        let info = world.infos(&descs);
        prop_assert!(world.violations().is_empty());
        prop_assert!(info.alignment_bytes.is_power_of_two());
        prop_assert!(info.size_bytes == INVALID || info.size_bytes.is_multiple_of(info.alignment_bytes));
        prop_assert_eq!(info.size_bytes == INVALID, world.messages().iter().any(|message| message.severity.0 < 2));
        let created = world.try_heap(heap).unwrap_or(HeapId(1));
        let mip_region = MipRegion { width: region.0, height: region.1, depth: region.2 };
        for desc in descs {
            let committed = world.call(&d3d12::CreateCommittedResource3 {
                device: DEVICE,
                heap_properties: heap.properties,
                heap_flags: heap.flags,
                desc,
                mip_region,
                castable_formats: castable_formats.clone(),
                ..Default::default()
            });
            let placed = world.placed(created, heap_offset_bytes, desc);
            let reserved = world.call(&d3d12::CreateReservedResource { device: DEVICE, desc, ..Default::default() });
            prop_assert!(world.violations().is_empty());
            for resource in [committed, placed, reserved].into_iter().flatten() {
                world.release(resource);
            }
        }
    }

    #[test]
    fn no_binding_and_no_footprint_makes_the_runtime_panic(
        desc in prop_oneof![any_desc(), sensible_desc()],
        address in edgy(64),
        offset in 0_u64..8192,
        subresources in (edgy(32), edgy(32)),
        kind in 0_u32..5,
    ) {
        let mut world = World::under("tightest", RuleSet::R1_619_4);
        let created = world.committed(tight_buffer(4096)).unwrap();
        let inside = world.address_of(created) + offset;
        for address in [GpuVirtualAddress(address), GpuVirtualAddress(inside)] {
            let view = ConstantBufferViewDesc { buffer_location: address, size_bytes: u32::MAX };
            let _ = world.call(&d3d12::CreateConstantBufferView { device: DEVICE, desc: Some(view) });
            let geometry = RaytracingGeometryDesc {
                geometry_type: RaytracingGeometryType(kind),
                vertex_buffer: address,
                aabbs: address,
                opacity_micromap_array: address,
                ..Default::default()
            };
            let build = BuildRaytracingAccelerationStructureDesc {
                structure_type: RaytracingAccelerationStructureType(kind),
                instance_descs: address,
                omm_input_buffer: address,
                ..Default::default()
            };
            let geometry_descs = vec![geometry; 2];
            let _ = world.call(&d3d12::BuildRaytracingAccelerationStructure { device: DEVICE, desc: build, geometry_descs });
        }
        let footprints = world.call(&d3d12::GetCopyableFootprints {
            device: DEVICE,
            desc,
            first_subresource: subresources.0 as u32,
            num_subresources: subresources.1 as u32,
            base_offset_bytes: address,
        });
        prop_assert!(footprints.total_bytes != INVALID || footprints.layouts.is_empty());
        let places = footprints.layouts.windows(2);
        prop_assert!(places.into_iter().all(|pair| pair[0].offset_bytes < pair[1].offset_bytes));
    }

    #[test]
    fn no_question_makes_a_driver_panic(
        desc in any_ddi_desc(),
        alignment_restriction_bytes in edgy(32),
        name in prop::sample::select(DRIVERS.to_vec()),
    ) {
        let driver = driver(&Profile::named(name).unwrap());
        let call = d3d12_ddi::CheckResourceAllocationInfo {
            desc,
            alignment_restriction_bytes: alignment_restriction_bytes as u32,
            visible_node_mask: 0,
        };
        let answer = call.dispatch(&*driver);
        prop_assert_eq!(answer, call.dispatch(&*driver), "A-53: the same question, the same answer");
    }

    #[test]
    fn a18_no_resource_is_aligned_worse_with_the_flag(
        desc in sensible_desc(),
        name in prop::sample::select(vec!["reference", "peer", "large-pages"]),
    ) {
        let mut world = World::new(name);
        let classic = world.info(desc);
        let tight = world.info(tightened(desc));
        prop_assert_eq!(classic.size_bytes == INVALID, tight.size_bytes == INVALID);
        prop_assert!(tight.alignment_bytes <= classic.alignment_bytes);
        prop_assert!(tight.size_bytes <= classic.size_bytes);
        if is_small(&Shape::from(&desc), true) && tight.size_bytes != INVALID {
            let smaller = if desc.sample_count > 1 { KIB_64 } else { KIB_4 };
            let small = world.info(aligned(smaller, desc));
            prop_assert!(small.size_bytes != INVALID);
            prop_assert!(tight.alignment_bytes <= small.alignment_bytes);
        }
        // Apart from large pages, the same holds for committed resources.
        if name != "large-pages" && classic.size_bytes != INVALID {
            let committed = [desc, tightened(desc)].map(|desc| {
                let created = world.committed(desc).unwrap();
                world.desc_of(created).alignment_bytes
            });
            prop_assert!(committed[1] <= committed[0]);
        }
        prop_assert!(world.violations().is_empty());
    }

    #[test]
    fn queries_change_nothing(descs in prop::collection::vec(sensible_desc(), 0..4)) {
        let mut world = World::new("reference");
        let first = world.infos(&descs);
        let next = world.state.adapter(AdapterId::FIRST).device.next_object();
        prop_assert_eq!(world.infos(&descs), first);
        prop_assert_eq!(world.state.adapter(AdapterId::FIRST).device.next_object(), next);
    }

    #[test]
    fn a_created_resource_matches_the_query(desc in sensible_desc(), tight in any::<bool>()) {
        let mut world = World::new("peer");
        let desc = if tight { tightened(desc) } else { desc };
        let info = world.info(desc);
        prop_assume!(info.size_bytes != INVALID);
        let heap = world.heap(info.size_bytes, MIB_4, HeapType::DEFAULT, HeapFlags::NONE);
        let created = world.placed(heap, 0, desc).unwrap();
        prop_assert_eq!(world.desc_of(created).alignment_bytes, info.alignment_bytes);
        prop_assert!(world.placed(heap, info.alignment_bytes, desc).is_err(), "it fills the heap");
    }

    #[test]
    fn alloc_info_matches_creation(
        desc in prop_oneof![any_desc(), sensible_desc(), sensible_desc().prop_map(tightened)],
        committed in any::<bool>(),
    ) {
        let (settings, driver) = (Settings::default(), driver(&Profile::named("reference").unwrap()));
        let kind = if committed { AllocationKind::Committed } else { AllocationKind::Placed };
        let alloc_answer = alloc_info(&settings, &*driver, &[desc], kind);
        prop_assert_eq!(alloc_answer.hr == HResultCode::S_OK, alloc_answer.size_bytes != INVALID);
        prop_assert_eq!(alloc_answer.infos.len(), 1);
        let mut world = World::new("reference");
        prop_assume!(alloc_answer.size_bytes < 1 << 40 || alloc_answer.size_bytes == INVALID);
        let created = match committed {
            true => world.committed(desc),
            false => {
                let heap = world.heap(alloc_answer.size_bytes.min(1 << 40), MIB_4, HeapType::DEFAULT, HeapFlags::NONE);
                world.placed(heap, 0, desc)
            }
        };
        prop_assert_eq!(created.err().unwrap_or_default(), alloc_answer.hr);
        prop_assert_eq!(world.messages(), alloc_answer.messages);
    }
}

#[test]
fn alloc_info_queries_the_kind() {
    let (settings, driver) = (Settings::default(), driver(&Profile::named("reference").unwrap()));
    let placed = alloc_info(&settings, &*driver, &[tight_buffer(1024)], AllocationKind::Placed);
    assert_eq!((placed.hr, placed.size_bytes, placed.alignment_bytes), (HResultCode::S_OK, 1024, 256));
    assert_eq!((placed.infos[0].offset_bytes, placed.messages.len()), (0, 0));
    let committed = alloc_info(&settings, &*driver, &[tight_buffer(1024)], AllocationKind::Committed);
    assert_eq!((committed.size_bytes, committed.alignment_bytes), (4096, 4096));
    let wrong = alloc_info(&settings, &*driver, &[buffer(1), aligned(3, buffer(1))], AllocationKind::Placed);
    assert_eq!((wrong.hr, wrong.size_bytes, wrong.alignment_bytes), (HResultCode::E_INVALIDARG, INVALID, KIB_64));
    assert_eq!((wrong.infos[0].size_bytes, wrong.infos[1].size_bytes), (KIB_64, INVALID));
    assert_eq!(wrong.messages.len(), 1);
    let none = alloc_info(&settings, &*driver, &[], AllocationKind::Placed);
    assert_eq!((none.hr, none.size_bytes, none.alignment_bytes), (HResultCode::S_OK, 0, 1));
}

#[test]
fn a_profile_of_odd_numbers_makes_no_driver_panic() {
    let mut profile = Profile::named("peer").unwrap();
    profile.tight_buffer_alignment_bytes = 0;
    profile.tight_texture_alignment_placed_bytes = Some(u64::MAX);
    profile.row_pitch_alignment_bytes = 0;
    profile.height_alignment = u64::MAX;
    let mut world = World::with(driver(&profile), Settings::default());
    for desc in [tight_buffer(16), tight_texture(Format::R8_UNORM, 16, 16), texture(Format::R8_UNORM, 16, 16)] {
        world.info(desc);
        let _ = world.committed(desc);
    }
}

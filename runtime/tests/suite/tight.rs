//! Tests of resources with the tight flag (rules ).

use super::descs::*;
use super::modified_answers::ModifiedAnswers;
use super::world::World;
use taut_runtime::{Profile, RuleSet, Settings, Severity, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, DdiAllocationInfo, DdiCapsType, DdiResourceFlags, DriverCall, Feature, HResultCode, HeapFlags, HeapType,
    MessageId, MessageSeverity, ResourceDesc, ResourceFlags, TextureLayout, d3d12, d3d12_ddi,
};

use super::world::DEVICE;

const RGBA8: Format = Format::R8G8B8A8_UNORM;

fn tier(world: &mut World) -> Vec<u8> {
    let (device, feature) = (DEVICE, Feature::D3D12_TIGHT_ALIGNMENT);
    let data = taut_schemas::Bytes(vec![0; 4]);
    world.call(&d3d12::CheckFeatureSupport { device, feature, data }).unwrap().0
}

#[test]
fn a10_the_flag_is_legal_only_where_the_driver_reports_tier_1() {
    for (name, supported) in [("reference", true), ("peer", true), ("legacy", false)] {
        let mut world = World::new(name);
        assert_eq!(tier(&mut world), [u8::from(supported), 0, 0, 0]);
        assert_eq!(world.info(tight_buffer(16)).size_bytes != INVALID, supported);
        assert_eq!(world.message_ids().is_empty(), supported);
        let created = world.committed(tight_buffer(16));
        assert_eq!(created.is_ok(), supported);
        if !supported {
            assert_eq!(created, Err(HResultCode::E_INVALIDARG));
            assert_eq!(world.message_ids(), [MessageId::CREATERESOURCE_INVALIDMISCFLAGS]);
        }
    }
}

#[test]
fn a10_a_driver_below_ddi_0111_gets_no_tier_query() {
    let caps_queries = |name| World::new(name).ddi::<d3d12_ddi::GetCaps>();
    let queries_tier =
        |name| caps_queries(name).iter().any(|call| call.caps_type == DdiCapsType::TIGHT_ALIGNMENT_TIER_0111);
    assert!(queries_tier("reference"));
    assert!(!queries_tier("legacy"));
    let mut profile = Profile::named("reference").unwrap();
    profile.ddi_version = taut_runtime::DdiVersion(110);
    let mut world = World::with(driver(&profile), Settings::default());
    assert_eq!(tier(&mut world), [0; 4], "what an old driver claims does not count");
    world.info(tight_buffer(16));
    assert_eq!(world.ddi::<d3d12_ddi::CheckResourceAllocationInfo>(), []);
}

#[test]
fn a11_tight_buffer_alignment_has_a_maximum_of_256() {
    for name in ["reference", "peer"] {
        let mut world = World::new(name);
        let heap = world.heap(MIB_4, 0, HeapType::DEFAULT, HeapFlags::NONE);
        for width in [1, 255, 256, 257, 70_000] {
            let info = world.info(tight_buffer(width));
            assert!((8..=256).contains(&info.alignment_bytes));
            assert_eq!(world.check().alignment_restriction_bytes, 8);
            world.placed(heap, 0, tight_buffer(width)).unwrap();
            assert_eq!(world.check().alignment_restriction_bytes, 8);
            assert_eq!(world.violations(), []);
        }
    }
}

#[test]
fn a11_committed_tight_buffers_have_4_kib_exactly() {
    for name in ["reference", "peer"] {
        let mut world = World::new(name);
        let resource_id = world.committed(tight_buffer(100)).unwrap();
        assert_eq!(world.check().alignment_restriction_bytes, 4096);
        assert_eq!(world.creation().alignment_restriction_bytes, 4096);
        assert_eq!(world.desc_of(resource_id).alignment_bytes, KIB_4);
        assert_eq!(world.address_of(resource_id) % KIB_4, 0);
    }
}

#[test]
fn a11_tight_textures_stay_within_the_classic_alignments() {
    let cases = [
        (tight_texture(RGBA8, 32, 32), KIB_4),
        (tight_texture(RGBA8, 1024, 1024), KIB_64),
        (tightened(msaa(RGBA8, 32, 32, 4)), KIB_64),
        (tightened(msaa(RGBA8, 4096, 4096, 4)), MIB_4),
    ];
    for (name, exact) in [("reference", true), ("peer", false)] {
        let mut world = World::new(name);
        for (desc, max) in cases {
            let info = world.info(desc);
            assert!((8..=max).contains(&info.alignment_bytes), "{name} {desc:?} {info:?}");
            assert!(!exact || info.alignment_bytes == max);
            let resource_id = world.committed(desc).unwrap();
            assert_eq!(world.violations(), []);
            assert!((KIB_4..=max).contains(&world.desc_of(resource_id).alignment_bytes));
        }
    }
}

#[test]
fn a11_an_answer_outside_the_range_is_a_driver_violation() {
    let large = tightened(msaa(RGBA8, 4096, 4096, 4));
    let cases = [
        (512, tight_buffer(16), false, (8, 256)),
        (4, tight_buffer(16), false, (8, 256)),
        (24, tight_buffer(16), false, (8, 256)),
        (256, tight_buffer(16), true, (4096, 4096)),
        (65536, tight_buffer(65536), true, (4096, 4096)),
        (65536, tight_texture(RGBA8, 4, 4), false, (8, 4096)),
        (8 << 20, large, false, (8, 4 << 20)),
        (0, large, true, (4096, 4 << 20)),
    ];
    for (found, desc, committed, (min, max)) in cases {
        let mut world = World::with(ModifiedAnswers::aligning("reference", found), Settings::default());
        match committed {
            true => assert!(world.committed(desc).is_ok()),
            false => assert_ne!(world.info(desc).size_bytes, INVALID),
        }
        let violation = world.violations().pop().unwrap();
        assert_eq!((violation.rule.as_str(), violation.lint), ("A-11", false));
        assert_eq!((violation.found, violation.min, violation.max), (found, min, max), "{desc:?}");
        assert!(violation.description.contains(&found.to_string()));
    }
}

#[test]
fn a11_an_alignment_that_is_no_power_of_two_can_be_let_pass() {
    let modified_answers = ModifiedAnswers::aligning("reference", 24);
    let settings = Settings { require_power_of_two: false, ..Settings::default() };
    let mut world = World::with(modified_answers, settings);
    let info = world.info(tight_buffer(16));
    assert_eq!(world.violations(), []);
    assert_eq!(info.alignment_bytes, 32, "addresses need a power of two all the same");
}

#[test]
fn a11_in_strict_mode_a_violation_removes_the_device() {
    let removed = HResultCode::DXGI_ERROR_DEVICE_REMOVED;
    let modified_answers = || ModifiedAnswers::aligning("reference", 512);
    let mut lenient = World::with(modified_answers(), Settings::default());
    assert_eq!(lenient.info(tight_buffer(16)).alignment_bytes, 512);
    let mut world = World::with(modified_answers(), Settings { strict: true, ..Settings::default() });
    let heap = world.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
    assert_eq!(world.placed(heap, 0, tight_buffer(16)), Err(removed));
    assert_eq!(world.violations().len(), 1);
    assert_eq!(world.ddi::<d3d12_ddi::CreateHeapAndResource>(), []);
    assert_eq!(world.committed(texture(RGBA8, 4, 4)), Err(removed));
    assert_eq!(world.call(&d3d12::CreateDevice::default()), Err(removed));
    assert_eq!(world.info(buffer(1)).size_bytes, INVALID);
    let (device, feature) = (DEVICE, Feature::D3D12_TIGHT_ALIGNMENT);
    let data = taut_schemas::Bytes(vec![0; 4]);
    assert_eq!(world.call(&d3d12::CheckFeatureSupport { device, feature, data }), Err(removed));
    world.release_heap(heap);
}

#[test]
fn a12_x02_a_driver_with_large_pages_may_align_to_them() {
    let large = 2_u64 << 20;
    let mut world = World::new("large-pages");
    let whole = world.committed(tight_buffer(3 * large)).unwrap();
    assert_eq!(world.violations(), []);
    assert_eq!(world.desc_of(whole).alignment_bytes, large);
    assert_eq!(world.address_of(whole) % large, 0);
    let part = world.committed(tight_buffer(large + 4096)).unwrap();
    assert_eq!(world.desc_of(part).alignment_bytes, KIB_4, "not a multiple of the large page");
    assert_eq!(world.info(tight_buffer(large)).alignment_bytes, 256, "placed resources have no pages of their own");
    world.settings.allow_large_pages = false;
    world.committed(tight_buffer(large)).unwrap();
    assert_eq!(world.violations()[0].rule, "A-11");
}

#[test]
fn a12_an_alignment_to_large_pages_needs_support_and_a_whole_number_of_them() {
    let bend = |_: &_, restriction, info: DdiAllocationInfo| match restriction {
        4096 => DdiAllocationInfo { alignment_bytes: 2 << 20, ..info },
        _ => info,
    };
    let mut world = World::with(ModifiedAnswers::answering("reference", bend), Settings::default());
    world.committed(tight_buffer(2 << 20)).unwrap();
    assert_eq!(world.violations()[0].rule, "A-11", "no large pages reported");
    let mut world = World::with(ModifiedAnswers::answering("large-pages", bend), Settings::default());
    world.committed(tight_buffer(2 << 20)).unwrap();
    assert_eq!(world.violations(), []);
    world.committed(tight_buffer(3 << 20)).unwrap();
    assert_eq!(world.violations()[0].rule, "A-11", "one and a half");
}

#[test]
fn a13_the_api_rounds_the_drivers_size_up_to_the_alignment() {
    let mut world = World::new("reference");
    for (width, size) in [(4, 256), (256, 256), (257, 512), (65_536, 65_536), (65_537, 65_792)] {
        let info = world.info(tight_buffer(width));
        assert_eq!((info.size_bytes, info.alignment_bytes), (size, 256));
    }
    world.committed(tight_buffer(4)).unwrap();
    assert_eq!(world.creation().heap_desc.unwrap().size_bytes, KIB_4);
}

#[test]
fn a13_the_driver_sizes_a_tight_buffer_at_its_width() {
    for size_bytes in [99, 65536] {
        let modified_answers =
            ModifiedAnswers::answering("reference", move |_, _, info| DdiAllocationInfo { size_bytes, ..info });
        let mut world = World::with(modified_answers, Settings::default());
        world.info(tight_buffer(100));
        let violation = &world.violations()[0];
        assert_eq!((violation.rule.as_str(), violation.found, violation.min), ("A-13", size_bytes, 100));
    }
}

#[test]
fn a13_what_was_created_is_what_was_announced() {
    let bend = |_: &_, _, info: DdiAllocationInfo| DdiAllocationInfo { size_bytes: info.size_bytes + 1, ..info };
    let mut lenient = World::with(ModifiedAnswers::creation("reference", bend), Settings::default());
    assert!(lenient.committed(tight_buffer(100)).is_ok());
    assert_eq!(lenient.violations()[0].rule, "A-13");
    assert_eq!(lenient.ddi::<d3d12_ddi::CheckExistingResourceAllocationInfo>(), []);
    let strict = Settings { strict: true, ..Settings::default() };
    let mut world = World::with(ModifiedAnswers::creation("reference", bend), strict.clone());
    assert_eq!(world.committed(tight_buffer(100)), Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED));
    assert_eq!(world.violations()[0].found, 101);
    assert_eq!(world.ddi::<d3d12_ddi::DestroyHeapAndResource>().len(), 1, "what cannot be used is destroyed");
    assert!(world.state.objects.is_empty());
    let mut world = World::with(driver(&Profile::named("reference").unwrap()), strict);
    assert!(world.committed(tight_buffer(100)).is_ok());
    assert_eq!(world.ddi::<d3d12_ddi::CheckExistingResourceAllocationInfo>().len(), 1);
    assert_eq!(world.violations(), []);
}

#[test]
fn a14_x06_with_cross_adapter_the_flag_is_ignored() {
    let flags = ResourceFlags::USE_TIGHT_ALIGNMENT | ResourceFlags::ALLOW_CROSS_ADAPTER;
    let target = flags | ResourceFlags::ALLOW_RENDER_TARGET;
    let cases = [
        (ResourceDesc { flags, ..buffer(16) }, KIB_64),
        (ResourceDesc { flags, ..texture(RGBA8, 4, 4) }, KIB_64),
        (ResourceDesc { flags: target, ..msaa(RGBA8, 4, 4, 4) }, MIB_4),
    ];
    let mut world = World::new("reference");
    for (desc, alignment) in cases {
        assert_eq!(world.info(desc).alignment_bytes, alignment);
        let message = &world.messages()[0];
        assert_eq!(message.message_id, MessageId::CREATERESOURCE_INVALIDMISCFLAGS);
        assert_eq!(message.severity, MessageSeverity::WARNING);
        assert!(message.description.contains("ignored") && message.description.contains(&alignment.to_string()));
        assert!(!world.check().desc.flags.contains(DdiResourceFlags::USE_TIGHT_ALIGNMENT));
        let resource_id = world.committed(desc).unwrap();
        assert_eq!(world.desc_of(resource_id), aligned(alignment, desc));
    }
    world.settings.cross_adapter_severity = Severity::Error;
    world.info(cases[0].0);
    assert_eq!(world.messages()[0].severity, MessageSeverity::ERROR);
}

#[test]
fn a15_swizzle_layouts_and_reserved_resources_are_never_tight() {
    let mut world = World::new("reference");
    for layout in [TextureLayout::_64KB_UNDEFINED_SWIZZLE, TextureLayout::_64KB_STANDARD_SWIZZLE] {
        let desc = ResourceDesc { layout, ..tight_texture(RGBA8, 128, 128) };
        assert_eq!(world.info(desc).size_bytes, INVALID);
        assert_eq!(world.message_ids(), [MessageId::CREATERESOURCE_INVALIDMISCFLAGS]);
        assert_eq!(world.committed(desc), Err(HResultCode::E_INVALIDARG));
        let reserved = |desc| d3d12::CreateReservedResource { device: DEVICE, desc, ..Default::default() };
        assert_eq!(world.call(&reserved(desc)), Err(HResultCode::E_INVALIDARG));
        assert_eq!(world.message_ids(), [MessageId::CREATERESOURCE_INVALIDMISCFLAGS]);
        assert!(world.call(&reserved(ResourceDesc { flags: ResourceFlags::NONE, ..desc })).is_ok());
        assert_eq!(world.call(&reserved(tight_buffer(16))), Err(HResultCode::E_INVALIDARG));
    }
}

#[test]
fn a18_never_worse_than_without_the_flag() {
    for name in ["reference", "peer", "large-pages"] {
        let mut world = World::new(name);
        // The first level of the chain takes 16 tiles of 4 KiB; the whole chain fits into one of 64 KiB.
        let chain = ResourceDesc { mip_levels: 3, ..texture(Format::R8_TYPELESS, 193, 130) };
        for desc in [buffer(1), texture(RGBA8, 32, 32), texture(RGBA8, 500, 500), chain, msaa(RGBA8, 32, 32, 4)] {
            let classes = [desc, aligned(KIB_4, desc), aligned(KIB_64, desc)].map(|desc| world.info(desc));
            let best = classes.iter().filter(|info| info.size_bytes != INVALID).map(|info| info.alignment_bytes).min();
            let tight = world.info(tightened(desc));
            assert!(tight.alignment_bytes <= best.unwrap(), "{name} {desc:?}");
            assert!(tight.size_bytes <= classes[0].size_bytes, "{name} {desc:?}");
        }
    }
}

#[test]
fn a21_a_query_assumes_placed_and_a_committed_creation_queries_too() {
    let mut world = World::new("reference");
    assert_eq!(world.info(tight_buffer(100)).alignment_bytes, 256);
    assert_eq!(world.check().alignment_restriction_bytes, 8);
    let resource_id = world.committed(tight_buffer(100)).unwrap();
    let caps_queries = world.ddi::<d3d12_ddi::CheckResourceAllocationInfo>();
    let restrictions: Vec<u32> = caps_queries.iter().map(|check| check.alignment_restriction_bytes).collect();
    assert_eq!(restrictions, [8, 4096], "as the query it makes itself, then for the implicit heap");
    assert_eq!(world.creation().heap_desc.unwrap().alignment_bytes, KIB_4);
    assert_eq!(world.desc_of(resource_id).alignment_bytes, KIB_4);
    world.info(buffer(100));
    assert_eq!(world.check().alignment_restriction_bytes, 0, "without the flag, the alignment asked for");
}

#[test]
fn a22_get_desc_gives_the_answered_alignment_and_the_full_chain() {
    let mut world = World::new("reference");
    let desc = ResourceDesc { mip_levels: 0, flags: ResourceFlags::ALLOW_RENDER_TARGET, ..texture(RGBA8, 32, 32) };
    let resource_id = world.committed(desc).unwrap();
    let answered = world.desc_of(resource_id);
    assert_eq!((answered.mip_levels, answered.alignment_bytes), (6, KIB_64));
}

#[test]
fn a23_the_smallest_buffers() {
    for name in ["reference", "peer"] {
        let mut world = World::new(name);
        let heap = world.heap(KIB_64, 0, HeapType::DEFAULT, HeapFlags::NONE);
        for width in [1, 4, 7, 8, 9] {
            let info = world.info(tight_buffer(width));
            assert!(info.size_bytes >= 8 && info.size_bytes.is_multiple_of(info.alignment_bytes));
            let answer = world.check().dispatch(world.driver(AdapterId::FIRST));
            assert_eq!(answer.size_bytes, width, "what the driver interface says");
            assert!(world.placed(heap, 0, tight_buffer(width)).is_ok());
        }
    }
}

#[test]
fn a24_x04_an_accepted_flag_reaches_the_driver_as_its_own_bit() {
    let tight = DdiResourceFlags::USE_TIGHT_ALIGNMENT;
    assert_eq!(tight.0, 0x8000);
    let mut world = World::new("reference");
    let resource_id =
        world.committed(ResourceDesc { flags: TIGHT | ResourceFlags::ALLOW_UNORDERED_ACCESS, ..buffer(16) });
    assert!(resource_id.is_ok());
    let expected = tight | DdiResourceFlags::SHADER_RESOURCE | DdiResourceFlags::UNORDERED_ACCESS;
    assert_eq!(world.check().desc.flags, expected);
    assert_eq!(world.creation().resource_desc.unwrap().flags, expected);
    world.committed(buffer(16)).unwrap();
    assert_eq!(world.check().desc.flags, DdiResourceFlags::SHADER_RESOURCE);
    let denied = ResourceFlags::ALLOW_DEPTH_STENCIL | ResourceFlags::DENY_SHADER_RESOURCE;
    world.committed(ResourceDesc { flags: denied, ..texture(Format::D32_FLOAT, 16, 16) }).unwrap();
    assert_eq!(world.check().desc.flags, DdiResourceFlags::DEPTH_STENCIL);
}

#[test]
fn a24_a_driver_without_support_never_sees_the_bit() {
    let mut profile = Profile::named("reference").unwrap();
    profile.caps.tight_alignment_tier = 0;
    for rules in RuleSet::ALL {
        let settings = Settings { rules, ..Settings::default() };
        let mut world = World::with(driver(&profile), settings);
        assert_eq!(world.committed(tight_buffer(16)), Err(HResultCode::E_INVALIDARG));
        assert_eq!(world.ddi::<d3d12_ddi::CheckResourceAllocationInfo>(), []);
        assert_eq!(world.ddi::<d3d12_ddi::CreateHeapAndResource>(), []);
    }
}

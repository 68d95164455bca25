//! Tests of the open questions of the tight-alignment document, each a setting (rules ).

use super::descs::*;
use super::modified_answers::ModifiedAnswers;
use super::world::{DEVICE, World};
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{AllocationInfo, DdiAllocationInfo, HResultCode, ResourceDesc, d3d12};

const MIB_2: u64 = 2 << 20;

/// Returns a texture that is tiny in texels, but not small in tiles: it has 128, and the maximum is 64.
fn thin() -> ResourceDesc {
    tightened(msaa(Format::R8_UNORM, 16384, 1, 4))
}

fn msaa_2mib(settings: Settings) -> World {
    World::with(driver(&Profile::named("msaa-2mib").unwrap()), settings)
}

fn sizes(world: &mut World, orders: [&[ResourceDesc]; 3]) -> [u64; 3] {
    orders.map(|descs| {
        let info = world.infos(descs);
        assert_eq!(info.alignment_bytes, MIB_2, "always the largest");
        assert_eq!(world.violations(), []);
        info.size_bytes >> 20
    })
}

#[test]
fn a30_the_documents_example_from_end_to_end() {
    let mut world = msaa_2mib(Settings::default());
    let (a, b) = (tight_buffer(256), thin());
    assert_eq!(world.info(a), AllocationInfo { size_bytes: 256, alignment_bytes: 256 });
    assert_eq!(world.info(b), AllocationInfo { size_bytes: MIB_2, alignment_bytes: MIB_2 });
    assert_eq!(sizes(&mut world, [&[a, b, a], &[a, a, b], &[b, a, a]]), [6, 4, 4]);
    let query =
        d3d12::GetResourceAllocationInfo1 { device: DEVICE, visible_mask: 0, descs: vec![a, b, a], want_infos: true };
    let offsets: Vec<u64> = world.call(&query).infos.iter().map(|info| info.offset_bytes).collect();
    assert_eq!(offsets, [0, MIB_2, 2 * MIB_2]);
}

#[test]
fn a30_8192_small_ones_and_the_large_one_leave_no_padding() {
    let mut world = msaa_2mib(Settings::default());
    let mut descs = vec![tight_buffer(256); 8192];
    descs.push(thin());
    let info = world.infos(&descs);
    assert_eq!((info.size_bytes, info.alignment_bytes), (4 << 20, MIB_2));
    let alone: u64 = descs.iter().map(|desc| world.info(*desc).size_bytes).sum();
    assert_eq!(alone, info.size_bytes, "not a byte between them");
}

#[test]
fn a30_x01_a_literally_tiny_resource_gives_the_documents_figures_only_if_sizes_are_rounded_up() {
    let tiny = |settings| {
        let literally = |desc: &taut_schemas::DdiResourceDesc, _, info: DdiAllocationInfo| match desc.sample_count {
            4 => DdiAllocationInfo { size_bytes: 256, ..info },
            _ => info,
        };
        World::with(ModifiedAnswers::answering("msaa-2mib", literally), settings)
    };
    let (a, b) = (tight_buffer(256), thin());
    let orders: [&[ResourceDesc]; 3] = [&[a, b, a], &[a, a, b], &[b, a, a]];
    assert_eq!(sizes(&mut tiny(Settings::default()), orders), [6, 4, 4]);
    let as_it_is = Settings { round_sizes_up: false, ..Settings::default() };
    assert_eq!(sizes(&mut tiny(as_it_is), orders), [4, 4, 2], "rule X-01, the first row of its table");
}

#[test]
fn a11_x03_the_restriction_is_the_minimum_answer_unless_set_otherwise() {
    let driver = || driver(&Profile::named("faulty-committed").unwrap());
    let mut world = World::with(driver(), Settings::default());
    world.committed(tight_buffer(16)).unwrap();
    let violation = &world.violations()[0];
    assert_eq!((violation.rule.as_str(), violation.found, violation.min), ("A-11", 256, 4096));
    let mut world = World::with(driver(), Settings { restriction_is_minimum: false, ..Settings::default() });
    let created = world.committed(tight_buffer(16)).unwrap();
    assert_eq!(world.violations(), []);
    assert_eq!(world.check().alignment_restriction_bytes, 4096, "asked all the same");
    assert_eq!(world.creation().heap_desc.unwrap().alignment_bytes, KIB_4, "VidMm's page");
    assert_eq!(world.desc_of(created).alignment_bytes, 256);
}

#[test]
fn a02_by_the_documents_letter_no_msaa_texture_is_small() {
    let small = tightened(msaa(Format::R8_UNORM, 16, 16, 4));
    let mut world = World::new("msaa-2mib");
    assert!(world.info(small).alignment_bytes <= KIB_64);
    let settings = Settings { small_msaa: false, ..Settings::default() };
    let modified_answers = ModifiedAnswers::aligning("reference", MIB_2);
    let mut world = World::with(modified_answers, settings);
    assert_eq!(world.info(small).alignment_bytes, MIB_2);
    assert_eq!(world.violations(), []);
}

#[test]
fn a25_a_sneaky_driver_is_recorded_and_goes_on() {
    let profile = Profile::named("sneaky").unwrap();
    let mut world = World::with(driver(&profile), Settings { strict: true, ..Settings::default() });
    let created = world.committed(buffer(100)).unwrap();
    let lint = &world.violations()[0];
    assert_eq!((lint.rule.as_str(), lint.lint, lint.found), ("A-25", true, KIB_4));
    assert_eq!(world.desc_of(created).alignment_bytes, KIB_64);
    assert!(world.committed(tight_buffer(100)).is_ok());
    assert_eq!(world.violations(), [], "what it is asked for with the flag is nothing to note");
}

#[test]
fn a13_a_wrong_answer_about_what_exists_removes_the_device_in_strict_mode() {
    let driver = driver(&Profile::named("faulty-existing").unwrap());
    let mut world = World::with(driver, Settings { strict: true, ..Settings::default() });
    assert_eq!(world.committed(tight_buffer(100)), Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED));
    assert_eq!(world.violations()[0].rule, "A-13");
    assert_eq!(world.info(buffer(1)).size_bytes, INVALID, "the device is gone");
    let view = d3d12::CreateConstantBufferView { device: DEVICE, desc: None };
    assert_eq!(world.call(&view), Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED));
}

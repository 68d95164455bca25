//! A small scene that has one of each.

use super::recording::{parameters, recorded};
use crate::scene::{Scene, read};
use crate::workloads::rehearsal::Rehearsal;
use std::path::PathBuf;
use taut_runtime::Profile;
use taut_schemas::format::Format;
use taut_schemas::{HResultCode, ResourceFlags};

pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata/scenes/courtyard/courtyard.gltf")
}

fn courtyard() -> Scene {
    read(&path()).unwrap()
}

#[test]
fn a_scene_is_its_views_accessors_nodes_materials_and_images() {
    let scene = courtyard();
    let sizes = |items: &[crate::scene::Item]| items.iter().map(|item| item.size_bytes).collect::<Vec<_>>();
    assert_eq!(sizes(&scene.views), [2048, 600, 352], "the view that holds an image is no item");
    // Matrix columns are padded, strides ignored; sparse accessors and those without a view are dense.
    assert_eq!(sizes(&scene.accessors), [768, 768, 600, 120, 80, 128, 12_000, 400_000]);
    assert_eq!(scene.constants, ["courtyard", "node 1", "well", "stone", "material 1"]);
    let names: Vec<_> = scene.views.iter().chain(&scene.accessors).map(|item| item.name.as_str()).collect();
    assert_eq!(names[..5], ["walls", "bufferView 1", "extras", "positions", "normals"]);
    assert_eq!(names[5..7], ["accessor 2", "accessor 3"]);
    insta::assert_debug_snapshot!(scene.images);
}

#[test]
fn each_phase_holds_one_kind_of_resource_and_the_peak_holds_all() {
    let phases = recorded(&courtyard(), "reference", &parameters(&[]));
    assert_eq!(phases["items"].requested(), (3, 3000));
    assert_eq!(phases["items"].allocated, [65_536; 3]);
    assert_eq!(phases["items"].heap_bytes, [3 * 65_536], "no larger than what is still to come");
    assert_eq!(phases["items"].names, ["items heap 0", "walls", "bufferView 1", "extras"]);
    assert_eq!(phases["constants"].requested(), (5, 5 * 256));
    let textures = &phases["textures"];
    let formats: Vec<_> = textures.descs.iter().map(|desc| desc.format).collect();
    let (srgb, linear) = (Format::R8G8B8A8_UNORM_SRGB, Format::R8G8B8A8_UNORM);
    assert_eq!(formats, [srgb, linear, srgb, linear, linear]);
    assert!(textures.descs.iter().all(|desc| desc.mip_levels == 0 && desc.width > 0));
    assert_eq!(phases["release"].released, 3 + 5 + 5);
    assert!(["items", "constants", "textures"].iter().all(|phase| phases[*phase].released == 0));
}

#[test]
fn tight_resources_take_what_the_driver_gives_and_legacy_drivers_get_none() {
    let given = parameters(&[("tight", "on"), ("items", "accessors")]);
    let phases = recorded(&courtyard(), "reference", &given);
    assert_eq!(phases["items"].allocated, [768, 768, 768, 256, 256, 256, 12_032, 400_128]);
    assert_eq!(phases["items"].heap_bytes, [7 * 65_536]);
    let legacy = recorded(&courtyard(), "legacy", &given);
    assert!(legacy["items"].descs.iter().all(|desc| !desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT)));
}

#[test]
fn committed_resources_need_no_heap() {
    let phases = recorded(&courtyard(), "reference", &parameters(&[("memory", "committed"), ("tight", "on")]));
    assert!(phases.values().all(|phase| phase.heap_bytes.is_empty() && phase.allocated.is_empty()));
    assert_eq!(phases["items"].requested(), (3, 3000));
}

#[test]
fn full_heaps_are_followed_by_more() {
    let mut scene = courtyard();
    scene.views = (0..40).map(|index| crate::scene::Item { name: index.to_string(), size_bytes: 70_000 }).collect();
    let phases = recorded(&scene, "reference", &parameters(&[("heap_mib", "1")]));
    assert_eq!(phases["items"].heap_bytes, [1 << 20; 5]);
    scene.views = (0..20).map(|index| crate::scene::Item { name: index.to_string(), size_bytes: 1 << 20 }).collect();
    let phases = recorded(&scene, "reference", &parameters(&[("heap_mib", "1")]));
    assert_eq!(phases["items"].heap_bytes, [8 << 20, 8 << 20, 4 << 20], "never room for fewer than 8 of the largest");
}

#[test]
fn every_driver_loads_the_scene_and_nothing_stays() {
    for (driver, _) in Profile::bundled() {
        for (memory, tight) in [("placed", "on"), ("placed", "off"), ("committed", "on"), ("committed", "off")] {
            let session = Rehearsal::of(driver);
            let given = parameters(&[("memory", memory), ("tight", tight)]);
            crate::scene::run(&courtyard(), &session, &given).unwrap();
            assert!(session.events().iter().all(|event| !event.failed()), "{driver}");
            assert_eq!(session.live_objects(), 0, "{driver}");
        }
    }
}

#[test]
fn what_no_driver_can_hold_fails_at_its_call_and_nothing_stays() {
    let mut scene = courtyard();
    for size_bytes in [1 << 60, u64::MAX - 70_000, u64::MAX] {
        scene.views[1].size_bytes = size_bytes;
        for memory in ["placed", "committed"] {
            let session = Rehearsal::of("reference");
            let error = crate::scene::run(&scene, &session, &parameters(&[("memory", memory)])).unwrap_err();
            assert!(error.to_string().contains(": expected S_OK, found E_"), "{error}");
            assert_eq!(session.live_objects(), 0);
            let failed: Vec<_> = session.events().into_iter().filter_map(|event| event.hr).collect();
            assert!(failed.iter().filter(|hr| **hr != HResultCode::S_OK).count() <= 1);
        }
    }
}

#[test]
fn what_became_no_texture_is_counted() {
    let given = parameters(&[("items", "accessors")]);
    let summary = courtyard().summary(&given);
    assert_eq!(summary.to_string(), "8 buffers of 414,464 bytes, 5 constant buffers, 5 textures");
    let told = "3 of 8 images became no texture: 1 not beside the scene, 1 of a format whose extents cannot be told, \
                1 of extents that no texture can have";
    assert_eq!(summary.left_out().as_deref(), Some(told));
    insta::assert_snapshot!(serde_json::to_string_pretty(&courtyard().facts(&given)).unwrap());
}

//! Recording of a small scene that has one of each element.

use crate::scenes::recording::{parameters, recorded};
use taut_schemas::ResourceFlags;
use taut_schemas::format::Format;
use taut_testkit::testdata;
use taut_workloads::scene::{Item, Scene, read};

fn courtyard() -> Scene {
    read(&testdata("scenes/courtyard/courtyard.gltf")).unwrap()
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
    // Decoded images have full mip chains; a file of texels has its own levels.
    assert_eq!(textures.descs.iter().map(|desc| desc.mip_levels).collect::<Vec<_>>(), [0, 0, 1, 0, 0]);
    assert_eq!(phases["release"].released, 3 + 5 + 5);
    assert!(["items", "constants", "textures"].iter().all(|phase| phases[*phase].released == 0));
}

#[test]
fn tight_resources_take_what_the_driver_gives_and_legacy_drivers_get_none() {
    let overrides = parameters(&[("tight", "on"), ("items", "accessors")]);
    let phases = recorded(&courtyard(), "reference", &overrides);
    assert_eq!(phases["items"].allocated, [768, 768, 768, 256, 256, 256, 12_032, 400_128]);
    assert_eq!(phases["items"].heap_bytes, [7 * 65_536]);
    let legacy = recorded(&courtyard(), "legacy", &overrides);
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
    scene.views = (0..40).map(|index| Item { name: index.to_string(), size_bytes: 70_000, used_from: None }).collect();
    let phases = recorded(&scene, "reference", &parameters(&[("heap_mib", "1")]));
    assert_eq!(phases["items"].heap_bytes, [1 << 20; 5]);
    scene.views = (0..20).map(|index| Item { name: index.to_string(), size_bytes: 1 << 20, used_from: None }).collect();
    let phases = recorded(&scene, "reference", &parameters(&[("heap_mib", "1")]));
    assert_eq!(phases["items"].heap_bytes, [8 << 20, 8 << 20, 4 << 20], "never room for fewer than 8 of the largest");
}

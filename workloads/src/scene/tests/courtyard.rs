//! Small scene that has one of each element.

use crate::bundled::Parameters;
use crate::bundled::memory_session::MemorySession;
use crate::scene::{PARAMETERS, Scene, read};
use std::path::PathBuf;
use taut_runtime::Profile;
use taut_schemas::HResultCode;

pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata/scenes/courtyard/courtyard.gltf")
}

/// Parses parameters as the command line does.
fn parameters(overrides: &[(&str, &str)]) -> Parameters {
    let overrides = overrides.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Parameters::new(PARAMETERS, overrides).unwrap()
}

fn courtyard() -> Scene {
    read(&path()).unwrap()
}

#[test]
fn a_scene_is_its_views_accessors_nodes_materials_and_images() {
    let scene = courtyard();
    let sizes = |items: &[crate::scene::Item]| items.iter().map(|item| item.size_bytes).collect::<Vec<_>>();
    assert_eq!(sizes(&scene.views), [2048, 600, 352], "the view that holds an image is no item");
    // Matrix columns are padded, strides are ignored; sparse accessors and those without a view have their dense size.
    assert_eq!(sizes(&scene.accessors), [768, 768, 600, 120, 80, 128, 12_000, 400_000]);
    assert_eq!(scene.constants, ["courtyard", "node 1", "well", "stone", "material 1"]);
    let names: Vec<_> = scene.views.iter().chain(&scene.accessors).map(|item| item.name.as_str()).collect();
    assert_eq!(names[..5], ["walls", "bufferView 1", "extras", "positions", "normals"]);
    assert_eq!(names[5..7], ["accessor 2", "accessor 3"]);
    insta::assert_debug_snapshot!(scene.images);
}

#[test]
fn every_driver_loads_the_scene_and_nothing_stays() {
    for (driver, _) in Profile::bundled() {
        for (memory, tight) in [("placed", "on"), ("placed", "off"), ("committed", "on"), ("committed", "off")] {
            let session = MemorySession::with_driver(driver);
            let overrides = parameters(&[("memory", memory), ("tight", tight)]);
            crate::scene::run(&courtyard(), &session, &overrides).unwrap();
            assert!(session.events().iter().all(|event| !event.failed()), "{driver}");
            assert_eq!(session.live_objects(), 0, "{driver}");
        }
    }
}

#[test]
fn a_scene_beyond_every_memory_limit_fails_at_its_call_and_leaves_nothing() {
    let mut scene = courtyard();
    for size_bytes in [1 << 60, u64::MAX - 70_000, u64::MAX] {
        scene.views[1].size_bytes = size_bytes;
        for memory in ["placed", "committed"] {
            let session = MemorySession::with_driver("reference");
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
    let overrides = parameters(&[("items", "accessors")]);
    let summary = courtyard().summary(&overrides);
    assert_eq!(summary.to_string(), "8 buffers of 414,464 bytes, 5 constant buffers, 5 textures");
    let message = "3 of 8 images skipped: 1 not found, 1 of an unknown format, 1 of invalid extents; \
                   1 of 5 textures taken as decoded to RGBA8: 1 because Direct3D has no format for their texels";
    assert_eq!(summary.left_out().as_deref(), Some(message));
    insta::assert_snapshot!(serde_json::to_string_pretty(&courtyard().facts(&overrides)).unwrap());
}

//! Real scenes, where they stand beside the checkout; elsewhere it is said that they were not looked at.

use crate::scene::{ImageFormat, Scene, read};
use std::path::{Path, PathBuf};
use taut_schemas::format::Format;

/// A scene of this name, if it is there.
fn scene(name: &str) -> Option<Scene> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let places = ["..", "../.."].map(|up| root.join(up).join("shared/data/scenes").join(name));
    let found: Option<PathBuf> =
        places.into_iter().map(|folder| folder.join(format!("{name}.gltf"))).find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: {name} is not beside the checkout");
    }
    found.map(|file| read(&file).unwrap())
}

#[test]
fn block_compressed_textures_of_a_real_scene_stay_so() {
    let Some(scene) = scene("AbandonedWarehouse") else { return };
    let textures: Vec<_> = scene.images.iter().filter_map(|image| Some((image.format, image.texture.ok()?))).collect();
    assert_eq!(textures.len(), 7);
    for (format, texture) in textures {
        assert_eq!(format, ImageFormat::Declared);
        assert!(texture.format.info().unwrap().is_block_compressed() && texture.mip_levels > 1, "{texture:?}");
    }
}

#[test]
fn what_direct3d_has_no_format_for_counts_as_decoded() {
    for name in ["Bonza4X", "Sponza01", "SpaceModule"] {
        let Some(scene) = scene(name) else { continue };
        let there = scene.images.iter().filter(|image| image.texture.is_ok());
        for image in there {
            let format = image.texture.unwrap().format;
            assert_eq!(image.format, ImageFormat::Foreign, "{name}: {}", image.name);
            assert!([Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM_SRGB].contains(&format), "{name}: {}", image.name);
        }
    }
}

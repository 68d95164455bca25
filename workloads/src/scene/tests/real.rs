//! Published scenes, if they exist next to the checkout; otherwise the test prints that it was skipped.

use crate::scene::{ImageFormat, Scene, read};
use std::path::{Path, PathBuf};
use taut_schemas::format::Format;

/// Reads the scene of this name, if it exists.
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
        let with_texture = scene.images.iter().filter(|image| image.texture.is_ok());
        for image in with_texture {
            let format = image.texture.unwrap().format;
            assert_eq!(image.format, ImageFormat::Foreign, "{name}: {}", image.name);
            assert!([Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM_SRGB].contains(&format), "{name}: {}", image.name);
        }
    }
}

/// Files below a folder, with these suffixes.
fn files(folder: &Path, suffixes: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files(&entry, suffixes, found);
        } else if entry.extension().is_some_and(|suffix| suffixes.iter().any(|known| suffix == *known)) {
            found.push(entry);
        }
    }
}

/// Reads the suite of the glTF validator: a checkout of KhronosGroup/glTF-Validator in the folder that the variable
/// `GLTF_VALIDATOR` names. Each of its files has a report beside it.
#[test]
fn every_valid_file_of_the_validator_is_accepted() {
    let Some(folder) = std::env::var_os("GLTF_VALIDATOR") else {
        eprintln!("skipped: GLTF_VALIDATOR names no checkout of the glTF validator");
        return;
    };
    let mut found = Vec::new();
    files(Path::new(&folder), &["gltf", "glb"], &mut found);
    let (mut valid, mut rejected) = (0, Vec::new());
    for file in &found {
        let report = PathBuf::from(format!("{}.report.json", file.display()));
        let Ok(report) = std::fs::read(report) else { continue };
        let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
        if report["issues"]["numErrors"] != 0 {
            continue;
        }
        valid += 1;
        rejected.extend(read(file).err().map(|error| error.to_string()));
    }
    assert!(valid > 0, "no report in {}", folder.display());
    assert!(rejected.is_empty(), "{} of {valid} rejected:\n{}", rejected.len(), rejected.join("\n"));
}

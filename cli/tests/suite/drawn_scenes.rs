//! Tests of scenes drawn in deferred contexts: the report on handles has the numbers that these tests count in the
//! scene's JSON.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use taut::Taut;
use taut_runtime::Profile;
use taut_schemas::{BindFlags, HandleType};
use taut_testkit::testdata;

/// Number of objects and of bytes, by type of handle.
type Counts = BTreeMap<String, (u64, u64)>;

/// Objects that a run of draws uses.
#[derive(Default)]
struct Named {
    buffers: BTreeSet<u64>,
    nodes: BTreeSet<u64>,
    materials: BTreeSet<Option<u64>>,
    images: BTreeSet<u64>,
    layouts: BTreeSet<String>,
    texture_sets: BTreeSet<Vec<bool>>,
    blends: BTreeSet<String>,
    double_sided: BTreeSet<bool>,
    samplers: BTreeSet<[u64; 4]>,
}

/// A primitive of a node.
struct Primitive<'a> {
    node: u64,
    json: &'a Value,
}

struct Counter<'a> {
    gltf: &'a Value,
    folder: &'a Path,
}

impl<'a> Counter<'a> {
    fn at(&self, list: &str, index: &Value) -> &'a Value {
        &self.gltf[list][index.as_u64().unwrap() as usize]
    }

    /// Primitives in depth-first order of the default scene.
    fn draws(&self) -> Vec<Primitive<'a>> {
        let scene = &self.gltf["scenes"][self.gltf["scene"].as_u64().unwrap_or(0) as usize];
        let mut draws = Vec::new();
        for node in scene["nodes"].as_array().unwrap() {
            self.walk(node, &mut draws);
        }
        draws
    }

    fn walk(&self, index: &Value, draws: &mut Vec<Primitive<'a>>) {
        let node = self.at("nodes", index);
        if let Some(mesh) = node.get("mesh") {
            for json in self.at("meshes", mesh)["primitives"].as_array().unwrap() {
                let bytes = json.get("indices").map(|indices| self.at("accessors", indices)["componentType"].clone());
                // GL_TRIANGLE_FAN, GL_LINE_LOOP and indices of GL_UNSIGNED_BYTE are not drawn.
                let is_drawn = ![2, 6].contains(&json["mode"].as_u64().unwrap_or(4)) && bytes != Some(5121.into());
                if is_drawn {
                    draws.push(Primitive { node: index.as_u64().unwrap(), json });
                }
            }
        }
        for child in node["children"].as_array().into_iter().flatten() {
            self.walk(child, draws);
        }
    }

    /// Collects the objects that a run of draws uses.
    fn named(&self, draws: &[Primitive<'_>]) -> Named {
        let mut named = Named::default();
        for Primitive { node, json } in draws {
            named.nodes.insert(*node);
            let attributes = json["attributes"].as_object().unwrap();
            let view = |accessor: &Value| self.at("accessors", accessor)["bufferView"].as_u64().unwrap();
            named.buffers.extend(attributes.values().chain(json.get("indices")).map(view));
            let element = |(name, accessor): (&String, &Value)| {
                let accessor = self.at("accessors", accessor);
                let normalized = accessor["normalized"].as_bool().unwrap_or(false);
                format!("{name} {} {} {normalized}", accessor["componentType"], accessor["type"])
            };
            let mut elements: Vec<_> = attributes.iter().map(element).collect();
            elements.sort();
            named.layouts.insert(elements.join(", "));
            let material = json.get("material").map(|material| self.at("materials", material));
            named.materials.insert(json["material"].as_u64());
            self.add_material(material.unwrap_or(&Value::Null), &mut named);
        }
        named
    }

    fn add_material(&self, material: &Value, named: &mut Named) {
        named.blends.insert(material["alphaMode"].as_str().unwrap_or("OPAQUE").to_owned());
        named.double_sided.insert(material["doubleSided"].as_bool().unwrap_or(false));
        let metal = &material["pbrMetallicRoughness"];
        let textures = [
            &metal["baseColorTexture"],
            &metal["metallicRoughnessTexture"],
            &material["normalTexture"],
            &material["occlusionTexture"],
            &material["emissiveTexture"],
        ];
        named.texture_sets.insert(textures.iter().map(|texture| !texture.is_null()).collect());
        for texture in textures.into_iter().filter(|texture| !texture.is_null()) {
            let texture = self.at("textures", &texture["index"]);
            let sampler = texture.get("sampler").map_or(&Value::Null, |sampler| self.at("samplers", sampler));
            let of = |key: &str, default: u64| sampler[key].as_u64().unwrap_or(default);
            let filters = [of("magFilter", 9729), of("minFilter", 9987)];
            named.samplers.insert([filters[0], filters[1], of("wrapS", 10497), of("wrapT", 10497)]);
            if let Some(image) = texture["source"].as_u64()
                && self.folder.join(self.gltf["images"][image as usize]["uri"].as_str().unwrap_or("?")).is_file()
            {
                named.images.insert(image);
            }
        }
    }
}

impl Named {
    /// Handles by type, with the sizes of the driver model.
    fn counts(&self, profile: &Profile) -> Counts {
        let handles = profile.contexts.as_ref().unwrap();
        let resource = |flags| handles.size_of(HandleType::RESOURCE, flags);
        let constants = self.nodes.len() + self.materials.len();
        let resources = [
            (self.buffers.len(), resource(BindFlags::VERTEX_BUFFER)),
            (constants, resource(BindFlags::CONSTANT_BUFFER)),
            (self.images.len(), resource(BindFlags::SHADER_RESOURCE)),
            (1, resource(BindFlags::RENDER_TARGET)),
            (1, resource(BindFlags::DEPTH_STENCIL)),
        ];
        let of_resources = resources.iter().map(|(count, _)| *count as u64).sum();
        let bytes = resources.iter().map(|(count, size)| *count as u64 * size).sum();
        let mut counts = BTreeMap::from([("RESOURCE".to_owned(), (of_resources, bytes))]);
        let others = [
            ("SHADERRESOURCEVIEW", HandleType::SHADERRESOURCEVIEW, self.images.len()),
            ("RENDERTARGETVIEW", HandleType::RENDERTARGETVIEW, 1),
            ("DEPTHSTENCILVIEW", HandleType::DEPTHSTENCILVIEW, 1),
            ("SHADER", HandleType::SHADER, self.layouts.len() + self.texture_sets.len()),
            ("ELEMENTLAYOUT", HandleType::ELEMENTLAYOUT, self.layouts.len()),
            ("BLENDSTATE", HandleType::BLENDSTATE, self.blends.len()),
            ("RASTERIZERSTATE", HandleType::RASTERIZERSTATE, self.double_sided.len()),
            ("SAMPLERSTATE", HandleType::SAMPLERSTATE, self.samplers.len()),
        ];
        for (name, handle_type, count) in others.into_iter().filter(|(.., count)| *count > 0) {
            let size_bytes = handles.size_of(handle_type, BindFlags::NONE);
            counts.insert(name.to_owned(), (count as u64, count as u64 * size_bytes));
        }
        counts
    }
}

/// Handles that a context has opened, from the report.
fn reported_counts(context: &Value) -> Counts {
    let by_type = context["by_type"].as_array().unwrap().iter();
    let number = |value: &Value| value.as_u64().unwrap();
    let of = |one: &Value| {
        (one["handle_type"].as_str().unwrap().to_owned(), (number(&one["objects"]), number(&one["object_bytes"])))
    };
    by_type.map(of).collect()
}

fn total(counts: &Counts) -> (u64, u64) {
    counts.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// Records a scene, and compares the report with the counts from the JSON.
fn assert_counted(taut: &Taut, file: &Path, driver: &str, contexts: u64) {
    let what = format!("{}, {driver}, {contexts} contexts", file.display());
    let set = format!("contexts={contexts}");
    let words = ["--set", "api=d3d11", "--set", "frames=2", "--set", &set, "--driver", driver, "--force", "--quiet"];
    taut.stdout(&[&["record", &file.to_string_lossy(), "-o", "drawn.taut"][..], &words].concat());
    if contexts == 4 {
        assert!(taut.stdout(&["replay", "drawn.taut"]).contains("identical"), "{what}");
    }
    let text = taut.stdout(&["analyze", "drawn.taut", "--report", "handles", "--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let report = &report["reports"]["handles"];
    let gltf: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let profile = Profile::named(driver).unwrap();
    let counter = Counter { gltf: &gltf, folder: file.parent().unwrap() };
    let draws = counter.draws();
    let number = contexts as usize;
    let mut sum = (0, 0);
    for context in 0..number {
        let run = &draws[draws.len() * context / number..draws.len() * (context + 1) / number];
        let expected = if run.is_empty() { Counts::new() } else { counter.named(run).counts(&profile) };
        let found = &report["contexts"][context + 1];
        assert_eq!(reported_counts(found), expected, "{what}: {context}");
        // Every list opens each of its handles once.
        let (handles, bytes) = total(&expected);
        assert_eq!((&found["peak_handles"], &found["peak_bytes"]), (&handles.into(), &bytes.into()), "{what}");
        assert_eq!((&found["opened"], &found["recordings"]), (&(2 * handles).into(), &2.into()), "{what}");
        sum = (sum.0 + handles, sum.1 + bytes);
    }
    // The immediate context has one handle for each object, and one for the command list of each deferred context.
    let all = counter.named(&draws).counts(&profile);
    let handles = profile.contexts.as_ref().unwrap();
    let (objects, _) = total(&all);
    let bytes = objects * handles.immediate_handle_bytes + contexts * handles.command_list_bytes;
    let immediate = &report["contexts"][0];
    assert_eq!(immediate["opened"], objects + contexts, "{what}");
    assert_eq!(immediate["opened_bytes"], bytes, "{what}");
    let cost = &report["cost"];
    assert_eq!((&cost["handles"], &cost["bytes"]), (&sum.0.into(), &sum.1.into()), "{what}");
    assert_eq!(cost["one_context_bytes"], total(&all).1, "{what}");
    assert_eq!(cost["extra_bytes"], sum.1 - total(&all).1, "{what}");
    assert_eq!((&report["violations"], &report["leaks"]), (&0.into(), &0.into()), "{what}");
}

#[test]
fn a_drawn_scene_s_handles_are_what_its_json_comes_to() {
    let folder = tempfile::tempdir().unwrap();
    let taut = Taut::new(folder.path());
    let file = testdata("scenes/orchard/orchard.gltf");
    for driver in ["d3d11on12-like", "multi-size"] {
        for contexts in [1, 2, 3, 4, 8] {
            assert_counted(&taut, &file, driver, contexts);
        }
    }
}

#[test]
fn the_published_scenes_handles_are_what_their_json_comes_to() {
    let places = ["../../shared", "../../../shared"].map(|up| Path::new(env!("CARGO_MANIFEST_DIR")).join(up));
    let Some(scenes) = places.map(|place| place.join("data/scenes")).into_iter().find(|place| place.is_dir()) else {
        eprintln!("skipped: the published scenes do not stand beside the checkout");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let taut = Taut::new(folder.path());
    let mut names: Vec<PathBuf> = std::fs::read_dir(scenes).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|folder| folder.is_dir());
    names.sort();
    for (number, scene) in names.iter().enumerate() {
        let file = scene.join(scene.file_name().unwrap()).with_extension("gltf");
        for contexts in [1, 2, 4, 8] {
            let driver = ["d3d11on12-like", "multi-size"][(number + contexts as usize / 2) % 2];
            assert_counted(&taut, &file, driver, contexts);
        }
    }
}

#[test]
fn undrawn_parts_of_a_scene_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let taut = Taut::new(folder.path());
    let sound = std::fs::read_to_string(testdata("scenes/orchard/orchard.gltf")).unwrap();
    std::fs::write(folder.path().join("orchard.gltf"), sound).unwrap();
    let run = taut.run(&["record", "orchard.gltf", "--set", "api=d3d11", "--set", "frames=1"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    insta::assert_snapshot!("drawn_scene", taut::without_sizes(&format!("{}\n{}", run.stdout, run.stderr)));
    // Parameters of loaded scenes are invalid for drawn ones, and the other way round.
    for (words, hint) in [
        (&["api=d3d11", "memory=placed"][..], "one of api, items, contexts, frames"),
        (&["contexts=2"], "expected a parameter of the workload"),
        (&["api=d3d11", "contexts=0"], "a whole number from 1 to 64"),
        (&["api=d3d13"], "d3d12 or d3d11"),
    ] {
        let sets = words.iter().flat_map(|word| ["--set", word]).collect::<Vec<_>>();
        let run = taut.run(&[&["record", "orchard.gltf", "--force"][..], &sets].concat());
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(hint), "{words:?}: {}", run.stderr);
    }
    let run = taut.run(&["record", "orchard.gltf", "--set", "api=d3d11", "--driver", "reference", "--force"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let tree = std::fs::read_to_string(folder.path().join("orchard.gltf")).unwrap();
    let twice = tree.replacen("\"children\": [1, 2]", "\"children\": [1, 1]", 1);
    assert_ne!(twice, tree);
    std::fs::write(folder.path().join("twice.gltf"), twice).unwrap();
    let run = taut.run(&["record", "twice.gltf", "--set", "api=d3d11"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("nodes[0].children[1]: expected a node referenced once, found 1"), "{}", run.stderr);
}

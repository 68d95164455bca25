//! Valid scenes that strict parsers reject, and the container of .glb files.

use super::super::content::Scene;
use crate::bundled::Parameters;
use crate::scene::PARAMETERS;
use serde_json::{Value, json};
use std::path::Path;

fn read(bytes: &[u8]) -> Result<Scene, String> {
    Scene::new(bytes, "made".to_owned(), Path::new(""), "made").map_err(|error| error.to_string())
}

/// Returns a scene with one buffer, views and accessors, and other keys.
fn scene(views: &Value, accessors: &Value, others: &Value) -> Value {
    let mut scene = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": 1000}],
        "bufferViews": views,
        "accessors": accessors,
    });
    for (key, value) in others.as_object().unwrap() {
        scene[key] = value.clone();
    }
    scene
}

fn read_json(scene: &Value) -> Result<Scene, String> {
    read(scene.to_string().as_bytes())
}

fn left_out(scene: &Scene) -> Option<String> {
    scene.summary(&Parameters::new(PARAMETERS, Default::default()).unwrap()).left_out()
}

#[test]
fn extras_of_any_type_pointers_of_animations_and_scenes_without_nodes_are_accepted() {
    for extras in [json!(1), json!("x"), json!(null), json!([1, {"extras": {}}]), json!({"animations": 2})] {
        let animations = json!([{
            "samplers": [{"input": 0, "output": 0}],
            "channels": [
                {"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/x"}}}},
                {"sampler": 0, "target": {"path": "translation"}},
            ],
        }]);
        let others = json!({"animations": animations, "scenes": [{"extras": extras}, {}], "extras": extras});
        let found = read_json(&scene(&json!([{"buffer": 0, "byteLength": 9, "extras": extras}]), &json!([]), &others));
        assert_eq!(found.unwrap().views.len(), 1, "{extras}");
    }
}

#[test]
fn the_last_column_of_a_matrix_needs_no_padding() {
    // Three columns of three bytes, each padded to four but for the last: 11 bytes; two matrices take 12 + 11.
    for (length, count, is_valid) in [(11, 1, true), (10, 1, false), (23, 2, true), (22, 2, false)] {
        let accessor = json!({"bufferView": 0, "componentType": 5121, "count": count, "type": "MAT3"});
        let found = read_json(&scene(&json!([{"buffer": 0, "byteLength": length}]), &json!([accessor]), &json!({})));
        assert_eq!(found.is_ok(), is_valid, "{length}: {found:?}");
    }
}

#[test]
fn draco_geometry_counts_as_its_accessors_and_its_view_as_nothing() {
    let accessors = json!([
        {"componentType": 5126, "count": 24, "type": "VEC3"},
        {"componentType": 5123, "count": 36, "type": "SCALAR"},
        {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"},
    ]);
    let draco = |view: u32| json!({"KHR_draco_mesh_compression": {"bufferView": view, "attributes": {"POSITION": 0}}});
    let primitive = json!({"attributes": {"POSITION": 0}, "indices": 1, "extensions": draco(0)});
    let with_fallback = json!({"attributes": {"POSITION": 2}, "extensions": draco(2)});
    let views = [60, 24, 30].map(|length| json!({"buffer": 0, "byteLength": length}));
    let others = json!({"meshes": [{"primitives": [primitive, with_fallback]}]});
    let scene = read_json(&scene(&json!(views), &accessors, &others)).unwrap();
    let sizes: Vec<u64> = scene.views.iter().map(|view| view.size_bytes).collect();
    assert_eq!(sizes, [24, 24 * 12, 36 * 2]);
    let note = left_out(&scene).unwrap();
    assert!(
        note.contains("2 compressed buffer views of 90 bytes") && note.contains("2 accessors of 360 bytes"),
        "{note}"
    );
}

#[test]
fn meshopt_views_count_at_their_decoded_length() {
    let compressed = json!({"buffer": 0, "byteLength": 40, "byteStride": 4, "count": 240, "mode": "ATTRIBUTES"});
    let view = json!({"buffer": 0, "byteLength": 960, "extensions": {"EXT_meshopt_compression": compressed}});
    let scene = read_json(&scene(&json!([view]), &json!([]), &json!({}))).unwrap();
    assert_eq!(scene.views[0].size_bytes, 960);
    let note = left_out(&scene).unwrap();
    assert!(
        note.contains("1 compressed buffer view (EXT_meshopt_compression): counted as decoded, 960 bytes"),
        "{note}"
    );
}

#[test]
fn an_accessor_of_an_unknown_type_counts_as_scalars_and_is_noted() {
    let accessor = json!({"componentType": 5126, "count": 24, "type": "VEC5"});
    let scene = read_json(&scene(&json!([]), &json!([accessor]), &json!({}))).unwrap();
    assert_eq!(scene.accessors[0].size_bytes, 96);
    assert_eq!(left_out(&scene).as_deref(), Some("1 accessor of an unknown type counted as scalars"));
}

#[test]
fn other_major_versions_are_rejected_by_name() {
    for (version, minimum, part) in [
        ("1.0", None, Some("glTF 1.0, which is not read")),
        ("3.0", None, Some("expected glTF 2.x, found version \"3.0\"")),
        ("two", None, Some("found version \"two\"")),
        ("2.7", Some("3.1"), Some("asset.minVersion: expected glTF 2.x")),
        ("2.7", Some("2.1"), None),
        ("2.0", None, None),
    ] {
        let asset = json!({"version": version, "minVersion": minimum});
        let found = read_json(&json!({"asset": asset}));
        match part {
            None => assert!(found.is_ok(), "{version}: {found:?}"),
            Some(part) => assert!(found.as_ref().is_err_and(|text| text.contains(part)), "{version}: {found:?}"),
        }
    }
    let without_asset = read_json(&json!({"buffers": {"b": {}}, "meshes": {}}));
    assert!(without_asset.is_err_and(|text| text.contains("glTF 1.0")));
}

/// Returns a .glb of these chunks, with the length that `length` derives from the true one.
fn glb(chunks: &[(&[u8; 4], &[u8])], length: impl FnOnce(u32) -> u32) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, content) in chunks {
        body.extend((content.len() as u32).to_le_bytes());
        body.extend(*kind);
        body.extend(*content);
    }
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(length(12 + body.len() as u32).to_le_bytes());
    bytes.extend(body);
    bytes
}

const SOUND: &[u8] = br#"{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4}]}"#;

#[test]
fn chunks_of_other_types_and_bytes_after_the_end_of_a_glb_are_accepted_and_counted() {
    let chunks: [(&[u8; 4], &[u8]); 4] = [(b"JSON", SOUND), (b"BIN\0", b"abcd"), (b"MORE", b"xy"), (b"BIN\0", b"")];
    let mut bytes = glb(&chunks, |length| length);
    assert_eq!(left_out(&read(&bytes).unwrap()), None);
    bytes.extend(b"trailing");
    let note = left_out(&read(&bytes).unwrap()).unwrap();
    assert!(note.contains("8 bytes after the end of the .glb not read"), "{note}");
}

#[test]
fn corrupt_lengths_and_chunks_of_a_glb_are_rejected() {
    let sound = glb(&[(b"JSON", SOUND)], |length| length);
    let with_chunk_length = |length: u32| [&sound[..12], &length.to_le_bytes(), &sound[16..]].concat();
    let cases = [
        ("beyond the file", glb(&[(b"JSON", SOUND)], |length| length + 1)),
        ("within the header", glb(&[(b"JSON", SOUND)], |_| 11)),
        ("within a chunk's head", glb(&[(b"JSON", SOUND)], |_| 17)),
        ("a chunk beyond the container", with_chunk_length(1000)),
        ("a chunk beyond 32 bits", with_chunk_length(u32::MAX)),
        ("another chunk first", glb(&[(b"BIN\0", b"abcd"), (b"JSON", SOUND)], |length| length)),
        ("no chunk", glb(&[], |length| length)),
        ("another version", [b"glTF\x03\0\0\0", &sound[8..]].concat()),
        ("version 1", [b"glTF\x01\0\0\0", &sound[8..]].concat()),
    ];
    let texts = cases.map(|(what, bytes)| format!("{what}: {}", read(&bytes).unwrap_err()));
    insta::assert_snapshot!(texts.join("\n"));
}

//! Invalid scenes: each error has its position, and nothing is created.

use super::courtyard::path;
use crate::scene::{SceneError, read};
use proptest::prelude::*;
use serde_json::{Value, json};

fn courtyard() -> Value {
    serde_json::from_slice(&std::fs::read(path()).unwrap()).unwrap()
}

fn message(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.gltf");
    std::fs::write(&file, bytes).unwrap();
    let error = read(&file).unwrap_err().to_string();
    error.replace(&folder.path().display().to_string(), "FOLDER")
}

/// Returns a scene in which `pointer` has another value.
fn with(pointer: &str, value: &Value) -> Vec<u8> {
    let mut scene = courtyard();
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let parent = scene.pointer_mut(parent).unwrap();
    match parent {
        Value::Array(array) => array[field.parse::<usize>().unwrap()] = value.clone(),
        parent => parent[field] = value.clone(),
    }
    serde_json::to_vec(&scene).unwrap()
}

#[test]
fn an_invalid_field_of_a_scene_is_reported_with_its_path() {
    let cases = [
        ("/bufferViews/1/buffer", json!(2)),
        ("/bufferViews/1/byteLength", json!(953)),
        ("/bufferViews/1/byteLength", json!(0)),
        ("/bufferViews/1/byteLength", json!(u64::MAX)),
        ("/bufferViews/1/byteOffset", json!(3001)),
        ("/bufferViews/1/byteOffset", json!(u64::MAX)),
        ("/buffers/0/byteLength", json!(2999)),
        ("/accessors/0/count", json!(65)),
        ("/accessors/0/count", json!(0)),
        ("/accessors/0/byteOffset", json!(24)),
        ("/accessors/0/bufferView", json!(4)),
        ("/accessors/0/componentType", json!(5124)),
        ("/accessors/2/count", json!(u64::MAX)),
        ("/accessors/6/sparse/count", json!(1001)),
        ("/accessors/6/sparse/count", json!(13)),
        ("/accessors/6/sparse/indices/bufferView", json!(9)),
        ("/accessors/6/sparse/values/byteOffset", json!(353)),
        ("/accessors/7/count", json!(u64::MAX)),
        ("/images/3/bufferView", json!(4)),
        ("/textures/0/source", json!(8)),
        ("/materials/0/pbrMetallicRoughness/baseColorTexture/index", json!(9)),
        ("/materials/1/emissiveTexture/index", json!(100)),
        ("/bufferViews/1/byteLength", json!(-1)),
        ("/bufferViews/1/byteLength", json!(1.5)),
        ("/bufferViews/1/byteLength", json!("600")),
        ("/nodes", json!(7)),
        ("/nodes/0", json!({"translation": [1, 2]})),
        ("/nodes/0", json!({"translation": [1, 2, 3, 4]})),
        ("/nodes/0", json!({"scale": ["a", 2, 3]})),
        ("/nodes/0", json!({"matrix": [1, 2, 3, 4]})),
    ];
    let message: String =
        cases.map(|(at, value)| format!("{at} = {value}\n  {}\n", message(&with(at, &value)))).concat();
    insta::assert_snapshot!(message);
}

#[test]
fn a_file_that_is_not_a_scene_is_reported() {
    let whole = std::fs::read(path()).unwrap();
    let cases = [
        ("nothing", Vec::new()),
        ("another kind", b"{\"format\":\"d3d12-calls\",\"version\":1}".to_vec()),
        ("a list", b"[]".to_vec()),
        ("cut", whole[..1000].to_vec()),
        ("not UTF-8", b"{\"asset\":{\"version\":\"\xff\"}}".to_vec()),
        ("a .glb head cut", b"glTF\x02\0\0".to_vec()),
        ("a .glb of length 0", glb(b"{}", 2, |_| 0)),
        ("a .glb cut", glb(&whole, 2, |length| length + 1)),
        ("a .glb of version 1", glb(&whole, 1, |length| length)),
        ("a .glb with bad JSON", glb(b"{\"asset\":}  ", 2, |length| length)),
        ("a .glb without chunks", glb(b"", 2, |_| 12)[..12].to_vec()),
    ];
    let message: String = cases.map(|(what, bytes)| format!("{what}\n  {}\n", message(&bytes))).concat();
    insta::assert_snapshot!(message);
    assert!(matches!(read("no/such/scene.gltf".as_ref()), Err(SceneError::Read { .. })));
}

/// Returns a .glb file with this JSON, and the length that `message` derives from the true one.
fn glb(json: &[u8], version: u32, message: impl FnOnce(u32) -> u32) -> Vec<u8> {
    let json_bytes = json.len() as u32;
    let words = [version, message(20 + json_bytes), json_bytes];
    let mut bytes = b"glTF".to_vec();
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes
}

#[test]
fn a_glb_is_the_scene_its_json_chunk_holds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("courtyard.glb");
    std::fs::write(&file, glb(&std::fs::read(path()).unwrap(), 2, |length| length)).unwrap();
    let (binary, text) = (read(&file).unwrap(), read(&path()).unwrap());
    assert_eq!((binary.views, binary.accessors, binary.constants), (text.views, text.accessors, text.constants));
}

proptest! {
    #[test]
    fn no_bytes_make_a_scene_panic(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let mut bytes = std::fs::read(path()).unwrap();
        *at.get_mut(&mut bytes) = byte;
        let _ = crate::scene::Scene::new(&bytes, String::new(), "".as_ref(), "bad.gltf");
        bytes.truncate(cut.index(bytes.len()));
        let _ = crate::scene::Scene::new(&bytes, String::new(), "".as_ref(), "bad.gltf");
        let _ = crate::scene::Scene::new(&glb(&bytes, 2, |length| length), String::new(), "".as_ref(), "bad.glb");
    }

    #[test]
    fn no_numbers_make_a_scene_panic(
        counts in prop::collection::vec(prop_oneof![0..4096_u64, any::<u64>()], 8),
        type_ in prop::sample::select(vec!["SCALAR", "VEC3", "MAT2", "MAT3", "MAT4"]),
    ) {
        let mut scene = courtyard();
        for (index, count) in counts.iter().enumerate() {
            scene["accessors"][index]["count"] = json!(count);
            scene["accessors"][index]["type"] = json!(type_);
            scene["bufferViews"][index % 4]["byteStride"] = json!(counts[7 - index]);
            scene["bufferViews"][index % 4]["byteOffset"] = json!(counts[index] % 3000);
        }
        let bytes = serde_json::to_vec(&scene).unwrap();
        if let Ok(scene) = crate::scene::Scene::new(&bytes, String::new(), "".as_ref(), "bad.gltf") {
            prop_assert!(scene.accessors.iter().all(|item| item.size_bytes > 0));
        }
    }
}

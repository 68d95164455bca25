//! First user of each element of a scene.

use super::super::content::Scene;
use serde_json::{Value, json};
use std::path::Path;

fn scene(document: &Value) -> Scene {
    Scene::new(document.to_string().as_bytes(), "made".to_owned(), Path::new(""), "made").unwrap()
}

/// Creates a scene with views of eight bytes and one accessor in each.
fn document(views: usize, nodes: Value, meshes: Value) -> Value {
    let view = |at: usize| json!({"buffer": 0, "byteOffset": 8 * at, "byteLength": 8, "name": format!("view {at}")});
    let accessor = |at: usize| json!({"bufferView": at, "componentType": 5126, "count": 2, "type": "SCALAR"});
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "buffers": [{"byteLength": 8 * views}],
        "bufferViews": (0..views).map(view).collect::<Vec<_>>(),
        "accessors": (0..views).map(accessor).collect::<Vec<_>>(),
        "images": [{"uri": "data:application/octet-stream;base64,AAAA", "name": "bark"}, {"uri": "data:application/octet-stream;base64,AAAA"}],
        "textures": [{"source": 0}, {"source": 1}],
        "materials": [{"name": "wood", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}, {"name": "unused"}],
        "nodes": nodes,
        "meshes": meshes,
    })
}

fn paths<'a>(users: impl Iterator<Item = &'a Option<std::sync::Arc<str>>>) -> Vec<Option<&'a str>> {
    users.map(|user| user.as_deref()).collect()
}

#[test]
fn an_element_of_several_nodes_belongs_to_the_first() {
    let nodes = json!([
        {"name": "street", "children": [1, 3]},
        {"name": "house", "mesh": 0, "children": [2]},
        {"mesh": 1},
        {"name": "shed", "mesh": 1},
        {"name": "nowhere", "mesh": 2},
    ]);
    let meshes = json!([
        {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]},
        {"primitives": [{"attributes": {"POSITION": 2, "NORMAL": 0}, "targets": [{"POSITION": 3}]}]},
        {"primitives": [{"attributes": {"POSITION": 4}}]},
    ]);
    let scene = scene(&document(6, nodes, meshes));
    let (house, inside) = (Some("street/house"), Some("street/house/node 2"));
    let expected = [house, house, inside, inside, None, None];
    assert_eq!(paths(scene.views.iter().map(|view| &view.used_from)), expected);
    assert_eq!(paths(scene.accessors.iter().map(|accessor| &accessor.used_from)), expected);
    assert_eq!(paths(scene.images.iter().map(|image| &image.used_from)), [house, None]);
    let of_nodes = [Some("street"), house, inside, Some("street/shed"), None];
    assert_eq!(paths(scene.constants_used_from.iter()), [&of_nodes[..], &[house, None]].concat());
}

/// Tests a file of 20,000 nested nodes, whose paths would take 4 GB without a limit.
#[test]
fn ways_of_deep_scenes_end_somewhere() {
    let count = 20_000;
    let node = |at: usize| {
        let children = if at + 1 < count { vec![at + 1] } else { Vec::new() };
        json!({"name": "a node", "children": children, "mesh": 0})
    };
    let nodes = (0..count).map(node).collect();
    let scene = scene(&document(1, nodes, json!([{"primitives": [{"attributes": {"POSITION": 0}}]}])));
    let longest = scene.constants_used_from.iter().flatten().map(|path| path.len()).max();
    assert!(longest.is_some_and(|longest| (512..600).contains(&longest)), "{longest:?}");
    assert!(scene.constants_used_from[..count].iter().all(Option::is_some));
}

#[test]
fn a_node_within_itself_is_gone_through_once() {
    let nodes = json!([{"name": "one", "children": [1, 7]}, {"name": "other", "mesh": 0, "children": [0, 1]}]);
    let scene = scene(&document(1, nodes, json!([{"primitives": [{"attributes": {"POSITION": 0}}]}])));
    assert_eq!(paths(scene.views.iter().map(|view| &view.used_from)), [Some("one/other")]);
}

#[test]
fn a_text_of_nothing_but_objects_is_refused_and_many_nodes_may_share_a_mesh() {
    let objects =
        |count: usize| format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}{{}}]}}", "{},".repeat(count));
    let read = |text: String| Scene::new(text.as_bytes(), "made".to_owned(), Path::new(""), "made");
    assert_eq!(read(objects(1_000)).unwrap().constants.len(), 1_001);
    let error = read(objects(1_000_000)).unwrap_err().to_string();
    assert!(error.contains("expected at most") && error.contains("objects"), "{error}");
    // With as many nodes as primitives, quadratic work would take minutes.
    let primitives: Vec<Value> = (0..20_000).map(|_| json!({"attributes": {"POSITION": 0}})).collect();
    let nodes: Vec<Value> = (0..20_000).map(|_| json!({"mesh": 0})).collect();
    let mut shared = document(1, json!(nodes), json!([{"primitives": primitives}]));
    shared["scenes"] = json!([{"nodes": (0..20_000).collect::<Vec<u32>>()}]);
    assert_eq!(scene(&shared).accessors[0].used_from.as_deref(), Some("node 0"));
}

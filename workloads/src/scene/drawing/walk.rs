//! Order in which the nodes of a scene are drawn.

use crate::scene::error::Fault;
use gltf::json::{Root, scene::Node};

/// Returns the nodes of the default scene, parents before their children. If the file names no default scene, its first
/// is used. `None` if it has no scene.
///
/// # Errors
/// A scene or node does not exist, or a node occurs twice: each has one parent (glTF 2.0, 3.5.2).
pub(super) fn nodes(root: &Root) -> Result<Option<Vec<(usize, &Node)>>, Fault> {
    let index = root.scene.map_or(0, |scene| scene.value());
    let Some(scene) = root.scenes.get(index) else {
        return match root.scene {
            Some(scene) => Err(Fault::no_such("scene".to_owned(), "scenes", root.scenes.len(), scene.value())),
            None => Ok(None),
        };
    };
    let mut visited = vec![false; root.nodes.len()];
    let mut found = Vec::new();
    let named = scene.nodes.iter().enumerate();
    let mut waiting: Vec<(usize, String)> =
        named.map(|(number, node)| (node.value(), format!("scenes[{index}].nodes[{number}]"))).collect();
    // `waiting` is a stack, so the first root must be on top.
    waiting.reverse();
    while let Some((number, path)) = waiting.pop() {
        let Some(node) = root.nodes.get(number) else {
            return Err(Fault::no_such(path, "nodes", root.nodes.len(), number));
        };
        if std::mem::replace(&mut visited[number], true) {
            let expected = "a node referenced once".to_owned();
            return Err(Fault { path, expected, found: number.to_string() });
        }
        found.push((number, node));
        let children = node.children.as_deref().unwrap_or_default().iter().enumerate().rev();
        waiting.extend(children.map(|(child, node)| (node.value(), format!("nodes[{number}].children[{child}]"))));
    }
    Ok(Some(found))
}

//! Users of a scene's elements: the path from the scene's root to the first node that uses each.

use gltf::json::{Root, mesh::Primitive};
use std::sync::Arc;

/// Maximum length of a path in bytes. Nodes below a longer path share the path of their ancestor.
const PATH_BYTES: usize = 512;

/// First user of each element, by index: names of nodes from the root on, joined by `/`. `None` for unused elements.
#[derive(Debug)]
pub(super) struct Users {
    /// Users of buffer views, including views with images.
    pub views: Vec<Option<Arc<str>>>,
    pub accessors: Vec<Option<Arc<str>>>,
    /// Path of each node itself.
    pub nodes: Vec<Option<Arc<str>>>,
    pub materials: Vec<Option<Arc<str>>>,
    pub images: Vec<Option<Arc<str>>>,
}

/// Visits the nodes of the default scene, or of the first, parents before children. Invalid references are ignored
/// here, because loading does not need the nodes.
pub(super) fn users(root: &Root) -> Users {
    let mut users = Users {
        views: vec![None; root.buffer_views.len()],
        accessors: vec![None; root.accessors.len()],
        nodes: vec![None; root.nodes.len()],
        materials: vec![None; root.materials.len()],
        images: vec![None; root.images.len()],
    };
    // The first node with a mesh becomes the user of the whole mesh. Later nodes add nothing, and many may share a
    // mesh.
    let mut has_user = vec![false; root.meshes.len()];
    let scene = root.scene.map_or(0, |scene| scene.value());
    let first = root.scenes.get(scene).map(|scene| scene.nodes.as_slice()).unwrap_or_default();
    let mut waiting: Vec<(usize, Arc<str>)> = first.iter().rev().map(|node| (node.value(), "".into())).collect();
    while let Some((number, parent)) = waiting.pop() {
        let (Some(node), Some(None)) = (root.nodes.get(number), users.nodes.get(number)) else { continue };
        let name = super::item_name::named(&node.name, "node", number);
        // Paths contain their parents' paths, so without a limit their total size could be quadratic in the file's
        // size.
        let path: Arc<str> = match parent.len() {
            0 => name.into(),
            length if length > PATH_BYTES => Arc::clone(&parent),
            _ => format!("{parent}/{name}").into(),
        };
        users.nodes[number] = Some(Arc::clone(&path));
        let mesh =
            node.mesh.filter(|mesh| has_user.get_mut(mesh.value()).is_some_and(|has| !std::mem::replace(has, true)));
        let mesh = mesh.and_then(|mesh| root.meshes.get(mesh.value()));
        mesh.iter().flat_map(|mesh| &mesh.primitives).for_each(|primitive| users.primitive(root, primitive, &path));
        let skin = node.skin.and_then(|skin| root.skins.get(skin.value()));
        let matrices = skin.and_then(|skin| skin.inverse_bind_matrices);
        matrices.into_iter().for_each(|accessor| users.accessor(root, accessor.value(), &path));
        let children = node.children.as_deref().unwrap_or_default().iter().rev();
        waiting.extend(children.map(|child| (child.value(), Arc::clone(&path))));
    }
    users
}

impl Users {
    fn primitive(&mut self, root: &Root, primitive: &Primitive, path: &Arc<str>) {
        let of_targets = primitive.targets.iter().flatten();
        let of_targets = of_targets.flat_map(|target| [target.positions, target.normals, target.tangents]);
        let accessors = primitive.attributes.values().copied().chain(primitive.indices).chain(of_targets.flatten());
        accessors.for_each(|accessor| self.accessor(root, accessor.value(), path));
        let Some(number) = primitive.material.map(|material| material.value()) else { return };
        let Some(material) = root.materials.get(number) else { return };
        set_first_user(&mut self.materials, number, path);
        let reflection = &material.pbr_metallic_roughness;
        let textures = [
            reflection.base_color_texture.as_ref().map(|texture| texture.index),
            reflection.metallic_roughness_texture.as_ref().map(|texture| texture.index),
            material.normal_texture.as_ref().map(|texture| texture.index),
            material.occlusion_texture.as_ref().map(|texture| texture.index),
            material.emissive_texture.as_ref().map(|texture| texture.index),
        ];
        for texture in textures.into_iter().flatten() {
            let Some(texture) = root.textures.get(texture.value()) else { continue };
            set_first_user(&mut self.images, texture.source.value(), path);
        }
    }

    fn accessor(&mut self, root: &Root, number: usize, path: &Arc<str>) {
        set_first_user(&mut self.accessors, number, path);
        let view = root.accessors.get(number).and_then(|accessor| accessor.buffer_view);
        view.into_iter().for_each(|view| set_first_user(&mut self.views, view.value(), path));
    }
}

/// Sets the user of an element unless it has one.
fn set_first_user(users: &mut [Option<Arc<str>>], number: usize, path: &Arc<str>) {
    if let Some(user) = users.get_mut(number) {
        user.get_or_insert_with(|| Arc::clone(path));
    }
}

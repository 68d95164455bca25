//! Which nodes of a scene use what it is made of: the way from the scene's root to the first node that does.

use gltf::json::{Root, mesh::Primitive};
use std::sync::Arc;

/// Ways longer than this are not gone further: what is used below is their last node's.
const PATH_BYTES: usize = 512;

/// By number, who uses it first: names of nodes from the root on, joined by `/`. `None` for what no node uses.
#[derive(Debug)]
pub(super) struct Users {
    /// Of buffer views, those with images among them.
    pub views: Vec<Option<Arc<str>>>,
    /// Of accessors.
    pub accessors: Vec<Option<Arc<str>>>,
    /// Of nodes themselves.
    pub nodes: Vec<Option<Arc<str>>>,
    /// Of materials.
    pub materials: Vec<Option<Arc<str>>>,
    /// Of images.
    pub images: Vec<Option<Arc<str>>>,
}

/// Goes through the nodes of the default scene, or of the first, parents before children. What a file says wrongly of its
/// nodes is left out here: loading does not need them.
pub(super) fn users(root: &Root) -> Users {
    let mut users = Users {
        views: vec![None; root.buffer_views.len()],
        accessors: vec![None; root.accessors.len()],
        nodes: vec![None; root.nodes.len()],
        materials: vec![None; root.materials.len()],
        images: vec![None; root.images.len()],
    };
    let scene = root.scene.map_or(0, |scene| scene.value());
    let first = root.scenes.get(scene).map(|scene| scene.nodes.as_slice()).unwrap_or_default();
    let mut waiting: Vec<(usize, Arc<str>)> = first.iter().rev().map(|node| (node.value(), "".into())).collect();
    while let Some((number, parent)) = waiting.pop() {
        let (Some(node), Some(None)) = (root.nodes.get(number), users.nodes.get(number)) else { continue };
        let name = super::content::named(&node.name, "node", number);
        // Names lie within names: a file could make them as long together as the square of its size.
        let path: Arc<str> = match parent.len() {
            0 => name.into(),
            length if length > PATH_BYTES => Arc::clone(&parent),
            _ => format!("{parent}/{name}").into(),
        };
        users.nodes[number] = Some(Arc::clone(&path));
        let mesh = node.mesh.and_then(|mesh| root.meshes.get(mesh.value()));
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
        take(&mut self.materials, number, path);
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
            take(&mut self.images, texture.source.value(), path);
        }
    }

    fn accessor(&mut self, root: &Root, number: usize, path: &Arc<str>) {
        take(&mut self.accessors, number, path);
        let view = root.accessors.get(number).and_then(|accessor| accessor.buffer_view);
        view.into_iter().for_each(|view| take(&mut self.views, view.value(), path));
    }
}

/// Who comes first is the user.
fn take(users: &mut [Option<Arc<str>>], number: usize, path: &Arc<str>) {
    if let Some(user) = users.get_mut(number) {
        user.get_or_insert_with(|| Arc::clone(path));
    }
}

//! What a scene is made of.

use super::document::{Document, parse};
use super::error::SceneError;
use super::image::{Image, images};
use super::size;
use super::users::{Users, users};
use std::path::Path;
use std::sync::Arc;

/// A piece of a scene's data that becomes a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its name in the scene, or its kind and number.
    pub name: String,
    /// Its size: at least 1.
    pub size_bytes: u64,
    /// The way to the first node that uses it: names from the scene's root on, joined by `/`.
    pub used_from: Option<Arc<str>>,
}

/// A scene: what becomes of it in memory, every size checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// Name of the file, without its folder.
    pub name: String,
    /// Buffer views, but for those that hold an image.
    pub views: Vec<Item>,
    /// Accessors, tightly packed.
    pub accessors: Vec<Item>,
    /// Names of what has a constant buffer: the nodes, then the materials.
    pub constants: Vec<String>,
    /// By constant buffer, the way to the first node that uses it.
    pub constants_used_from: Vec<Option<Arc<str>>>,
    /// Images.
    pub images: Vec<Image>,
}

/// Reads a scene, and the first bytes of its images, which are looked for beside it.
///
/// # Errors
/// The file cannot be read, is no glTF, or says what cannot be: a view beyond its buffer, an accessor beyond its view, a
/// size of 0 or beyond 64 bits, a reference to nothing.
pub fn read(path: &Path) -> Result<Scene, SceneError> {
    Scene::read(path).map(|(_, scene)| scene)
}

impl Scene {
    /// The scene in a file, and the file's JSON.
    pub(super) fn read(path: &Path) -> Result<(Document, Scene), SceneError> {
        let origin = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| SceneError::Read { origin: origin.clone(), source })?;
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Scene::parsed(&bytes, name, path.parent().unwrap_or(Path::new("")), &origin)
    }

    /// The scene in a file's bytes, its images in `folder`; errors name `origin`.
    #[cfg(test)]
    pub(super) fn new(bytes: &[u8], name: String, folder: &Path, origin: &str) -> Result<Scene, SceneError> {
        Scene::parsed(bytes, name, folder, origin).map(|(_, scene)| scene)
    }

    fn parsed(bytes: &[u8], name: String, folder: &Path, origin: &str) -> Result<(Document, Scene), SceneError> {
        // Some editors begin a text with a mark of its byte order.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let document = parse(bytes, origin)?;
        let root = &document.root;
        let view_bytes = size::views(root).map_err(|fault| fault.within(origin))?;
        let accessor_bytes = size::accessors(root, &view_bytes).map_err(|fault| fault.within(origin))?;
        let mut images = images(&document, folder).map_err(|fault| fault.within(origin))?;
        let users = users(root);
        images.iter_mut().zip(&users.images).for_each(|(image, user)| image.used_from.clone_from(user));
        let accessors = root.accessors.iter().zip(&accessor_bytes).enumerate();
        let nodes = root.nodes.iter().enumerate().map(|(index, node)| named(&node.name, "node", index));
        let materials = root.materials.iter().enumerate();
        let scene = Scene {
            name,
            views: views(&document, &view_bytes, &users),
            accessors: accessors
                .map(|(index, (accessor, size))| item((&accessor.name, "accessor", index), *size, &users.accessors))
                .collect(),
            constants: nodes
                .chain(materials.map(|(index, material)| named(&material.name, "material", index)))
                .collect(),
            constants_used_from: users.nodes.iter().chain(&users.materials).cloned().collect(),
            images,
        };
        Ok((document, scene))
    }
}

fn views(document: &Document, view_bytes: &[u64], users: &Users) -> Vec<Item> {
    let mut holds_image = vec![false; view_bytes.len()];
    for view in document.root.images.iter().filter_map(|image| image.buffer_view) {
        if let Some(holds) = holds_image.get_mut(view.value()) {
            *holds = true;
        }
    }
    let views = document.root.buffer_views.iter().zip(view_bytes).enumerate();
    let data = views.filter(|(index, _)| !holds_image[*index]);
    data.map(|(index, (view, size))| item((&view.name, "bufferView", index), *size, &users.views)).collect()
}

fn item((name, kind, index): (&Option<String>, &str, usize), size_bytes: u64, users: &[Option<Arc<str>>]) -> Item {
    Item { name: named(name, kind, index), size_bytes, used_from: users.get(index).cloned().flatten() }
}

/// The scene's name for it where there is one, else its kind and number.
pub(super) fn named(name: &Option<String>, kind: &str, index: usize) -> String {
    match name {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("{kind} {index}"),
    }
}

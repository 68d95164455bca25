//! Content of a scene: buffers, constants and images.

use super::compression::CompressedGeometry;
use super::container::{GLB_HEAD_BYTES, glb_bytes};
use super::document::{Document, parse};
use super::error::SceneError;
use super::image::{Image, images};
use super::item_name::named;
use super::size;
use super::uri::{UriTarget, resolve};
use super::users::{Users, users};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use taut_traces::{MAX_TEXT_BYTES, read_stream_limited};

/// Part of a scene's data that becomes a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Name in the scene, or kind and number.
    pub name: String,
    /// Size in bytes: at least 1.
    pub size_bytes: u64,
    /// Path to the first node that uses it: names from the scene's root on, joined by `/`.
    pub used_from: Option<Arc<str>>,
}

/// Content of a scene that needs memory, with every size checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// Name of the file, without its folder.
    pub name: String,
    /// Buffer views, except views that contain an image. Compressed views are replaced by the accessors of the decoded
    /// data.
    pub views: Vec<Item>,
    /// Accessors, tightly packed.
    pub accessors: Vec<Item>,
    /// Names of the users of constant buffers: the nodes, then the materials.
    pub constants: Vec<String>,
    /// Path to the first node that uses each constant buffer.
    pub constants_used_from: Vec<Option<Arc<str>>>,
    pub images: Vec<Image>,
    /// Files that its buffers and images are in, existing or not.
    pub files: Vec<PathBuf>,
    pub compressed: CompressedGeometry,
    /// Number of accessors of an unknown type, which count as scalars.
    pub unknown_types: u64,
    /// Bytes after the end of a .glb file, which are not read.
    pub trailing_bytes: u64,
}

/// Reads a scene and the first bytes of its images, which are searched in its folder.
///
/// # Errors
/// The file cannot be read, is not glTF, or is inconsistent: a view beyond its buffer, an accessor beyond its view, a
/// size of 0 or beyond 64 bits, a reference to a missing element.
pub fn read(path: &Path) -> Result<Scene, SceneError> {
    Scene::read(path).map(|(_, scene)| scene)
}

impl Scene {
    /// Reads a file, and returns its JSON and its scene.
    pub(super) fn read(path: &Path) -> Result<(Document, Scene), SceneError> {
        let origin = path.display().to_string();
        let bytes = bytes(path).map_err(|source| SceneError::Read { origin: origin.clone(), source })?;
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Scene::parsed(&bytes, name, path.parent().unwrap_or(Path::new("")), &origin)
    }

    /// Parses the scene in a file's bytes, with images in `folder`; errors name the file `origin`.
    #[cfg(test)]
    pub(super) fn new(bytes: &[u8], name: String, folder: &Path, origin: &str) -> Result<Scene, SceneError> {
        Scene::parsed(bytes, name, folder, origin).map(|(_, scene)| scene)
    }

    fn parsed(bytes: &[u8], name: String, folder: &Path, origin: &str) -> Result<(Document, Scene), SceneError> {
        // Some editors write a byte order mark at the start of a file.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let document = parse(bytes, origin)?;
        let root = &document.root;
        let view_bytes = size::views(root).map_err(|fault| fault.within(origin))?;
        let accessor_bytes = size::accessors(root, &view_bytes).map_err(|fault| fault.within(origin))?;
        let mut images = images(&document, folder).map_err(|fault| fault.within(origin))?;
        let users = users(root);
        images.iter_mut().zip(&users.images).for_each(|(image, user)| image.used_from.clone_from(user));
        let accessors = root.accessors.iter().zip(&accessor_bytes).enumerate();
        let accessors: Vec<Item> = accessors
            .map(|(index, (accessor, size))| item(&accessor.name, "accessor", index, *size, &users.accessors))
            .collect();
        let decoded = document.compression.decoded_accessors.iter().filter_map(|index| accessors.get(*index).cloned());
        let decoded: Vec<Item> = decoded.collect();
        let decoded_bytes: Vec<u64> = decoded.iter().map(|item| item.size_bytes).collect();
        let nodes = root.nodes.iter().enumerate().map(|(index, node)| named(&node.name, "node", index));
        let materials = root.materials.iter().enumerate();
        let scene = Scene {
            name,
            compressed: CompressedGeometry::new(&document.compression, &view_bytes, &decoded_bytes),
            unknown_types: size::unknown_types(root),
            trailing_bytes: document.trailing_bytes,
            views: views(&document, &view_bytes, &users).into_iter().chain(decoded).collect(),
            accessors,
            constants: nodes
                .chain(materials.map(|(index, material)| named(&material.name, "material", index)))
                .collect(),
            constants_used_from: users.nodes.iter().chain(&users.materials).cloned().collect(),
            images,
            files: files(&document, folder),
        };
        Ok((document, scene))
    }
}

/// Reads the bytes of a scene: of a .glb as many as its header declares, of a .gltf at most the maximum of a text.
fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(GLB_HEAD_BYTES as u64).read_to_end(&mut bytes)?;
    match glb_bytes(&bytes) {
        Some(size) => {
            // A header may declare too few bytes; reading on, up to the maximum of a text, lets the error report the
            // file's size.
            file.take(size.max(MAX_TEXT_BYTES).saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
        }
        None => bytes.extend(read_stream_limited(file, MAX_TEXT_BYTES)?),
    }
    Ok(bytes)
}

/// Files that buffers and images name.
fn files(document: &Document, folder: &Path) -> Vec<PathBuf> {
    let buffers = document.root.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    let images = document.root.images.iter().filter_map(|image| image.uri.as_deref());
    let named = buffers.chain(images).filter_map(|uri| match resolve(uri, 0) {
        UriTarget::File(path) => Some(folder.join(path)),
        UriTarget::Data(_) | UriTarget::Unavailable => None,
    });
    named.collect()
}

fn views(document: &Document, view_bytes: &[u64], users: &Users) -> Vec<Item> {
    let mut is_no_buffer = vec![false; view_bytes.len()];
    let of_images = document.root.images.iter().filter_map(|image| image.buffer_view).map(|view| view.value());
    for view in of_images.chain(document.compression.draco_views.iter().copied()) {
        if let Some(is_none) = is_no_buffer.get_mut(view) {
            *is_none = true;
        }
    }
    let views = document.root.buffer_views.iter().zip(view_bytes).enumerate();
    let data = views.filter(|(index, _)| !is_no_buffer[*index]);
    data.map(|(index, (view, size))| item(&view.name, "bufferView", index, *size, &users.views)).collect()
}

fn item(name: &Option<String>, kind: &str, index: usize, size_bytes: u64, users: &[Option<Arc<str>>]) -> Item {
    Item { name: named(name, kind, index), size_bytes, used_from: users.get(index).cloned().flatten() }
}

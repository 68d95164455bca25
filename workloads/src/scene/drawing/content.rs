//! Draws of a file's default scene.

use super::left_out::DiscardedEvents;
use super::material::Material;
use super::primitive::{Shape, Source};
use super::walk;
use crate::scene::content::Scene;
use crate::scene::document::Document;
use crate::scene::error::{Fault, SceneError};
use crate::scene::size;
use gltf::json::Root;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use taut_schemas::ResourceDesc;

/// Maximum number of draws of a frame, as a limit on memory. Large scenes have tens of thousands.
const MAX_DRAWS: usize = 1_000_000;

/// Draw of a primitive for a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draw {
    /// Index among the drawn nodes.
    pub node: usize,
    /// Index among the used materials.
    pub material: usize,
    pub shape: Shape,
}

/// Draws of a file's default scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    pub(super) scene: Scene,
    pub(super) draws: Vec<Draw>,
    /// Number of drawn nodes.
    pub(super) nodes: usize,
    /// Used materials.
    pub(super) materials: Vec<Material>,
    pub(super) view_bytes: Vec<u64>,
    pub(super) left_out: DiscardedEvents,
}

impl Drawing {
    /// Reads the draws of a scene and the first bytes of its images, which are searched in its folder.
    ///
    /// # Errors
    /// The file cannot be read, is not glTF, or is inconsistent, as for [`read`](crate::scene::read); a node has two
    /// parents.
    pub fn read(path: &Path) -> Result<Drawing, SceneError> {
        let (document, scene) = Scene::read(path)?;
        Drawing::of(&document, scene).map_err(|fault| fault.within(&path.display().to_string()))
    }

    /// Files that the scene's buffers and images are in, existing or not.
    pub fn files(&self) -> &[PathBuf] {
        &self.scene.files
    }

    fn of(document: &Document, scene: Scene) -> Result<Drawing, Fault> {
        let root = &document.root;
        let mut drawing = Drawing {
            scene,
            draws: Vec::new(),
            nodes: 0,
            materials: Vec::new(),
            view_bytes: size::views(root)?,
            left_out: DiscardedEvents {
                extensions: root.extensions_used.iter().cloned().collect(),
                ..DiscardedEvents::default()
            },
        };
        drawing.left_out.extensions.extend(root.extensions_required.iter().cloned());
        let Some(nodes) = walk::nodes(root)? else {
            drawing.left_out.no_scene = true;
            return Ok(drawing);
        };
        let mut places = BTreeMap::new();
        for (number, node) in nodes {
            let Some(mesh) = node.mesh else { continue };
            drawing.add_node(root, number, mesh.value(), node.skin.is_some(), &mut places)?;
        }
        Ok(drawing)
    }

    /// Adds the draws of a node. `places` has the indices of the materials so far.
    fn add_node(
        &mut self,
        root: &Root,
        node: usize,
        mesh: usize,
        has_skin: bool,
        places: &mut BTreeMap<Option<usize>, usize>,
    ) -> Result<(), Fault> {
        let Some(found) = root.meshes.get(mesh) else {
            return Err(Fault::no_such(format!("nodes[{node}].mesh"), "meshes", root.meshes.len(), mesh));
        };
        let before = self.draws.len();
        // Nodes share meshes, so the number of draws may be quadratic in the file's size.
        if before + found.primitives.len() > MAX_DRAWS {
            let expected = format!("at most {MAX_DRAWS} primitives of all nodes");
            return Err(Fault { path: format!("nodes[{node}].mesh"), expected, found: "more".to_owned() });
        }
        for (number, primitive) in found.primitives.iter().enumerate() {
            let path = format!("meshes[{mesh}].primitives[{number}]");
            let Some(shape) = Shape::new(root, primitive, &path, &mut self.left_out)? else { continue };
            let key = primitive.material.map(|material| material.value());
            let material = match places.get(&key) {
                Some(place) => *place,
                None => {
                    self.materials.push(match key {
                        None => Material::default_one(),
                        Some(index) => Material::of(root, index, format!("{path}.material"))?,
                    });
                    places.insert(key, self.materials.len() - 1);
                    self.materials.len() - 1
                }
            };
            self.draws.push(Draw { node: self.nodes, material, shape });
        }
        let moves = found.primitives.iter().any(|primitive| primitive.targets.is_some());
        if self.draws.len() > before {
            self.nodes += 1;
            self.left_out.at_rest += u64::from(has_skin || moves);
        }
        Ok(())
    }

    /// Returns name and description of an image's texture, if it has one.
    pub(super) fn texture(&self, image: usize) -> Option<(&str, ResourceDesc)> {
        let image = self.scene.images.get(image)?;
        Some((image.name.as_str(), image.texture.ok()?))
    }

    /// Returns the size in bytes of a source's element, tightly packed.
    pub(super) fn element_bytes(&self, source: Source) -> u64 {
        let accessor = self.scene.accessors.get(source.accessor);
        accessor.map_or(0, |item| item.size_bytes / source.count.max(1))
    }
}

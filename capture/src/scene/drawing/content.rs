//! What the default scene of a file draws.

use super::left_out::LeftOut;
use super::material::Material;
use super::primitive::{Shape, Source};
use super::walk;
use crate::scene::content::Scene;
use crate::scene::document::Document;
use crate::scene::error::{Fault, SceneError};
use crate::scene::size;
use gltf::json::Root;
use std::collections::BTreeMap;
use std::path::Path;
use taut_schemas::ResourceDesc;

/// A primitive of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draw {
    /// Its place among the nodes that are drawn.
    pub node: usize,
    /// Its material's place among those that are drawn with.
    pub material: usize,
    pub shape: Shape,
}

/// What the default scene of a file draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    pub(super) scene: Scene,
    pub(super) draws: Vec<Draw>,
    /// How many nodes are drawn.
    pub(super) nodes: usize,
    /// Those that are drawn with.
    pub(super) materials: Vec<Material>,
    pub(super) view_bytes: Vec<u64>,
    pub(super) left_out: LeftOut,
}

impl Drawing {
    /// Reads what a scene draws, and the first bytes of its images, which are looked for beside it.
    ///
    /// # Errors
    /// The file cannot be read, is no glTF, or says what cannot be, as for [`read`](crate::scene::read); a node has two
    /// parents.
    pub fn read(path: &Path) -> Result<Drawing, SceneError> {
        let (document, scene) = Scene::read(path)?;
        Drawing::of(&document, scene).map_err(|fault| fault.within(&path.display().to_string()))
    }

    fn of(document: &Document, scene: Scene) -> Result<Drawing, Fault> {
        let root = &document.root;
        let mut drawing = Drawing {
            scene,
            draws: Vec::new(),
            nodes: 0,
            materials: Vec::new(),
            view_bytes: size::views(root)?,
            left_out: LeftOut { extensions: root.extensions_used.iter().cloned().collect(), ..LeftOut::default() },
        };
        drawing.left_out.extensions.extend(root.extensions_required.iter().cloned());
        let Some(nodes) = walk::nodes(root)? else {
            drawing.left_out.no_scene = true;
            return Ok(drawing);
        };
        let mut places = BTreeMap::new();
        for (number, node) in nodes {
            let Some(mesh) = node.mesh else { continue };
            drawing.add_node(root, (number, mesh.value(), node.skin.is_some()), &mut places)?;
        }
        Ok(drawing)
    }

    /// Adds what a node draws. `places` has the materials so far.
    fn add_node(
        &mut self,
        root: &Root,
        (node, mesh, has_skin): (usize, usize, bool),
        places: &mut BTreeMap<Option<usize>, usize>,
    ) -> Result<(), Fault> {
        let Some(found) = root.meshes.get(mesh) else {
            return Err(Fault::no_such(format!("nodes[{node}].mesh"), "meshes", root.meshes.len(), mesh));
        };
        let before = self.draws.len();
        for (number, primitive) in found.primitives.iter().enumerate() {
            let path = format!("meshes[{mesh}].primitives[{number}]");
            let Some(shape) = Shape::of(root, primitive, &path, &mut self.left_out)? else { continue };
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

    /// The texture that an image becomes, if it becomes one.
    pub(super) fn texture(&self, image: usize) -> Option<(&str, ResourceDesc)> {
        let image = self.scene.images.get(image)?;
        Some((image.name.as_str(), image.texture.ok()?))
    }

    /// Bytes of a source's element, tightly packed.
    pub(super) fn element_bytes(&self, source: Source) -> u64 {
        let accessor = self.scene.accessors.get(source.accessor);
        accessor.map_or(0, |item| item.size_bytes / source.count.max(1))
    }
}

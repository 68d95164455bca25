//! Geometry that a scene has in compressed form (KHR_draco_mesh_compression, EXT_meshopt_compression), and the
//! accessors that it becomes in memory.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::counted;

/// Elements with compressed data, by index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Compression {
    /// Buffer views with Draco data, which no application uploads.
    pub draco_views: BTreeSet<usize>,
    /// Accessors without a view of their own, which Draco data becomes.
    pub decoded_accessors: BTreeSet<usize>,
    /// Views whose length is the length of the decoded data (EXT_meshopt_compression).
    pub meshopt_views: BTreeSet<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawRoot {
    meshes: Vec<RawMesh>,
    accessors: Vec<RawAccessor>,
    #[serde(rename = "bufferViews")]
    buffer_views: Vec<RawView>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawMesh {
    primitives: Vec<RawPrimitive>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawPrimitive {
    attributes: BTreeMap<String, usize>,
    indices: Option<usize>,
    extensions: PrimitiveExtensions,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    draco: Option<RawDraco>,
}

#[derive(Deserialize)]
struct RawDraco {
    #[serde(rename = "bufferView")]
    buffer_view: usize,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawAccessor {
    #[serde(rename = "bufferView")]
    buffer_view: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawView {
    extensions: ViewExtensions,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression", alias = "MESHOPT_compression")]
    meshopt: Option<IgnoredAny>,
}

impl Compression {
    /// Finds the compressed elements of a scene whose JSON is valid.
    pub(super) fn find(json: &[u8]) -> Compression {
        // Few scenes have such data, and the others need no second pass.
        let is_named = |name: &[u8]| json.windows(name.len()).any(|window| window == name);
        if !is_named(b"_draco_") && !is_named(b"meshopt_compression") && !is_named(b"MESHOPT_") {
            return Compression::default();
        }
        let root: RawRoot = serde_json::from_slice(json).unwrap_or_default();
        let mut found = Compression::default();
        for primitive in root.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let Some(draco) = &primitive.extensions.draco else { continue };
            found.draco_views.insert(draco.buffer_view);
            let accessors = primitive.attributes.values().copied().chain(primitive.indices);
            let has_view = |accessor: &usize| root.accessors.get(*accessor).is_none_or(|one| one.buffer_view.is_some());
            found.decoded_accessors.extend(accessors.filter(|accessor| !has_view(accessor)));
        }
        let views = root.buffer_views.iter().enumerate();
        found.meshopt_views =
            views.filter(|(_, view)| view.extensions.meshopt.is_some()).map(|(index, _)| index).collect();
        found
    }
}

/// Geometry that the file has in compressed form and that is counted as decoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CompressedGeometry {
    /// Buffer views with Draco data, which become no buffers.
    #[serde(skip_serializing_if = "is_zero")]
    pub draco_views: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub draco_view_bytes: u64,
    /// Accessors in place of these views, each a buffer.
    #[serde(skip_serializing_if = "is_zero")]
    pub decoded_accessors: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub decoded_bytes: u64,
    /// Buffer views with data of EXT_meshopt_compression, counted at the length they have when decoded.
    #[serde(skip_serializing_if = "is_zero")]
    pub meshopt_views: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub meshopt_bytes: u64,
}

/// True for a count that is left out of JSON.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl CompressedGeometry {
    pub(super) fn new(found: &Compression, view_bytes: &[u64], decoded_bytes: &[u64]) -> CompressedGeometry {
        let bytes = |views: &BTreeSet<usize>| {
            let views = views.iter().filter_map(|view| view_bytes.get(*view));
            views.fold(0_u64, |sum, bytes| sum.saturating_add(*bytes))
        };
        CompressedGeometry {
            draco_views: found.draco_views.len() as u64,
            draco_view_bytes: bytes(&found.draco_views),
            decoded_accessors: decoded_bytes.len() as u64,
            decoded_bytes: decoded_bytes.iter().fold(0, |sum, bytes| sum.saturating_add(*bytes)),
            meshopt_views: found.meshopt_views.len() as u64,
            meshopt_bytes: bytes(&found.meshopt_views),
        }
    }

    /// Returns the note on the sizes that are counted; `None` if nothing is compressed.
    pub(super) fn note(&self) -> Option<String> {
        let CompressedGeometry { draco_views, draco_view_bytes, decoded_accessors, decoded_bytes, .. } = *self;
        let sized = |count, thing, bytes| format!("{} of {}", counted(count, thing), counted(bytes, "byte"));
        let draco = (draco_views > 0).then(|| {
            let [views, accessors] = [
                sized(draco_views, "compressed buffer view", draco_view_bytes),
                sized(decoded_accessors, "accessor", decoded_bytes),
            ];
            format!("{views} (KHR_draco_mesh_compression): decoded to {accessors}, which are counted")
        });
        let meshopt = (self.meshopt_views > 0).then(|| {
            let views = counted(self.meshopt_views, "compressed buffer view");
            let bytes = counted(self.meshopt_bytes, "byte");
            format!("{views} (EXT_meshopt_compression): counted as decoded, {bytes}")
        });
        let notes: Vec<String> = [draco, meshopt].into_iter().flatten().collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

//! Conversion of mesh primitives to draws.

use super::left_out::DiscardedEvents;
use crate::scene::error::Fault;
use gltf::json::accessor::{Accessor, ComponentType};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};
use taut_schemas::PrimitiveTopology;
use taut_schemas::format::Format;

/// Data of a primitive: an accessor, and its position in its buffer view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    pub accessor: usize,
    pub view: usize,
    pub offset_bytes: u64,
    /// Distance between elements in bytes; 0 means tightly packed.
    pub stride_bytes: u64,
    pub count: u64,
}

/// Geometry of a draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    pub topology: PrimitiveTopology,
    /// Vertex buffers, in the order of the attributes' names.
    pub attributes: Vec<Source>,
    /// Key of the input layout: names and types of the attributes.
    pub layout: String,
    pub indices: Option<(Source, Format)>,
    /// Number of vertices, or of indices if the primitive has some.
    pub count: u64,
}

impl Shape {
    /// Converts a primitive; `None` if it cannot be drawn, which is counted in `left_out`.
    ///
    /// # Errors
    /// The primitive refers to a missing accessor.
    pub fn new(
        root: &Root,
        primitive: &Primitive,
        path: &str,
        left_out: &mut DiscardedEvents,
    ) -> Result<Option<Shape>, Fault> {
        let Some(topology) = topology(primitive.mode) else {
            left_out.fans_and_loops += 1;
            return Ok(None);
        };
        let (mut attributes, mut layout, mut vertices) = (Vec::new(), String::new(), None);
        for (semantic, index) in &primitive.attributes {
            let Checked::Valid(semantic) = semantic else { continue };
            let accessor = accessor(root, *index, || format!("{path}.attributes.{}", semantic.to_string()))?;
            let Some(source) = source(root, *index, accessor) else {
                left_out.without_data += 1;
                return Ok(None);
            };
            if *semantic == Semantic::Positions {
                vertices = Some(source.count);
            }
            attributes.push(source);
            let (component, kind) = (&accessor.component_type, &accessor.type_);
            layout += &format!("{semantic:?}: {component:?} {kind:?} {};", accessor.normalized);
        }
        let Some(mut count) = vertices else {
            left_out.without_data += 1;
            return Ok(None);
        };
        let mut indices = None;
        if let Some(index) = primitive.indices {
            let accessor = accessor(root, index, || format!("{path}.indices"))?;
            let Some(source) = source(root, index, accessor) else {
                left_out.without_data += 1;
                return Ok(None);
            };
            let Some(format) = index_format(accessor) else {
                left_out.narrow_indices += 1;
                return Ok(None);
            };
            count = source.count;
            indices = Some((source, format));
        }
        Ok(Some(Shape { topology, attributes, layout, indices, count }))
    }
}

fn topology(mode: Checked<Mode>) -> Option<PrimitiveTopology> {
    match mode {
        Checked::Valid(Mode::Points) => Some(PrimitiveTopology::POINTLIST),
        Checked::Valid(Mode::Lines) => Some(PrimitiveTopology::LINELIST),
        Checked::Valid(Mode::LineStrip) => Some(PrimitiveTopology::LINESTRIP),
        Checked::Valid(Mode::Triangles) => Some(PrimitiveTopology::TRIANGLELIST),
        Checked::Valid(Mode::TriangleStrip) => Some(PrimitiveTopology::TRIANGLESTRIP),
        Checked::Valid(Mode::LineLoop | Mode::TriangleFan) | Checked::Invalid => None,
    }
}

fn accessor(root: &Root, index: Index<Accessor>, path: impl FnOnce() -> String) -> Result<&Accessor, Fault> {
    let count = root.accessors.len();
    root.accessors.get(index.value()).ok_or_else(|| Fault::no_such(path(), "accessors", count, index.value()))
}

/// Returns the position of an accessor's data; `None` if it has no buffer view.
fn source(root: &Root, index: Index<Accessor>, accessor: &Accessor) -> Option<Source> {
    let view = accessor.buffer_view?.value();
    let stride = root.buffer_views.get(view)?.byte_stride.map_or(0, |stride| stride.0 as u64);
    let offset_bytes = accessor.byte_offset.map_or(0, |offset| offset.0);
    Some(Source { accessor: index.value(), view, offset_bytes, stride_bytes: stride, count: accessor.count.0 })
}

/// Returns the format of an index; `None` if Direct3D 11 has no such format.
fn index_format(accessor: &Accessor) -> Option<Format> {
    match accessor.component_type {
        Checked::Valid(of) if of.0 == ComponentType::U16 => Some(Format::R16_UINT),
        Checked::Valid(of) if of.0 == ComponentType::U32 => Some(Format::R32_UINT),
        _ => None,
    }
}

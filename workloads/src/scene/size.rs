//! Sizes of buffer views and accessors, checked against their buffers and views.

use super::error::Fault;
use gltf::json::accessor::{Accessor, GenericComponentType, Type};
use gltf::json::buffer::View;
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

/// Alignment in bytes of matrix columns (glTF 2.0, 3.6.2.4: data alignment).
const COLUMN_ALIGNMENT_BYTES: u64 = 4;

/// Returns the size of each buffer view, in bytes.
///
/// # Errors
/// A view is empty or extends beyond its buffer.
pub(super) fn views(root: &Root) -> Result<Vec<u64>, Fault> {
    root.buffer_views.iter().enumerate().map(|(index, view)| view_bytes(root, index, view)).collect()
}

fn view_bytes(root: &Root, index: usize, view: &View) -> Result<u64, Fault> {
    let path = |field: &str| format!("bufferViews[{index}].{field}");
    let buffer = view.buffer.value();
    let Some(buffer) = root.buffers.get(buffer) else {
        return Err(Fault::no_such(path("buffer"), "buffers", root.buffers.len(), buffer));
    };
    let (offset, length, available) =
        (view.byte_offset.map_or(0, |offset| offset.0), view.byte_length.0, buffer.byte_length.0);
    let Some(left) = available.checked_sub(offset) else {
        return Err(Fault::above_max(path("byteOffset"), available, offset));
    };
    match length {
        0 => Err(Fault::is_zero(path("byteLength"))),
        _ if length > left => Err(Fault::above_max(path("byteLength"), left, length)),
        _ => Ok(length),
    }
}

/// Returns the size of each accessor in bytes, tightly packed; sparse accessors and accessors without a view have their
/// dense size.
///
/// # Errors
/// An accessor is empty, extends beyond its view, or has a size above 64 bits.
pub(super) fn accessors(root: &Root, views: &[u64]) -> Result<Vec<u64>, Fault> {
    root.accessors.iter().enumerate().map(|(index, accessor)| accessor_bytes(root, views, index, accessor)).collect()
}

fn accessor_bytes(root: &Root, views: &[u64], index: usize, accessor: &Accessor) -> Result<u64, Fault> {
    let path = |field: &str| format!("accessors[{index}].{field}");
    let (element, last) = element_bytes(accessor, &path)?;
    let count = accessor.count.0;
    if count == 0 {
        return Err(Fault::is_zero(path("count")));
    }
    let Some(bytes) = count.checked_mul(element) else {
        return Err(Fault::above_max(path("count"), u64::MAX / element, count));
    };
    if let Some(view) = accessor.buffer_view {
        let stride = root.buffer_views.get(view.value()).and_then(|view| view.byte_stride);
        let stride = stride.map_or(element, |stride| stride.0 as u64);
        let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
        let run = Run { view, offset, count, element, last, stride };
        run.check(views, [path("bufferView"), path("byteOffset"), path("count")])?;
    }
    if let Some(sparse) = &accessor.sparse {
        let count = sparse.count.0;
        if count > accessor.count.0 {
            return Err(Fault::above_max(path("sparse.count"), accessor.count.0, count));
        }
        let indices = match sparse.indices.component_type {
            Checked::Valid(component) => component.0.size() as u64,
            Checked::Invalid => return Err(unknown(path("sparse.indices.componentType"), "a glTF index type")),
        };
        let paths = |part: &str| {
            let of = |field: &str| path(&format!("sparse.{part}.{field}"));
            [of("bufferView"), of("byteOffset"), path("sparse.count")]
        };
        let (view, offset) = (sparse.indices.buffer_view, sparse.indices.byte_offset.0);
        let run = Run { view, offset, count, element: indices, last: indices, stride: indices };
        run.check(views, paths("indices"))?;
        let (view, offset) = (sparse.values.buffer_view, sparse.values.byte_offset.0);
        let run = Run { view, offset, count, element, last, stride: element };
        run.check(views, paths("values"))?;
    }
    Ok(bytes)
}

/// Consecutive elements in a view.
struct Run {
    view: Index<View>,
    offset: u64,
    count: u64,
    element: u64,
    /// Size of the last element, whose last matrix column need not be padded.
    last: u64,
    stride: u64,
}

impl Run {
    /// Checks that the elements are inside the view. The paths are those of the view, the offset and the count.
    fn check(&self, views: &[u64], [view, offset, count]: [String; 3]) -> Result<(), Fault> {
        let Some(available) = views.get(self.view.value()) else {
            return Err(Fault::no_such(view, "buffer views", views.len(), self.view.value()));
        };
        if self.count == 0 {
            return Ok(());
        }
        let Some(left) = available.checked_sub(self.offset) else {
            return Err(Fault::above_max(offset, *available, self.offset));
        };
        let max = match left.checked_sub(self.last) {
            None => 0,
            // A stride of 0 means tightly packed.
            Some(before_last) => before_last / if self.stride == 0 { self.element } else { self.stride } + 1,
        };
        if self.count > max { Err(Fault::above_max(count, max, self.count)) } else { Ok(()) }
    }
}

/// Returns the number of accessors of an unknown type, which count as scalars.
pub(super) fn unknown_types(root: &Root) -> u64 {
    root.accessors.iter().filter(|accessor| matches!(accessor.type_, Checked::Invalid)).count() as u64
}

/// Returns the size of an element in bytes, with matrix columns padded, and the size without the padding of the last
/// column.
fn element_bytes(accessor: &Accessor, path: &dyn Fn(&str) -> String) -> Result<(u64, u64), Fault> {
    let component = match accessor.component_type {
        Checked::Valid(GenericComponentType(component)) => component.size() as u64,
        Checked::Invalid => return Err(unknown(path("componentType"), "a glTF component type (5120 to 5126)")),
    };
    let matrix = |rows: u64| {
        let column = (rows * component).next_multiple_of(COLUMN_ALIGNMENT_BYTES);
        (rows * column, (rows - 1) * column + rows * component)
    };
    match accessor.type_ {
        Checked::Valid(Type::Mat2) => Ok(matrix(2)),
        Checked::Valid(Type::Mat3) => Ok(matrix(3)),
        Checked::Valid(Type::Mat4) => Ok(matrix(4)),
        Checked::Valid(vector) => {
            Ok((vector.multiplicity() as u64 * component, vector.multiplicity() as u64 * component))
        }
        // Any string is valid, but only an extension would define its size; the least is one component.
        Checked::Invalid => Ok((component, component)),
    }
}

fn unknown(path: String, expected: &str) -> Fault {
    Fault { path, expected: expected.to_owned(), found: "something else".to_owned() }
}

//! Frames as streams of the Arrow C data interface.

use polars_arrow::array::{Array, StructArray};
use polars_arrow::datatypes::{ArrowDataType, Field};
use polars_arrow::ffi::{ArrowArrayStream, export_iterator};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;
use taut_tables::polars::prelude::{CompatLevel, DataFrame, PolarsResult};

/// Name of a capsule that holds a stream.
const STREAM: &CStr = c"arrow_array_stream";

/// Field of a row: a struct of the columns.
fn row_field(frame: &DataFrame) -> Field {
    let fields = frame.columns().iter().map(|column| column.field().to_arrow(CompatLevel::newest())).collect();
    Field::new("".into(), ArrowDataType::Struct(fields), false)
}

/// Arrays of a frame, without a copy of its buffers. At least one, so that a reader of an empty table has its columns.
fn arrays(mut frame: DataFrame) -> Vec<Box<dyn Array>> {
    let data_type = row_field(&frame).dtype;
    frame.align_chunks();
    let row = |batch: polars_arrow::record_batch::RecordBatch| {
        let rows = batch.len();
        StructArray::new(data_type.clone(), rows, batch.into_arrays(), None).boxed()
    };
    frame.iter_chunks(CompatLevel::newest(), false).map(row).collect()
}

/// Stream of the rows of `first` and of those that `rest` returns. A batch without rows is left out, unless all are.
pub fn stream<'py>(
    py: Python<'py>,
    first: DataFrame,
    rest: impl Iterator<Item = PolarsResult<DataFrame>> + Send + 'static,
) -> PyResult<Bound<'py, PyCapsule>> {
    let field = row_field(&first);
    let empty = first.clear();
    let mut has_rows = false;
    // Old versions of polars end at a first batch without rows.
    let parts =
        std::iter::once(Ok(first)).chain(rest).filter(|part| part.as_ref().map_or(true, |part| part.height() > 0));
    let mut parts = parts.fuse();
    let frames = std::iter::from_fn(move || {
        let part = parts.next().or_else(|| (!has_rows).then(|| Ok(empty.clone())));
        has_rows = true;
        part
    });
    let rows = frames.flat_map(|frame| match frame {
        Ok(frame) => arrays(frame).into_iter().map(Ok).collect::<Vec<_>>(),
        Err(error) => vec![Err(error)],
    });
    let stream: ArrowArrayStream = export_iterator(Box::new(rows), field);
    PyCapsule::new_with_value(py, stream, STREAM)
}

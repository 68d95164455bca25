//! Frames as streams of the Arrow C data interface.

use polars_arrow::array::{Array, StructArray, Utf8Array, Utf8ViewArray};
use polars_arrow::datatypes::{ArrowDataType, Field};
use polars_arrow::ffi::{ArrowArrayStream, export_iterator};
use polars_arrow::offset::Offset;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::Arc;
use taut_tables::polars::prelude::{CompatLevel, DataFrame, PolarsError, PolarsResult};

/// Name of a capsule that holds a stream.
const STREAM: &CStr = c"arrow_array_stream";

/// Arrow type of a text column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    /// `string`: offsets of 32 bits.
    String,
    /// `large_string`: offsets of 64 bits.
    LargeString,
}

/// Requested types of text columns, by column. The others have the type `string_view`.
#[derive(Clone, Default)]
pub struct RequestedText(Arc<HashMap<String, Text>>);

impl RequestedText {
    /// Types by column, as formats of the C data interface. Other formats than those of `string` and `large_string` are
    /// ignored.
    pub fn new(formats: HashMap<String, String>) -> RequestedText {
        let text = |format: &str| match format {
            "u" => Some(Text::String),
            "U" => Some(Text::LargeString),
            _ => None,
        };
        let formats = formats.into_iter().filter_map(|(column, format)| Some((column, text(&format)?)));
        RequestedText(Arc::new(formats.collect()))
    }

    /// Field of a column with the requested type.
    fn field(&self, field: Field) -> Field {
        match self.0.get(field.name.as_str()).filter(|_| field.dtype == ArrowDataType::Utf8View) {
            Some(Text::String) => Field { dtype: ArrowDataType::Utf8, ..field },
            Some(Text::LargeString) => Field { dtype: ArrowDataType::LargeUtf8, ..field },
            None => field,
        }
    }
}

/// Converts a text column to the type of its field, with a copy; any other column stays as it is.
fn converted(array: Box<dyn Array>, field: &Field) -> PolarsResult<Box<dyn Array>> {
    let Some(view) = array.as_any().downcast_ref::<Utf8ViewArray>() else { return Ok(array) };
    match field.dtype {
        ArrowDataType::Utf8 if view.total_bytes_len() > i32::MAX as usize => Err(PolarsError::ComputeError(
            format!(
                "{}: {} bytes of text in a batch exceed the type string: request large_string",
                field.name,
                view.total_bytes_len()
            )
            .into(),
        )),
        ArrowDataType::Utf8 => Ok(copied::<i32>(view)),
        ArrowDataType::LargeUtf8 => Ok(copied::<i64>(view)),
        _ => Ok(array),
    }
}

fn copied<O: Offset>(view: &Utf8ViewArray) -> Box<dyn Array> {
    view.iter().collect::<Utf8Array<O>>().boxed()
}

/// Field of a row: a struct of the columns.
fn row_field(frame: &DataFrame, text: &RequestedText) -> Field {
    let columns = frame.columns().iter();
    let fields = columns.map(|column| text.field(column.field().to_arrow(CompatLevel::newest()))).collect();
    Field::new("".into(), ArrowDataType::Struct(fields), false)
}

/// Arrays of a frame; only text with a requested type is copied. At least one, so that a reader of an empty table has its
/// columns.
fn arrays(mut frame: DataFrame, text: &RequestedText) -> PolarsResult<Vec<Box<dyn Array>>> {
    let data_type = row_field(&frame, text).dtype;
    let ArrowDataType::Struct(fields) = &data_type else { return Ok(Vec::new()) };
    frame.align_chunks();
    let row = |batch: polars_arrow::record_batch::RecordBatch| {
        let rows = batch.len();
        let columns = batch.into_arrays().into_iter().zip(fields).map(|(array, field)| converted(array, field));
        let columns = columns.collect::<PolarsResult<_>>()?;
        Ok(StructArray::new(data_type.clone(), rows, columns, None).boxed())
    };
    frame.iter_chunks(CompatLevel::newest(), false).map(row).collect()
}

/// Stream of the rows of `first` and of those that `rest` returns. A batch without rows is left out, unless all are.
pub fn stream<'py>(
    py: Python<'py>,
    text: RequestedText,
    first: DataFrame,
    rest: impl Iterator<Item = PolarsResult<DataFrame>> + Send + 'static,
) -> PyResult<Bound<'py, PyCapsule>> {
    let field = row_field(&first, &text);
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
    let rows = frames.flat_map(move |frame| match frame {
        Ok(frame) => match arrays(frame, &text) {
            Ok(arrays) => arrays.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        },
        Err(error) => vec![Err(error)],
    });
    let stream: ArrowArrayStream = export_iterator(Box::new(rows), field);
    PyCapsule::new_with_value(py, stream, STREAM)
}

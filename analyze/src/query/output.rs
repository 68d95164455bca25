//! An answer, in the forms it can be given out in.

use crate::error::AnalyzeError;
use crate::render::{Align, Heading, TextTable};
use polars::prelude::{AnyValue, DataFrame};
use polars_io::prelude::{CsvWriter, SerWriter};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Rows that are turned into text at a time.
const CHUNK_ROWS: usize = 1 << 12;

/// An answer: rows under named columns.
#[derive(Debug, Clone)]
pub struct QueryResult {
    pub(crate) frame: DataFrame,
}

impl QueryResult {
    /// Number of rows.
    pub fn height(&self) -> usize {
        self.frame.height()
    }

    /// The frame itself.
    pub fn frame(&self) -> &DataFrame {
        &self.frame
    }

    /// The first rows as a table for people; numbers are exact.
    pub fn table(&self, rows: usize) -> TextTable {
        let columns = self.frame.columns();
        let headings = columns.iter().map(|column| Heading {
            title: column.name().to_string(),
            align: if column.dtype().is_numeric() { Align::Right } else { Align::Left },
        });
        let row = |row: usize| columns.iter().map(|column| cell(column.get(row).unwrap_or(AnyValue::Null))).collect();
        TextTable {
            caption: String::new(),
            headings: headings.collect(),
            rows: (0..self.height().min(rows)).map(row).collect(),
        }
    }

    /// Comma-separated values with a heading.
    ///
    /// # Errors
    /// Writing failed.
    pub fn write_csv(&self, out: impl Write) -> Result<(), AnalyzeError> {
        let mut frame = self.frame.clone();
        Ok(CsvWriter::new(out).include_header(true).finish(&mut frame)?)
    }

    /// One JSON array of objects, one row a line.
    ///
    /// # Errors
    /// Writing failed.
    pub fn write_json(&self, mut out: impl Write) -> Result<(), AnalyzeError> {
        out.write_all(b"[")?;
        let columns = self.frame.columns();
        let mut text = String::new();
        for row in 0..self.height() {
            let fields = columns
                .iter()
                .map(|column| (column.name().to_string(), json_value(column.get(row).unwrap_or(AnyValue::Null))));
            text += if row == 0 { "\n" } else { ",\n" };
            text += &Value::Object(Map::from_iter(fields)).to_string();
            if row % CHUNK_ROWS == CHUNK_ROWS - 1 {
                out.write_all(text.as_bytes())?;
                text.clear();
            }
        }
        text += "\n]\n";
        Ok(out.write_all(text.as_bytes())?)
    }

    /// Parquet, with keys that say where it comes from.
    ///
    /// # Errors
    /// Writing failed.
    pub fn write_parquet(&self, out: impl Write, keys: Vec<(String, String)>) -> Result<(), AnalyzeError> {
        crate::formats::write_parquet(self.frame.clone(), out, keys)
    }
}

/// A value as people read it; null is empty.
fn cell(value: AnyValue<'_>) -> String {
    match value {
        AnyValue::Null => String::new(),
        AnyValue::String(text) => text.to_owned(),
        AnyValue::StringOwned(text) => text.to_string(),
        AnyValue::Float64(number) => format!("{number}"),
        AnyValue::Float32(number) => format!("{number}"),
        other => other.to_string(),
    }
}

fn json_value(value: AnyValue<'_>) -> Value {
    match value {
        AnyValue::Null => Value::Null,
        AnyValue::Boolean(truth) => json!(truth),
        AnyValue::String(text) => json!(text),
        AnyValue::StringOwned(text) => json!(text.as_str()),
        AnyValue::UInt8(number) => json!(number),
        AnyValue::UInt16(number) => json!(number),
        AnyValue::UInt32(number) => json!(number),
        AnyValue::UInt64(number) => json!(number),
        AnyValue::Int8(number) => json!(number),
        AnyValue::Int16(number) => json!(number),
        AnyValue::Int32(number) => json!(number),
        AnyValue::Int64(number) => json!(number),
        AnyValue::Float32(number) => json!(number),
        AnyValue::Float64(number) => json!(number),
        AnyValue::List(elements) => elements.iter().map(json_value).collect(),
        other => Value::String(other.to_string()),
    }
}

//! An answer, in the forms it can be given out in.

use crate::error::TableError;
use crate::formats::ParquetFile;
use polars::prelude::{AnyValue, DataFrame, DataType, IntoColumn, NamedFrom, Series};
use polars_io::csv::write::BatchedWriter;
use polars_io::prelude::{CsvWriter, SerWriter};
use serde_json::{Value, json};
use std::io::Write;
use taut_analyze::render::{Align, Heading, TextTable};

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
    pub fn write_csv(&self, out: impl Write) -> Result<(), TableError> {
        self.write(AnswerForm::Csv, out, Vec::new())
    }

    /// One JSON array of objects, one row a line.
    ///
    /// # Errors
    /// Writing failed.
    pub fn write_json(&self, out: impl Write) -> Result<(), TableError> {
        self.write(AnswerForm::Json, out, Vec::new())
    }

    fn write(&self, form: AnswerForm, out: impl Write, keys: Vec<(String, String)>) -> Result<(), TableError> {
        let mut writer = AnswerWriter::new(form, out, keys);
        writer.push(self.frame.clone())?;
        writer.finish()
    }
}

/// A form that an answer can be written in a part at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// Comma-separated values with a heading.
    Csv,
    /// One JSON array of objects, one row a line.
    Json,
    /// Parquet, with keys that say where it comes from.
    Parquet,
}

/// Writes an answer, part by part.
pub struct AnswerWriter<W: Write>(Writing<W>);

enum Writing<W: Write> {
    Csv { new: Option<W>, writer: Option<BatchedWriter<W>> },
    Json { out: W, any: bool },
    Parquet(Box<ParquetFile<W>>),
}

impl<W: Write> AnswerWriter<W> {
    /// A writer; only Parquet has `keys`.
    pub fn new(form: AnswerForm, out: W, keys: Vec<(String, String)>) -> AnswerWriter<W> {
        AnswerWriter(match form {
            AnswerForm::Csv => Writing::Csv { new: Some(out), writer: None },
            AnswerForm::Json => Writing::Json { out, any: false },
            AnswerForm::Parquet => Writing::Parquet(Box::new(ParquetFile::new(out, keys))),
        })
    }

    /// Writes the next rows; there must be at least one part, which may be empty.
    ///
    /// # Errors
    /// Writing failed.
    pub fn push(&mut self, part: DataFrame) -> Result<(), TableError> {
        match &mut self.0 {
            Writing::Csv { new, writer } => {
                let part = flat(part)?;
                if let Some(out) = new.take() {
                    *writer = Some(CsvWriter::new(out).include_header(true).batched(part.schema())?);
                }
                Ok(writer.as_mut().map_or(Ok(()), |writer| writer.write_batch(&part))?)
            }
            Writing::Json { out, any } => write_rows(&part, any, out),
            Writing::Parquet(file) => file.push(part),
        }
    }

    /// Ends the answer.
    ///
    /// # Errors
    /// Writing failed.
    pub fn finish(self) -> Result<(), TableError> {
        match self.0 {
            Writing::Csv { writer, .. } => Ok(writer.map_or(Ok(()), |mut writer| writer.finish())?),
            Writing::Json { mut out, any } => {
                out.write_all(if any { b"\n]\n" } else { b"[\n]\n" })?;
                Ok(out.flush()?)
            }
            Writing::Parquet(file) => file.finish().map(|_| ()),
        }
    }
}

/// Rows as JSON objects; `any` have been written before.
fn write_rows(part: &DataFrame, any: &mut bool, out: &mut impl Write) -> Result<(), TableError> {
    let columns = part.columns();
    let mut text = String::new();
    for row in 0..part.height() {
        text += if *any { ",\n{" } else { "[\n{" };
        *any = true;
        // By hand: in the order of SELECT.
        for (place, column) in columns.iter().enumerate() {
            text += if place == 0 { "" } else { "," };
            let value = json_value(column.get(row).unwrap_or(AnyValue::Null));
            text += &format!("{}:{value}", json!(column.name().as_str()));
        }
        text.push('}');
        if row % CHUNK_ROWS == CHUNK_ROWS - 1 {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    Ok(out.write_all(text.as_bytes())?)
}

/// A part whose lists and structs are texts of JSON: a table of plain values has no other form for them.
fn flat(mut part: DataFrame) -> Result<DataFrame, TableError> {
    for place in 0..part.width() {
        let column = &part.columns()[place];
        if !matches!(column.dtype(), DataType::List(_) | DataType::Struct(_)) {
            continue;
        }
        let text = |row| match column.get(row).unwrap_or(AnyValue::Null) {
            AnyValue::Null => None,
            value => Some(json_value(value).to_string()),
        };
        let texts: Vec<Option<String>> = (0..column.len()).map(text).collect();
        let texts = Series::new(column.name().clone(), texts).into_column();
        part.replace_column(place, texts)?;
    }
    Ok(part)
}

/// A value as people read it; null is empty.
fn cell(value: AnyValue<'_>) -> String {
    match value {
        AnyValue::Null => String::new(),
        AnyValue::String(text) => text.to_owned(),
        AnyValue::StringOwned(text) => text.to_string(),
        AnyValue::Float64(number) => format!("{number}"),
        AnyValue::Float32(number) => format!("{number}"),
        nested @ (AnyValue::List(_) | AnyValue::Struct(..) | AnyValue::StructOwned(_)) => {
            json_value(nested).to_string()
        }
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
        // JSON has no other word for these.
        AnyValue::Float64(number) if !number.is_finite() => json!(number.to_string()),
        AnyValue::Float64(number) => json!(number),
        AnyValue::List(elements) => elements.iter().map(json_value).collect(),
        AnyValue::Struct(_, _, fields) => {
            let values = value._iter_struct_av().map(json_value);
            fields.iter().map(|field| field.name.to_string()).zip(values).collect()
        }
        other => Value::String(other.to_string()),
    }
}

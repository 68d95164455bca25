//! Query results and their output formats.

use crate::error::TableError;
use crate::parquet::ParquetFile;
use polars::prelude::{AnyValue, DataFrame, DataType, IntoColumn, NamedFrom, Series};
use polars_io::csv::write::BatchedWriter;
use polars_io::prelude::{CsvWriter, SerWriter};
use serde_json::{Value, json};
use std::io::Write;
use taut_analyze::render::{Align, Heading, TextTable};
use taut_console::printing::{csv_safe, escaped, json_escaped};

/// Rows converted to text between two writes: bounds the memory of the text.
const CHUNK_ROWS: usize = 1 << 12;

/// Query result: rows under named columns.
#[derive(Debug, Clone)]
pub struct QueryResult {
    pub(crate) frame: DataFrame,
}

impl From<DataFrame> for QueryResult {
    fn from(frame: DataFrame) -> QueryResult {
        QueryResult { frame }
    }
}

impl QueryResult {
    /// Number of rows.
    pub fn height(&self) -> usize {
        self.frame.height()
    }

    pub fn frame(&self) -> &DataFrame {
        &self.frame
    }

    /// The first rows as a text table; numbers are printed exactly.
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
            importance: Vec::new(),
            rows: (0..self.height().min(rows)).map(row).collect(),
        }
    }

    /// Writes comma-separated values with a header line.
    ///
    /// # Errors
    /// Writing failed.
    pub fn write_csv(&self, out: impl Write) -> Result<(), TableError> {
        self.write(ResultFormat::Csv, out, Vec::new())
    }

    /// Writes one JSON array of objects, one row per line.
    ///
    /// # Errors
    /// Writing failed.
    pub fn write_json(&self, out: impl Write) -> Result<(), TableError> {
        self.write(ResultFormat::Json, out, Vec::new())
    }

    fn write(&self, form: ResultFormat, out: impl Write, keys: Vec<(String, String)>) -> Result<(), TableError> {
        let mut writer = ResultWriter::new(form, out, keys);
        writer.push(self.frame.clone())?;
        writer.finish()
    }
}

/// Output format of a result that is written in chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultFormat {
    /// Comma-separated values with a header line.
    Csv,
    /// One JSON array of objects, one row per line.
    Json,
    /// Parquet, with key-value metadata that records the source.
    Parquet,
}

/// Escaping of text in a result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResultStyle {
    /// CSV only: prefixes text that a spreadsheet would evaluate with `'`.
    pub csv_safe: bool,
    /// True if control characters are escaped, for output to a terminal. Files contain them unchanged.
    pub for_terminal: bool,
}

/// Writer of a result, chunk by chunk.
pub struct ResultWriter<W: Write> {
    writing: FormatWriter<W>,
    style: ResultStyle,
}

enum FormatWriter<W: Write> {
    Csv { new: Option<W>, writer: Option<BatchedWriter<W>> },
    Json { out: W, any: bool },
    Parquet(Box<ParquetFile<W>>),
}

impl<W: Write> ResultWriter<W> {
    /// Creates a writer; `keys` are used by Parquet only.
    pub fn new(form: ResultFormat, out: W, keys: Vec<(String, String)>) -> ResultWriter<W> {
        let writing = match form {
            ResultFormat::Csv => FormatWriter::Csv { new: Some(out), writer: None },
            ResultFormat::Json => FormatWriter::Json { out, any: false },
            ResultFormat::Parquet => FormatWriter::Parquet(Box::new(ParquetFile::new(out, keys))),
        };
        ResultWriter { writing, style: ResultStyle::default() }
    }

    /// Returns the writer with an escaping style.
    #[must_use]
    pub fn styled(self, style: ResultStyle) -> ResultWriter<W> {
        ResultWriter { style, ..self }
    }

    /// Writes the next rows. At least one chunk must be pushed; it may be empty.
    ///
    /// # Errors
    /// Writing failed.
    pub fn push(&mut self, part: DataFrame) -> Result<(), TableError> {
        match &mut self.writing {
            FormatWriter::Csv { new, writer } => {
                let part = guarded(flat(part)?, self.style)?;
                if let Some(out) = new.take() {
                    *writer = Some(CsvWriter::new(out).include_header(true).batched(part.schema())?);
                }
                Ok(writer.as_mut().map_or(Ok(()), |writer| writer.write_batch(&part))?)
            }
            FormatWriter::Json { out, any } => write_rows(&part, any, self.style, out),
            FormatWriter::Parquet(file) => file.push(part),
        }
    }

    /// Completes the output.
    ///
    /// # Errors
    /// Writing failed.
    pub fn finish(self) -> Result<(), TableError> {
        match self.writing {
            FormatWriter::Csv { writer, .. } => Ok(writer.map_or(Ok(()), |mut writer| writer.finish())?),
            FormatWriter::Json { mut out, any } => {
                out.write_all(if any { b"\n]\n" } else { b"[\n]\n" })?;
                Ok(out.flush()?)
            }
            FormatWriter::Parquet(file) => file.finish().map(|_| ()),
        }
    }
}

/// Writes rows as JSON objects; `any` is true once a row has been written.
fn write_rows(part: &DataFrame, any: &mut bool, style: ResultStyle, out: &mut impl Write) -> Result<(), TableError> {
    let columns = part.columns();
    let mut text = String::new();
    for row in 0..part.height() {
        text += if *any { ",\n{" } else { "[\n{" };
        *any = true;
        // Formatted by hand because a `serde_json` map would not keep the order of SELECT.
        for (place, column) in columns.iter().enumerate() {
            text += if place == 0 { "" } else { "," };
            let value = json_value(column.get(row).unwrap_or(AnyValue::Null));
            text += &format!("{}:{value}", json!(column.name().as_str()));
        }
        text.push('}');
        if style.for_terminal {
            // Escaped with JSON's own `\u` notation, so that the document stays equal.
            text = json_escaped(&text).into_owned();
        }
        if row % CHUNK_ROWS == CHUNK_ROWS - 1 {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    Ok(out.write_all(text.as_bytes())?)
}

/// Escapes the text values and column names of a chunk according to `style`.
fn guarded(mut part: DataFrame, style: ResultStyle) -> Result<DataFrame, TableError> {
    if style == ResultStyle::default() {
        return Ok(part);
    }
    let guard = |text: &str| -> String {
        let text = if style.for_terminal { escaped(text) } else { text.into() };
        if style.csv_safe { csv_safe(&text).into_owned() } else { text.into_owned() }
    };
    for place in 0..part.width() {
        let column = &part.columns()[place];
        let name = guard(column.name());
        let mut guarded = column.clone();
        if *column.dtype() == DataType::String {
            let text = |row| match column.get(row).unwrap_or(AnyValue::Null) {
                AnyValue::String(text) => Some(guard(text)),
                AnyValue::StringOwned(text) => Some(guard(&text)),
                _ => None,
            };
            let texts: Vec<Option<String>> = (0..column.len()).map(text).collect();
            guarded = Series::new(column.name().clone(), texts).into_column();
        }
        guarded.rename(name.into());
        part.replace_column(place, guarded)?;
    }
    Ok(part)
}

/// Converts lists and structs to JSON text: CSV has no other representation for them.
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

/// Cell text of a value; null is empty.
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
        // JSON has no literal for infinities and NaN.
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

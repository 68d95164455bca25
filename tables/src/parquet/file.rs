//! Parquet writer.

use super::checked::{Checked, KEY, Written};
use super::part_sums;
use super::row_group::{self, Packing};
use crate::error::TableError;
use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{CompatLevel, DataFrame, Schema, SchemaExt};
use polars_io::parquet::write::get_encodings;
use polars_parquet::write::{Encoding, FileWriter, KeyValue, schema_to_metadata_key};
use std::io::Write;

/// Rows per row group: enough to compress well, few enough to skip at a fine grain.
const ROW_GROUP_ROWS: usize = 1 << 17;

/// Streaming writer of a Parquet file with key-value metadata. Rows are written one row group at a time, and at most
/// one row group is buffered. The last metadata key is the checksum of the pages; the footer's checksum is stored
/// before the footer.
pub(crate) struct ParquetFile<W: Write> {
    /// Output, until the columns are known.
    new: Option<Checked<W>>,
    keys: Keys,
    packing: Packing,
    open: Option<Open<W>>,
    written: Written,
    waiting: DataFrame,
    rows: usize,
}

/// A writer whose columns are known.
struct Open<W: Write> {
    writer: FileWriter<Checked<W>>,
    encodings: Vec<Vec<Encoding>>,
}

impl<W: Write> Open<W> {
    fn new(out: Checked<W>, packing: Packing, schema: &Schema) -> PolarsResult<Open<W>> {
        let schema = schema.to_arrow(CompatLevel::newest());
        let encodings = get_encodings(&schema).to_vec();
        Ok(Open { writer: FileWriter::try_new(out, schema, packing.options())?, encodings })
    }
}

impl<W: Write> ParquetFile<W> {
    /// Creates a writer that packs for the smallest size.
    pub fn new(out: W, keys: Keys) -> ParquetFile<W> {
        ParquetFile::packed(out, keys, Packing::Small)
    }

    /// Creates a writer with a given packing.
    pub fn packed(out: W, keys: Keys, packing: Packing) -> ParquetFile<W> {
        let (out, written) = Checked::new(out, packing == Packing::Quick);
        ParquetFile { new: Some(out), keys, packing, open: None, written, waiting: DataFrame::default(), rows: 0 }
    }

    /// Returns the I/O error that caused a polars error, if there is one.
    fn why(&self, error: PolarsError) -> TableError {
        self.written.failure().map_or_else(|| error.into(), TableError::Io)
    }

    /// Adds rows; their columns must be those of the previous rows.
    ///
    /// # Errors
    /// Writing failed.
    pub fn push(&mut self, part: DataFrame) -> Result<(), TableError> {
        if let Some(out) = self.new.take() {
            self.open = Some(Open::new(out, self.packing, part.schema()).map_err(|error| self.why(error))?);
            self.waiting = part;
        } else {
            self.waiting.vstack_mut(&part)?;
        }
        while self.waiting.height() >= ROW_GROUP_ROWS {
            let rest = self.waiting.slice(ROW_GROUP_ROWS as i64, self.waiting.height() - ROW_GROUP_ROWS);
            let group = std::mem::replace(&mut self.waiting, rest).slice(0, ROW_GROUP_ROWS);
            self.group(group)?;
        }
        Ok(())
    }

    fn group(&mut self, mut rows: DataFrame) -> Result<(), TableError> {
        // One contiguous chunk per column: each polars chunk would become a row group of its own.
        rows.rechunk_mut();
        self.rows += rows.height();
        let Some(Open { writer, encodings }) = &mut self.open else { return Ok(()) };
        row_group::write(writer, self.packing, encodings, &rows).map_err(|error| self.why(error))
    }

    /// Completes the file and returns its number of rows. `push` must have been called at least once, possibly without
    /// rows.
    ///
    /// # Errors
    /// Writing failed.
    pub fn finish(self) -> Result<usize, TableError> {
        self.end().map(|(rows, _)| rows)
    }

    /// Completes the file and returns its output.
    ///
    /// # Errors
    /// Writing failed.
    pub fn finish_into(self) -> Result<Option<W>, TableError> {
        self.end().map(|(_, out)| out)
    }

    fn end(mut self) -> Result<(usize, Option<W>), TableError> {
        let rest = std::mem::take(&mut self.waiting);
        self.group(rest)?;
        let Some(Open { mut writer, .. }) = self.open.take() else { return Ok((self.rows, None)) };
        let (sum, parts) = self.written.end_of_pages();
        let parts = parts.map(|parts| (part_sums::KEY.to_owned(), parts.text()));
        let keys = self.keys.drain(..).chain(parts).chain([(KEY.to_owned(), sum.text())]);
        let keys: Vec<KeyValue> = keys.map(|(key, value)| KeyValue { key, value: Some(value) }).collect();
        let keys = match self.packing {
            Packing::Quick => [vec![schema_to_metadata_key(writer.schema())], keys].concat(),
            // The Arrow schema is left out: Parquet's own types carry the same information in a fraction of the bytes.
            Packing::Small => keys,
        };
        writer.end(Some(keys)).map_err(|error| self.why(error))?;
        let out = writer.into_inner().finish().map_err(|error| self.written.failure().unwrap_or(error))?;
        Ok((self.rows, Some(out)))
    }
}

/// Key-value metadata.
type Keys = Vec<(String, String)>;

/// Writes a frame as a Parquet file.
///
/// # Errors
/// Writing failed.
pub(crate) fn write_parquet(frame: DataFrame, out: impl Write, keys: Keys) -> Result<(), TableError> {
    let mut file = ParquetFile::new(out, keys);
    file.push(frame)?;
    file.finish().map(|_| ())
}

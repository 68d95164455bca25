//! Parquet files, written.

use super::checked::{Checked, KEY, Written};
use super::part_sums;
use super::row_group::{self, Packing};
use crate::error::TableError;
use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{CompatLevel, DataFrame, Schema, SchemaExt};
use polars_io::parquet::write::get_encodings;
use polars_parquet::write::{Encoding, FileWriter, KeyValue, schema_to_metadata_key};
use std::io::Write;

/// Rows of a row group: enough to compress well, few enough to skip by.
const ROW_GROUP_ROWS: usize = 1 << 17;

/// A Parquet file in the making, with key-value metadata. It is written row group by row group, and no more than one of these
/// is kept. Its last key is the sum of its pages; that of its footer stands before that.
pub(crate) struct ParquetFile<W: Write> {
    /// Where to, until the columns are known.
    new: Option<Checked<W>>,
    keys: Keys,
    packing: Packing,
    open: Option<Open<W>>,
    written: Written,
    waiting: DataFrame,
    rows: usize,
}

/// A file whose columns are known.
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
    /// A file with these keys, as small as can be.
    pub fn new(out: W, keys: Keys) -> ParquetFile<W> {
        ParquetFile::packed(out, keys, Packing::Small)
    }

    /// A file with these keys, packed so.
    pub fn packed(out: W, keys: Keys, packing: Packing) -> ParquetFile<W> {
        let (out, written) = Checked::new(out, packing == Packing::Quick);
        ParquetFile { new: Some(out), keys, packing, open: None, written, waiting: DataFrame::default(), rows: 0 }
    }

    /// Why something went wrong: if nothing could be written, not what polars makes of that.
    fn why(&self, error: PolarsError) -> TableError {
        self.written.failure().map_or_else(|| error.into(), TableError::Io)
    }

    /// Adds rows, whose columns are those of the rows before.
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
        // One piece: each piece would be a row group.
        rows.rechunk_mut();
        self.rows += rows.height();
        let Some(Open { writer, encodings }) = &mut self.open else { return Ok(()) };
        row_group::write(writer, self.packing, encodings, &rows).map_err(|error| self.why(error))
    }

    /// Ends the file, to which rows must have been added, if only none; gives how many it has.
    ///
    /// # Errors
    /// Writing failed.
    pub fn finish(self) -> Result<usize, TableError> {
        self.end().map(|(rows, _)| rows)
    }

    /// The same; gives where it was written to.
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
            // Parquet's own types say as much, in a fraction of the bytes.
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

//! Parquet files.

use crate::error::TableError;
use polars::prelude::DataFrame;
use polars_io::parquet::write::{BatchedWriter, KeyValueMetadata, ParquetCompression, ParquetWriter};
use std::io::Write;

/// Rows of a row group: enough to compress well, few enough to skip by.
const ROW_GROUP_ROWS: usize = 1 << 17;

/// A Parquet file in the making, zstd-compressed, with key-value metadata. It is written row group by row group, and no
/// more than one of these is kept.
pub(crate) struct ParquetFile<W: Write> {
    /// Where to and the keys, until the columns are known.
    new: Option<(W, Vec<(String, String)>)>,
    writer: Option<BatchedWriter<W>>,
    waiting: DataFrame,
    rows: usize,
}

impl<W: Write> ParquetFile<W> {
    /// A file with these keys.
    pub fn new(out: W, keys: Vec<(String, String)>) -> ParquetFile<W> {
        ParquetFile { new: Some((out, keys)), writer: None, waiting: DataFrame::default(), rows: 0 }
    }

    /// Adds rows, whose columns are those of the rows before.
    ///
    /// # Errors
    /// Writing failed.
    pub fn push(&mut self, part: DataFrame) -> Result<(), TableError> {
        if let Some((out, keys)) = self.new.take() {
            let writer = ParquetWriter::new(out)
                .with_compression(ParquetCompression::Zstd(None))
                .with_key_value_metadata(Some(KeyValueMetadata::from_static(keys)));
            self.writer = Some(writer.batched(part.schema())?);
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
        Ok(self.writer.as_mut().map_or(Ok(()), |writer| writer.write_batch(&rows))?)
    }

    /// Ends the file, to which rows must have been added, if only none; gives how many it has.
    ///
    /// # Errors
    /// Writing failed.
    pub fn finish(mut self) -> Result<usize, TableError> {
        let rest = std::mem::take(&mut self.waiting);
        self.group(rest)?;
        if let Some(writer) = &self.writer {
            writer.finish()?;
        }
        Ok(self.rows)
    }
}

/// Writes a frame as a Parquet file.
///
/// # Errors
/// Writing failed.
pub(crate) fn write_parquet(frame: DataFrame, out: impl Write, keys: Vec<(String, String)>) -> Result<(), TableError> {
    let mut file = ParquetFile::new(out, keys);
    file.push(frame)?;
    file.finish().map(|_| ())
}

//! Parquet files.

use crate::error::TableError;
use polars::error::PolarsError;
use polars::prelude::DataFrame;
use polars_io::parquet::write::{BatchedWriter, KeyValueMetadata, ParquetCompression, ParquetWriter};
use std::io::{Error as IoError, Result as IoResult, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows of a row group: enough to compress well, few enough to skip by.
const ROW_GROUP_ROWS: usize = 1 << 17;

/// A Parquet file in the making, zstd-compressed, with key-value metadata. It is written row group by row group, and no
/// more than one of these is kept.
pub(crate) struct ParquetFile<W: Write> {
    /// Where to and the keys, until the columns are known.
    new: Option<(Remembering<W>, Keys)>,
    writer: Option<BatchedWriter<Remembering<W>>>,
    failure: Failed,
    waiting: DataFrame,
    rows: usize,
}

impl<W: Write> ParquetFile<W> {
    /// A file with these keys.
    pub fn new(out: W, keys: Keys) -> ParquetFile<W> {
        let failure = Failed::default();
        let out = Remembering { out, failure: Arc::clone(&failure) };
        ParquetFile { new: Some((out, keys)), writer: None, failure, waiting: DataFrame::default(), rows: 0 }
    }

    /// Why something went wrong: if nothing could be written, not what polars makes of that.
    fn why(&self, error: PolarsError) -> TableError {
        let failed = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failed.map_or_else(|| error.into(), TableError::Io)
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
            self.writer = Some(writer.batched(part.schema()).map_err(|error| self.why(error))?);
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
        let written = self.writer.as_mut().map_or(Ok(()), |writer| writer.write_batch(&rows));
        written.map_err(|error| self.why(error))
    }

    /// Ends the file, to which rows must have been added, if only none; gives how many it has.
    ///
    /// # Errors
    /// Writing failed.
    pub fn finish(mut self) -> Result<usize, TableError> {
        let rest = std::mem::take(&mut self.waiting);
        self.group(rest)?;
        if let Some(writer) = &self.writer {
            writer.finish().map_err(|error| self.why(error))?;
        }
        Ok(self.rows)
    }
}

/// Key-value metadata.
type Keys = Vec<(String, String)>;

/// Why something could not be written, if so.
type Failed = Arc<Mutex<Option<IoError>>>;

/// A writer that remembers why it failed: polars keeps no more of that than a sentence.
struct Remembering<W> {
    out: W,
    failure: Failed,
}

impl<W> Remembering<W> {
    fn remember<T>(&self, result: IoResult<T>) -> IoResult<T> {
        result.map_err(|error| {
            let kind = error.kind();
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            kind.into()
        })
    }
}

impl<W: Write> Write for Remembering<W> {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        let written = self.out.write(bytes);
        self.remember(written)
    }

    fn flush(&mut self) -> IoResult<()> {
        let flushed = self.out.flush();
        self.remember(flushed)
    }
}

/// Writes a frame as a Parquet file.
///
/// # Errors
/// Writing failed.
pub(crate) fn write_parquet(frame: DataFrame, out: impl Write, keys: Keys) -> Result<(), TableError> {
    let mut file = ParquetFile::new(out, keys);
    file.push(frame)?;
    file.finish().map(|_| ())
}

//! Checksummed Parquet files: a writer that adds CRC-32C checksums of pages and footer, and the verification of pages.

use super::part_sums::PartSums;
use std::fs::File;
use std::io::{Error as IoError, ErrorKind, Read, Result as IoResult, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use taut_console::parquet_footer::{BEFORE_FOOTER, ENDING_BYTES, footer_bytes, sum_of};

/// Metadata key of the pages' checksum: all bytes before the page indices and the footer.
pub(super) const KEY: &str = "tautline.crc32c";

/// Size of one read while checksumming a file.
const READ_BYTES: usize = 1 << 20;

/// A byte count and the CRC-32C of those bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    bytes: u64,
    crc: u32,
}

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.crc = crc32c::crc32c_append(self.crc, bytes);
    }

    /// Returns the checksum as a metadata value.
    pub fn text(self) -> String {
        format!("{}:{:08x}", self.bytes, self.crc)
    }

    /// Number of checksummed bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }

    /// Parses a metadata value.
    pub fn from_text(text: &str) -> Option<Sum> {
        let (bytes, crc) = text.split_once(':')?;
        Some(Sum { bytes: bytes.parse().ok()?, crc: u32::from_str_radix(crc, 16).ok()? })
    }

    /// True if the file's first bytes match the checksum.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_of(self, mut file: &File) -> IoResult<bool> {
        file.seek(SeekFrom::Start(0))?;
        let mut found = Sum::default();
        let mut buffer = vec![0; READ_BYTES];
        while found.bytes < self.bytes {
            let read_bytes = buffer.len().min(usize::try_from(self.bytes - found.bytes).unwrap_or(usize::MAX));
            match file.read(&mut buffer[..read_bytes]) {
                Ok(0) => return Ok(false),
                Ok(read) => found.add(&buffer[..read]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found == self)
    }
}

/// State that a [`Checked`] writer shares with its [`Written`] handle.
#[derive(Debug, Default)]
struct State {
    failure: Option<IoError>,
    sum: Sum,
    /// Checksums per chunk of bytes, if requested.
    parts: Option<PartSums>,
    /// The footer's bytes, once it has begun.
    footer: Option<Vec<u8>>,
}

/// Handle to a [`Checked`] writer's state, for use after polars has taken the writer.
#[derive(Debug, Clone, Default)]
pub(super) struct Written(Arc<Mutex<State>>);

impl Written {
    /// Takes the error of the first failed write, if any.
    pub fn failure(&self) -> Option<IoError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).failure.take()
    }

    /// Returns the checksum of everything written so far, and the checksums per chunk if requested. All bytes after
    /// this are buffered as the footer.
    pub fn end_of_pages(&self) -> (Sum, Option<PartSums>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.footer.get_or_insert_default();
        (state.sum, state.parts.take())
    }
}

/// Writer that checksums its output and records the first I/O error: polars passes on no more of that than a sentence.
pub(super) struct Checked<W> {
    out: W,
    written: Written,
}

impl<W> Checked<W> {
    /// Creates a writer that checksums its output as a whole, and per chunk if `with_part_sums` is set.
    pub fn new(out: W, with_part_sums: bool) -> (Checked<W>, Written) {
        let state = State { parts: with_part_sums.then(PartSums::default), ..State::default() };
        let written = Written(Arc::new(Mutex::new(state)));
        (Checked { out, written: written.clone() }, written)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.written.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record_failure<T>(&self, result: IoResult<T>) -> IoResult<T> {
        result.map_err(|error| {
            let kind = error.kind();
            // The first failure is the cause; later ones follow from it.
            self.state().failure.get_or_insert(error);
            kind.into()
        })
    }
}

impl<W: Write> Checked<W> {
    /// Writes the footer with its checksum; returns the underlying writer.
    ///
    /// # Errors
    /// The footer cannot be written.
    pub fn finish(mut self) -> IoResult<W> {
        let written = self.state().footer.take().unwrap_or_default();
        let ending = written.last_chunk::<{ ENDING_BYTES as usize }>();
        let footer = ending.and_then(footer_bytes).unwrap_or_default() as usize;
        // The footer holds absolute offsets of the page indices, so the checksum goes after them: they must not move.
        let (indices, footer) = written.split_at(written.len().saturating_sub(footer));
        let (length, sum) = ((indices.len() as u32).to_le_bytes(), sum_of(indices, footer));
        self.write_all(&[indices, BEFORE_FOOTER, &length, &sum, footer].concat())?;
        self.flush()?;
        Ok(self.out)
    }
}

impl<W: Write> Write for Checked<W> {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        if let Some(footer) = &mut self.state().footer {
            footer.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        let written = self.record_failure(written)?;
        let (done, mut state) = (&bytes[..written.min(bytes.len())], self.state());
        state.sum.add(done);
        state.parts.iter_mut().for_each(|parts| parts.add(done));
        drop(state);
        Ok(written)
    }

    fn flush(&mut self) -> IoResult<()> {
        let flushed = self.out.flush();
        self.record_failure(flushed)
    }
}

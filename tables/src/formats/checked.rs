//! Bytes with their sum: written, so that whoever reads them can tell whether they are what was written.

use super::part_sums::PartSums;
use std::fs::File;
use std::io::{Error as IoError, ErrorKind, Read, Result as IoResult, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The key under which a file has the sum of its pages, all that stands before its footer.
pub(super) const KEY: &str = "tautline.crc32c";

/// What stands right before a footer, which polars expects to be sound. Behind it the length of the indices of pages that stand
/// before it, and the CRC-32C of these and of all behind that.
const BEFORE_FOOTER: &[u8; 8] = b"TAUTSUM\n";

/// What both take.
const BEFORE_FOOTER_BYTES: u64 = 16;

/// The length of a footer, and what a file ends with.
const ENDING_BYTES: u64 = 8;

/// Bytes that are read at a time.
const READ_BYTES: usize = 1 << 20;

/// So many bytes, and their CRC-32C.
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

    /// As the key's value has it.
    pub fn text(self) -> String {
        format!("{}:{:08x}", self.bytes, self.crc)
    }

    /// The bytes that it is of.
    pub fn bytes(self) -> u64 {
        self.bytes
    }

    /// That of a key's value.
    pub fn of_text(text: &str) -> Option<Sum> {
        let (bytes, crc) = text.split_once(':')?;
        Some(Sum { bytes: bytes.parse().ok()?, crc: u32::from_str_radix(crc, 16).ok()? })
    }

    /// Whether a file begins with such bytes.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn is_of(self, mut file: &File) -> IoResult<bool> {
        file.seek(SeekFrom::Start(0))?;
        let mut found = Sum::default();
        let mut buffer = vec![0; READ_BYTES];
        while found.bytes < self.bytes {
            let most = buffer.len().min(usize::try_from(self.bytes - found.bytes).unwrap_or(usize::MAX));
            match file.read(&mut buffer[..most]) {
                Ok(0) => return Ok(false),
                Ok(read) => found.add(&buffer[..read]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found == self)
    }
}

/// What can be said of a file's footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Footer {
    /// It is as it was written.
    Sound,
    Damaged,
    /// It has no sum: another program, or one of before, wrote it.
    WithoutSum,
}

impl Footer {
    /// That of a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of(mut file: &File) -> IoResult<Footer> {
        let bytes = file.seek(SeekFrom::End(0))?;
        let mut ending = [0; ENDING_BYTES as usize];
        if bytes < ENDING_BYTES {
            return Ok(Footer::Damaged);
        }
        file.seek(SeekFrom::Start(bytes - ENDING_BYTES))?;
        file.read_exact(&mut ending)?;
        let behind = footer_bytes(&ending);
        let Some(start) = behind.and_then(|behind| bytes.checked_sub(behind + BEFORE_FOOTER_BYTES)) else {
            return Ok(Footer::Damaged);
        };
        let mut before = [0; BEFORE_FOOTER_BYTES as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut before)?;
        let Some([a, b, c, d, sum @ ..]) = before.strip_prefix(BEFORE_FOOTER) else { return Ok(Footer::WithoutSum) };
        let indices = u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
        let Some(first) = start.checked_sub(indices) else { return Ok(Footer::Damaged) };
        let mut found = vec![0; usize::try_from(bytes - first).unwrap_or_default()];
        file.seek(SeekFrom::Start(first))?;
        file.read_exact(&mut found)?;
        let (indices, footer) = found.split_at((start - first) as usize);
        let footer = footer.get(BEFORE_FOOTER_BYTES as usize..).unwrap_or_default();
        Ok(if sum == sum_of(indices, footer) { Footer::Sound } else { Footer::Damaged })
    }
}

/// The sum of a file's indices and footer.
fn sum_of(indices: &[u8], footer: &[u8]) -> [u8; 4] {
    crc32c::crc32c_append(crc32c::crc32c(indices), footer).to_le_bytes()
}

/// What a footer takes with its length and the file's last word; none where these are not Parquet's.
fn footer_bytes(ending: &[u8]) -> Option<u64> {
    let [a, b, c, d, b'P', b'A', b'R', b'1'] = ending else { return None };
    Some(u64::from(u32::from_le_bytes([*a, *b, *c, *d])) + ENDING_BYTES)
}

/// What is known of a [`Checked`] writer.
#[derive(Debug, Default)]
struct State {
    failure: Option<IoError>,
    sum: Sum,
    /// If they are asked for.
    parts: Option<PartSums>,
    /// The footer, once it has begun.
    footer: Option<Vec<u8>>,
}

/// What a [`Checked`] writer tells once it is out of sight.
#[derive(Debug, Clone, Default)]
pub(super) struct Written(Arc<Mutex<State>>);

impl Written {
    /// Why something could not be written, if so.
    pub fn failure(&self) -> Option<IoError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).failure.take()
    }

    /// What was written, as a whole and perhaps in parts. All behind it is the footer.
    pub fn end_of_pages(&self) -> (Sum, Option<PartSums>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.footer.get_or_insert_default();
        (state.sum, state.parts.take())
    }
}

/// A writer that sums up, and remembers why it failed: polars keeps no more of that than a sentence.
pub(super) struct Checked<W> {
    out: W,
    written: Written,
}

impl<W> Checked<W> {
    /// One that sums up what it writes as a whole, and in parts as well if these are asked for.
    pub fn new(out: W, in_parts: bool) -> (Checked<W>, Written) {
        let state = State { parts: in_parts.then(PartSums::default), ..State::default() };
        let written = Written(Arc::new(Mutex::new(state)));
        (Checked { out, written: written.clone() }, written)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.written.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember<T>(&self, result: IoResult<T>) -> IoResult<T> {
        result.map_err(|error| {
            let kind = error.kind();
            self.state().failure.get_or_insert(error);
            kind.into()
        })
    }
}

impl<W: Write> Checked<W> {
    /// Writes the footer with its sum; gives where to.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> IoResult<W> {
        let written = self.state().footer.take().unwrap_or_default();
        let ending = written.last_chunk::<{ ENDING_BYTES as usize }>();
        let footer = ending.and_then(|ending| footer_bytes(ending)).unwrap_or_default() as usize;
        // Where indices of pages lie is said in the footer: they stay there.
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
        let written = self.remember(written)?;
        let (done, mut state) = (&bytes[..written.min(bytes.len())], self.state());
        state.sum.add(done);
        state.parts.iter_mut().for_each(|parts| parts.add(done));
        drop(state);
        Ok(written)
    }

    fn flush(&mut self) -> IoResult<()> {
        let flushed = self.out.flush();
        self.remember(flushed)
    }
}

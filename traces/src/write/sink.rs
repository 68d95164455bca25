//! Output of a trace with a count of the bytes written.

use crate::format::error::WriteError;
use crate::live::disk::DiskFile;
use crate::live::free_space::{full_error, is_full};
use crate::write::full_disk::FullDisk;
use std::io::{self, Write};
use std::path::PathBuf;

enum Output {
    File(DiskFile),
    Other(Box<dyn Write + Send>),
}

/// Output with a count of the bytes written.
pub(crate) struct Sink {
    output: Output,
    path: Option<PathBuf>,
    bytes_written: u64,
    /// Value of `bytes_written` after the last completely written call.
    whole_bytes: u64,
    /// Bytes that were passed in but not written, for lack of space.
    rest: Vec<u8>,
    /// Handler for a full disk.
    full_disk: Option<FullDisk>,
}

impl Sink {
    pub fn file(file: DiskFile, path: PathBuf) -> Sink {
        Sink { path: Some(path), ..Sink::new(Output::File(file)) }
    }

    /// Creates a sink for a file that already has `bytes_written` bytes.
    pub fn file_after(file: DiskFile, path: PathBuf, bytes_written: u64) -> Sink {
        Sink { bytes_written, whole_bytes: bytes_written, ..Sink::file(file, path) }
    }

    pub fn other(output: Box<dyn Write + Send>) -> Sink {
        Sink::new(Output::Other(output))
    }

    fn new(output: Output) -> Sink {
        Sink { output, path: None, bytes_written: 0, whole_bytes: 0, rest: Vec::new(), full_disk: None }
    }

    /// Sets the handler for a full disk: failed writes are repeated as long as it frees space.
    pub fn set_full_disk_handler(&mut self, full_disk: FullDisk) {
        self.full_disk = Some(full_disk);
    }

    /// Number of bytes passed in that the output has not accepted.
    pub fn rest_bytes(&self) -> u64 {
        self.rest.len() as u64
    }

    /// Truncates a file to the last completely written call, because a partial block is useless.
    pub fn cut(&mut self) {
        if let Output::File(file) = &self.output
            && self.whole_bytes < self.bytes_written
            && file.truncate(self.whole_bytes).is_ok()
        {
            self.bytes_written = self.whole_bytes;
        }
    }

    pub fn bytes_written(&self) -> u64 {
        self.bytes_written
    }

    /// Writes the remainder of earlier calls and all of `bytes`; bytes accepted before a failure are counted too. After
    /// a failure for lack of space, the next call continues where it stopped.
    ///
    /// # Errors
    /// The output does not accept all bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let mut rest = std::mem::take(&mut self.rest);
        let written = match rest.is_empty() {
            true => self.write_some(bytes),
            false => {
                rest.extend_from_slice(bytes);
                self.write_some(&rest)
            }
        };
        if written.is_ok() {
            self.whole_bytes = self.bytes_written;
        }
        written
    }

    fn write_some(&mut self, mut bytes: &[u8]) -> Result<(), WriteError> {
        while !bytes.is_empty() {
            let result = match &mut self.output {
                Output::File(file) => file.write(bytes),
                Output::Other(output) => output.write(bytes),
            };
            match result {
                Ok(0) => return Err(self.error(io::ErrorKind::WriteZero.into())),
                Ok(written) => {
                    self.bytes_written += written as u64;
                    bytes = &bytes[written.min(bytes.len())..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let is_full = is_full(&error);
                    let error = self.error(error);
                    if !is_full || !self.make_room(&error, bytes.len() as u64) {
                        self.rest = bytes.to_vec();
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    fn make_room(&self, error: &WriteError, bytes: u64) -> bool {
        self.full_disk.as_ref().is_some_and(|full_disk| full_disk.make_room(error, bytes))
    }

    /// Reserves space for the end of the trace, as [`FullDisk::reserve`]; `true` if the disk counts as full.
    pub fn reserve(&self, next_bytes: u64, end_bytes: u64) -> bool {
        let error = || self.error(full_error());
        self.full_disk.as_ref().is_some_and(|full_disk| full_disk.reserve(next_bytes, end_bytes, error))
    }

    /// Flushes the output; with `sync`, syncs a file to disk.
    pub fn flush(&mut self, sync: bool) -> Result<(), WriteError> {
        let result = match &mut self.output {
            Output::File(file) if sync => file.sync_all(),
            Output::File(file) => file.flush(),
            Output::Other(output) => output.flush(),
        };
        result.map_err(|error| self.error(error))
    }

    /// Error of this output.
    pub fn error(&self, source: io::Error) -> WriteError {
        WriteError::Output { path: self.path.clone(), bytes_written: self.bytes_written, source, lost: Vec::new() }
    }
}

//! Where a trace goes, and how much of it got there.

use crate::disk::DiskFile;
use crate::error::WriteError;
use std::io::{self, Write};
use std::path::PathBuf;

enum Output {
    File(DiskFile),
    Other(Box<dyn Write + Send>),
}

/// An output that counts.
pub(crate) struct Sink {
    output: Output,
    path: Option<PathBuf>,
    bytes_written: u64,
}

impl Sink {
    pub fn file(file: DiskFile, path: PathBuf) -> Sink {
        Sink { output: Output::File(file), path: Some(path), bytes_written: 0 }
    }

    pub fn other(output: Box<dyn Write + Send>) -> Sink {
        Sink { output: Output::Other(output), path: None, bytes_written: 0 }
    }

    pub fn bytes_written(&self) -> u64 {
        self.bytes_written
    }

    /// Writes all of `bytes`, counting also what a failing write took before.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), WriteError> {
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
                Err(error) => return Err(self.error(error)),
            }
        }
        Ok(())
    }

    /// Flushes; with `sync`, brings a file to disk.
    pub fn flush(&mut self, sync: bool) -> Result<(), WriteError> {
        let result = match &mut self.output {
            Output::File(file) if sync => file.sync_all(),
            Output::File(file) => file.flush(),
            Output::Other(output) => output.flush(),
        };
        result.map_err(|error| self.error(error))
    }

    /// A failure of this output.
    pub fn error(&self, source: io::Error) -> WriteError {
        WriteError::Output { path: self.path.clone(), bytes_written: self.bytes_written, source, lost: Vec::new() }
    }
}

//! A whole log in memory.

use super::error::LogError;
use super::header::LogHeader;
use super::line::LogLine;
use super::reader::LogReader;
use std::io::Read;
use std::path::Path;

/// A log, or as much of one as could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallLog {
    /// What the first line says.
    pub header: LogHeader,
    /// The other lines; line `i` has seq `i`.
    pub lines: Vec<LogLine>,
}

/// What reading a log gave.
#[derive(Debug)]
pub struct Reading {
    /// The log up to its end or to the error.
    pub log: CallLog,
    /// Why the rest could not be read; nothing of the rest is in the log.
    pub error: Option<LogError>,
}

/// Reads a file, plain or compressed with gzip.
///
/// # Errors
/// Nothing is usable: the file cannot be read, or does not begin with a header of this format and version.
pub fn read(path: &Path) -> Result<Reading, LogError> {
    LogReader::open(path).map(CallLog::collect)
}

impl CallLog {
    /// Reads any source; errors call it `origin`.
    ///
    /// # Errors
    /// As [`read`].
    pub fn from_reader(source: impl Read + Send + 'static, origin: String) -> Result<Reading, LogError> {
        LogReader::new(source, origin).map(CallLog::collect)
    }

    fn collect(mut reader: LogReader) -> Reading {
        let mut lines = Vec::new();
        let error = loop {
            match reader.next_line() {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        Reading { log: CallLog { header: reader.header().clone(), lines }, error }
    }

    /// Number of the application's threads.
    pub fn threads(&self) -> u32 {
        self.lines.iter().map(|line| line.thread.saturating_add(1)).max().unwrap_or(0)
    }
}

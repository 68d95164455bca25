//! Call log in memory.

use super::error::LogError;
use super::header::LogHeader;
use super::line::LogLine;
use super::reader::LogReader;
use std::io::Read;
use std::path::Path;

/// Log, or the part of one that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallLog {
    pub header: LogHeader,
    /// Lines after the header; line `i` has seq `i`.
    pub lines: Vec<LogLine>,
}

/// Result of reading a log.
#[derive(Debug)]
pub struct Reading {
    /// Log up to its end or to the error.
    pub log: CallLog,
    /// Error that ended the reading; no line after it is in the log.
    pub error: Option<LogError>,
}

/// Reads a file, plain or compressed with gzip.
///
/// # Errors
/// Nothing is usable: the file cannot be read, or does not begin with a header of a supported format and version.
pub fn read(path: &Path) -> Result<Reading, LogError> {
    LogReader::open(path).map(CallLog::collect)
}

impl CallLog {
    /// Reads a log from any source; errors name the file `origin`.
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

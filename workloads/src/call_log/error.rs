//! Errors of reading a log.

use std::fmt;
use std::io;
use thiserror::Error;

/// Position in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Name of the file, as passed by the caller.
    pub origin: String,
    /// Line, from 1; the header is line 1, the line with seq 0 is line 2.
    pub line: u64,
    /// Byte in the line, from 1.
    pub column: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.origin, self.line, self.column)
    }
}

/// Error that ends the reading of a log. All lines before the position are valid and were returned.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file could not be opened.
    #[error("{origin}: cannot open: {source}")]
    Open {
        /// Name of the file.
        origin: String,
        source: io::Error,
    },
    /// The file could not be read.
    #[error("{at}: cannot read on: {source}")]
    Read {
        /// Start of the unread part.
        at: Position,
        source: io::Error,
    },
    /// The compressed file is damaged or truncated.
    #[error("{at}: expected a sound gzip stream, found one that is {damage} ({source})")]
    Gzip {
        /// Start of the unreadable part, in the uncompressed text.
        at: Position,
        /// "cut short" or "damaged".
        damage: &'static str,
        /// Error of the decompressor.
        source: io::Error,
    },
    /// The text is not JSON, or a value has the wrong type for its field.
    #[error("{at}: {fault}")]
    Json {
        at: Position,
        /// Expected and found value.
        fault: String,
    },
    /// The text is valid JSON, but not a valid line at this position.
    #[error("{at}: expected {expected}, found {found}")]
    Unexpected { at: Position, expected: String, found: String },
}

impl LogError {
    /// Position at which reading ended; `None` if the file could not be opened.
    pub fn position(&self) -> Option<&Position> {
        match self {
            LogError::Open { .. } => None,
            LogError::Read { at, .. }
            | LogError::Gzip { at, .. }
            | LogError::Json { at, .. }
            | LogError::Unexpected { at, .. } => Some(at),
        }
    }

    /// True if the file could be read but its content is invalid.
    pub fn is_corruption(&self) -> bool {
        !matches!(self, LogError::Open { .. } | LogError::Read { .. })
    }
}

/// Fault within one line.
#[derive(Debug)]
pub(super) enum LineFault {
    /// Byte of the line from 1, with the expected and found value.
    Json { column: u64, fault: String },
    /// Field at fault (the start of the line if the line has no such field), with the expected and found value.
    Unexpected { field: &'static str, expected: String, found: String },
}

impl LineFault {
    /// Creates a fault for a value that its field cannot have.
    pub(super) fn unexpected(field: &'static str, expected: impl fmt::Display, found: impl fmt::Display) -> LineFault {
        LineFault::Unexpected { field, expected: expected.to_string(), found: found.to_string() }
    }

    /// Converts an error of the JSON parser in `line`. The parser's column is the end of the token at fault.
    pub(super) fn json(error: &serde_json::Error, line: &[u8]) -> LineFault {
        let column = error.column().clamp(1, line.len() + 1);
        LineFault::Json { column: column as u64, fault: json_fault(error, line.get(column - 1)) }
    }

    /// Adds the fault's position in the file.
    pub(super) fn at(self, origin: &str, line_number: u64, line: &[u8]) -> LogError {
        let at = |column| Position { origin: origin.to_owned(), line: line_number, column };
        match self {
            LineFault::Json { column, fault } => LogError::Json { at: at(column), fault },
            LineFault::Unexpected { field, expected, found } => {
                LogError::Unexpected { at: at(column_of(line, field)), expected, found }
            }
        }
    }
}

/// Returns the expected and found value of a parser's error; `byte` is the one at its position.
pub(crate) fn json_fault(error: &serde_json::Error, byte: Option<&u8>) -> String {
    let text = error.to_string();
    // The parser appends a position within the line, which is reported separately.
    let message = text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]);
    match error.classify() {
        serde_json::error::Category::Data | serde_json::error::Category::Io => message.to_owned(),
        serde_json::error::Category::Eof => format!("{message}, found the end of the line"),
        serde_json::error::Category::Syntax => format!("{message}, found {}", show_byte(byte)),
    }
}

fn show_byte(byte: Option<&u8>) -> String {
    match byte {
        None => "the end of the line".to_owned(),
        Some(byte @ 0x20..=0x7e) => format!("`{}`", char::from(*byte)),
        Some(byte) => format!("byte 0x{byte:02x}"),
    }
}

/// Returns the byte of a line, from 1, at which the first field called `field` begins.
fn column_of(line: &[u8], field: &str) -> u64 {
    let key = format!("\"{field}\"");
    let found = line.windows(key.len()).position(|window| window == key.as_bytes());
    found.map_or(1, |at| at as u64 + 1)
}

//! Why a log could not be read on.

use std::fmt;
use std::io;
use thiserror::Error;

/// A place in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Name of the file, as it was given.
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

/// Why a log could not be read on. What precedes the position is sound and was handed out.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file could not be opened.
    #[error("{origin}: cannot open: {source}")]
    Open {
        /// Name of the file.
        origin: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file could not be read.
    #[error("{at}: cannot read on: {source}")]
    Read {
        /// Where the unread part begins.
        at: Position,
        /// What the system says.
        source: io::Error,
    },
    /// The compressed file is damaged or cut short.
    #[error("{at}: expected a sound gzip stream, found one that is {damage} ({source})")]
    Gzip {
        /// Where the unreadable part begins, in the uncompressed text.
        at: Position,
        /// "cut short" or "damaged".
        damage: &'static str,
        /// What the decompressor says.
        source: io::Error,
    },
    /// The text is not JSON, or a value is not of its field's type.
    #[error("{at}: {fault}")]
    Json {
        /// Where the fault is.
        at: Position,
        /// What was expected and found.
        fault: String,
    },
    /// The text is sound JSON, but says what a log cannot say there.
    #[error("{at}: expected {expected}, found {found}")]
    Unexpected {
        /// Where it says so.
        at: Position,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
}

impl LogError {
    /// Where reading ended; `None` if the file could not be opened.
    pub fn position(&self) -> Option<&Position> {
        match self {
            LogError::Open { .. } => None,
            LogError::Read { at, .. }
            | LogError::Gzip { at, .. }
            | LogError::Json { at, .. }
            | LogError::Unexpected { at, .. } => Some(at),
        }
    }

    /// The file is there and could be read, but its content is at fault.
    pub fn is_corruption(&self) -> bool {
        !matches!(self, LogError::Open { .. } | LogError::Read { .. })
    }
}

/// A fault within one line: where in it, and what.
#[derive(Debug)]
pub(super) enum LineFault {
    /// Byte of the line from 1, and what was expected and found.
    Json { column: u64, fault: String },
    /// The field it is about (the line's beginning if the line has none of that name), expected and found.
    Unexpected { field: &'static str, expected: String, found: String },
}

impl LineFault {
    /// A value that its field cannot have there.
    pub(super) fn unexpected(field: &'static str, expected: impl fmt::Display, found: impl fmt::Display) -> LineFault {
        LineFault::Unexpected { field, expected: expected.to_string(), found: found.to_string() }
    }

    /// What the JSON parser found at fault in `line`. Its columns end at the token it stumbled over.
    pub(super) fn json(error: &serde_json::Error, line: &[u8]) -> LineFault {
        let text = error.to_string();
        let message = text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]);
        let column = error.column().clamp(1, line.len() + 1);
        let fault = match error.classify() {
            serde_json::error::Category::Data | serde_json::error::Category::Io => message.to_owned(),
            serde_json::error::Category::Eof => format!("{message}, found the end of the line"),
            serde_json::error::Category::Syntax => format!("{message}, found {}", show_byte(line.get(column - 1))),
        };
        LineFault::Json { column: column as u64, fault }
    }

    /// The fault with its place in the file.
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

fn show_byte(byte: Option<&u8>) -> String {
    match byte {
        None => "the end of the line".to_owned(),
        Some(byte @ 0x20..=0x7e) => format!("`{}`", char::from(*byte)),
        Some(byte) => format!("byte 0x{byte:02x}"),
    }
}

/// Byte of a line, from 1, where the first field called `field` begins.
fn column_of(line: &[u8], field: &str) -> u64 {
    let key = format!("\"{field}\"");
    let found = line.windows(key.len()).position(|window| window == key.as_bytes());
    found.map_or(1, |at| at as u64 + 1)
}

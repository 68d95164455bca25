//! Fault in one row of a file.

use crate::call_log::{LogError, Position, json_fault};
use crate::json_elements::JsonElements;
use std::fmt;

/// Fault with the byte of the row at which it was found.
#[derive(Debug)]
pub(crate) struct RowFault {
    offset: usize,
    kind: FaultKind,
}

#[derive(Debug)]
enum FaultKind {
    Json(String),
    Unexpected { expected: String, found: String },
}

impl RowFault {
    /// Creates a fault for a value other than the expected one.
    pub(crate) fn unexpected(offset: usize, expected: impl fmt::Display, found: impl fmt::Display) -> RowFault {
        RowFault { offset, kind: FaultKind::Unexpected { expected: expected.to_string(), found: found.to_string() } }
    }

    /// Converts an error of the JSON parser in `text`, which begins at byte `base` of the row.
    pub(crate) fn json(error: &serde_json::Error, text: &[u8], base: usize) -> RowFault {
        // The parser's column is the end of the token at fault, in its line of the text.
        let lines_before = text.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
        let line_start: usize = lines_before.map(<[u8]>::len).sum();
        let offset = (line_start + error.column().saturating_sub(1)).min(text.len());
        RowFault { offset: base + offset, kind: FaultKind::Json(json_fault(error, text.get(offset))) }
    }

    /// Adds the position in the file.
    pub(crate) fn at(self, origin: &str, elements: &JsonElements) -> LogError {
        let position = elements.position(self.offset);
        let at = Position { origin: origin.to_owned(), line: position.line, column: position.column };
        match self.kind {
            FaultKind::Json(fault) => LogError::Json { at, fault },
            FaultKind::Unexpected { expected, found } => LogError::Unexpected { at, expected, found },
        }
    }
}

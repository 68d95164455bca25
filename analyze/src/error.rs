//! Errors of the analysis.

use taut_schemas::Opcode;
use taut_traces::ReadError;
use thiserror::Error;

/// Reason why a table or report could not be computed.
#[derive(Debug, Error)]
pub enum AnalyzeError {
    /// The trace could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The trace's schema table has an event, but lacks a required field of it.
    #[error("event {event} ({opcode:?}) in the trace's schema table: expected a field `{field}`, found {found}")]
    Field {
        event: String,
        opcode: Opcode,
        field: String,
        /// Fields that the event has.
        found: String,
    },
    /// A name that no report has.
    #[error("there is no report `{found}`: {known}")]
    Report {
        found: String,
        /// The nearest name, or all names.
        known: String,
    },
    /// A record does not match the trace's schema table.
    #[error("stamp {stamp}, thread {thread}, {event}: {error}")]
    Record {
        stamp: u64,
        thread: u32,
        event: String,
        /// A text with what was expected and found.
        error: String,
    },
    /// The output could not be written.
    #[error("writing: {0}")]
    Io(#[from] std::io::Error),
    /// A report's figures could not be converted to JSON.
    #[error("report: {0}")]
    Json(#[from] serde_json::Error),
}

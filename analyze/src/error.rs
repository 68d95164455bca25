//! Why a trace could not be analyzed.

use taut_schemas::Opcode;
use taut_traces::ReadError;
use thiserror::Error;

/// Why a table or report could not be made.
#[derive(Debug, Error)]
pub enum AnalyzeError {
    /// The trace could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The trace's schema table has an event, but not a field of it that its meaning depends on.
    #[error("event {event} ({opcode:?}) in the trace's schema table: expected a field `{field}`, found {found}")]
    Field {
        /// Name of the event.
        event: String,
        /// Which of its records.
        opcode: Opcode,
        /// The field that is missing.
        field: String,
        /// The fields there are.
        found: String,
    },
    /// A name that no report has.
    #[error("there is no report `{found}`: {known}")]
    Report {
        /// The name asked for.
        found: String,
        /// The nearest name, or all there are.
        known: String,
    },
    /// A record does not hold what the trace's schema table says.
    #[error("stamp {stamp}, thread {thread}, {event}: {error}")]
    Record {
        /// Stamp of the record.
        stamp: u64,
        /// Its thread.
        thread: u32,
        /// Name of its event.
        event: String,
        /// What was expected and found.
        error: String,
    },
    /// What was asked for could not be written out.
    #[error("writing: {0}")]
    Io(#[from] std::io::Error),
    /// A report's figures could not be turned into JSON.
    #[error("report: {0}")]
    Json(#[from] serde_json::Error),
}

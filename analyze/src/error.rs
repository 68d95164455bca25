//! Why a trace could not be analyzed.

use polars::error::PolarsError;
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
    /// A name that no table has.
    #[error("expected the name of a table ({known}), found `{found}`")]
    Table {
        /// The name asked for.
        found: String,
        /// The names there are.
        known: String,
    },
    /// A name that no report has.
    #[error("expected the name of a report ({known}), found `{found}`")]
    Report {
        /// The name asked for.
        found: String,
        /// The names there are.
        known: String,
    },
    /// A table could not be put together.
    #[error("table: {0}")]
    Frame(#[from] PolarsError),
    /// A report's figures could not be turned into JSON.
    #[error("report: {0}")]
    Json(#[from] serde_json::Error),
}

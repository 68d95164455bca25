//! Why a table could not be made or written.

use crate::lake_error::LakeError;
use polars::error::PolarsError;
use taut_analyze::AnalyzeError;
use taut_traces::ReadError;
use thiserror::Error;

/// Why a table could not be made or written.
#[derive(Debug, Error)]
pub enum TableError {
    /// What the trace holds could not be made out.
    #[error(transparent)]
    Analyze(#[from] AnalyzeError),
    /// A name that no table has.
    #[error("there is no table `{found}`: {known}")]
    Table {
        /// The name asked for.
        found: String,
        /// The nearest name, or all there are.
        known: String,
    },
    /// A lake cannot be asked.
    #[error(transparent)]
    Lake(#[from] LakeError),
    /// Nobody waits for it any more.
    #[error("the question was ended")]
    Ended,
    /// What was asked for could not be written out.
    #[error("writing: {0}")]
    Io(#[from] std::io::Error),
    /// A table could not be put together.
    #[error("table: {0}")]
    Frame(#[from] PolarsError),
}

impl From<ReadError> for TableError {
    fn from(error: ReadError) -> TableError {
        TableError::Analyze(error.into())
    }
}

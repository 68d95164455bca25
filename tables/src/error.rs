//! Errors of tables.

use crate::lake_error::LakeError;
use polars::error::PolarsError;
use taut_analyze::AnalyzeError;
use taut_traces::ReadError;
use thiserror::Error;

/// Reason why a table could not be computed or written.
#[derive(Debug, Error)]
pub enum TableError {
    /// The trace's contents could not be decoded.
    #[error(transparent)]
    Analyze(#[from] AnalyzeError),
    /// No table has the name.
    #[error("there is no table `{found}`: {known}")]
    Table {
        /// The requested name.
        found: String,
        /// The nearest name, or all names.
        known: String,
    },
    /// A value does not fit into its signed 64-bit column; only a broken or hostile trace has one.
    #[error("table `{table}`, row {row}: `{column}` is {value}; expected a value from -2^63 to 2^63 - 1")]
    TooLarge {
        table: String,
        /// Row, from 1, among those that were read.
        row: u64,
        column: String,
        value: String,
    },
    /// A lake cannot be read.
    #[error(transparent)]
    Lake(#[from] LakeError),
    /// The query was cancelled.
    #[error("the query was cancelled")]
    Ended,
    /// Output could not be written.
    #[error("writing: {0}")]
    Io(#[from] std::io::Error),
    /// A frame could not be built.
    #[error("table: {0}")]
    Frame(#[from] PolarsError),
}

impl From<ReadError> for TableError {
    fn from(error: ReadError) -> TableError {
        TableError::Analyze(error.into())
    }
}

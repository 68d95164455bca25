//! Errors of captures of presents.

use std::io;
use thiserror::Error;

/// Error of a row or of the heading; other rows remain usable.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{origin}:{line}:{column}: expected {expected}, found {found}")]
pub struct PresentLogFault {
    /// Name of the file.
    pub origin: String,
    /// Line, from 1.
    pub line: u64,
    /// Column of the table, from 1.
    pub column: u64,
    pub expected: String,
    pub found: String,
}

/// Error because of which nothing of a capture is used.
#[derive(Debug, Error)]
pub enum PresentLogError {
    /// The file cannot be read.
    #[error("{origin}: {source}")]
    Read { origin: String, source: io::Error },
    /// The file has no heading or document of a capture.
    #[error(transparent)]
    Fault(#[from] PresentLogFault),
}

//! What is wrong with a row.

use thiserror::Error;

/// A row, or the heading, that does not say what it should; other rows stay usable.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{origin}:{line}:{column}: expected {expected}, found {found}")]
pub struct PresentLogFault {
    /// Name of the file.
    pub origin: String,
    /// Line, from 1.
    pub line: u64,
    /// Column of the table, from 1.
    pub column: u64,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

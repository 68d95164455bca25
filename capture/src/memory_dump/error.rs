//! Why a dump could not be read.

use std::io;
use thiserror::Error;

/// Why a dump could not be read. Nothing of it is used then.
#[derive(Debug, Error)]
pub enum DumpError {
    /// The file could not be read.
    #[error("{origin}: cannot read: {source}")]
    Read {
        /// Name of the file, as it was given.
        origin: String,
        /// What the system says.
        source: io::Error,
    },
    /// The text is not JSON, or says what a dump cannot say.
    #[error("{origin}:{line}:{column}: {fault}")]
    Json {
        /// Name of the file.
        origin: String,
        /// Line, from 1.
        line: usize,
        /// Character in the line, from 1.
        column: usize,
        /// What was expected and found.
        fault: String,
    },
    /// The bytes are no text.
    #[error("{origin}: byte {at}: expected {expected}, found another byte")]
    Text {
        /// Name of the file.
        origin: String,
        /// Where, from 0.
        at: usize,
        /// The encoding.
        expected: &'static str,
    },
}

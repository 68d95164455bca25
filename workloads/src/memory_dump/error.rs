//! Errors of reading a dump.

use std::io;
use thiserror::Error;

/// Error of reading a dump, of which nothing is used then.
#[derive(Debug, Error)]
pub enum DumpError {
    /// The file could not be read.
    #[error("{origin}: cannot read: {source}")]
    Read {
        /// Name of the file, as passed by the caller.
        origin: String,
        source: io::Error,
    },
    /// The text is not JSON, or not a valid dump.
    #[error("{origin}:{line}:{column}: {fault}")]
    Json {
        /// Name of the file.
        origin: String,
        /// Line, from 1.
        line: usize,
        /// Character in the line, from 1.
        column: usize,
        /// Expected and found value.
        fault: String,
    },
    /// The bytes are not valid text.
    #[error("{origin}: byte {at}: expected {expected}, found another byte")]
    Text {
        /// Name of the file.
        origin: String,
        /// Byte offset, from 0.
        at: usize,
        /// Encoding.
        expected: &'static str,
    },
}

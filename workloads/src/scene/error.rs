//! Errors of reading a scene.

use std::io;
use thiserror::Error;

/// Error of reading a scene, of which nothing is used then.
#[derive(Debug, Error)]
pub enum SceneError {
    /// The file could not be read.
    #[error("{origin}: cannot read: {source}")]
    Read {
        /// Name of the file, as passed by the caller.
        origin: String,
        source: io::Error,
    },
    /// The text is not JSON, or a value has the wrong type for its field.
    #[error("{origin}:{line}:{column}: {fault}")]
    Json {
        /// Name of the file.
        origin: String,
        /// Line, from 1; for a .glb file, in its JSON chunk.
        line: usize,
        /// Byte in the line, from 1.
        column: usize,
        /// Expected and found value.
        fault: String,
    },
    /// The container of a .glb file is damaged.
    #[error("{origin}: expected {expected}, found {found}")]
    Container {
        /// Name of the file.
        origin: String,
        expected: String,
        found: String,
    },
    /// The text is valid JSON, but not a valid scene.
    #[error("{origin}: {path}: expected {expected}, found {found}")]
    Field {
        /// Name of the file.
        origin: String,
        /// JSON path of the field: `bufferViews[12].byteLength`.
        path: String,
        expected: String,
        found: String,
    },
}

/// Fault in a field, without the name of the file.
#[derive(Debug)]
pub(super) struct Fault {
    pub path: String,
    pub expected: String,
    pub found: String,
}

impl Fault {
    /// Creates a fault for a value above `max`.
    pub(super) fn above_max(path: String, max: u64, found: u64) -> Fault {
        Fault { path, expected: format!("at most {max}"), found: found.to_string() }
    }

    /// Creates a fault for a value of 0.
    pub(super) fn is_zero(path: String) -> Fault {
        Fault { path, expected: "at least 1".to_owned(), found: "0".to_owned() }
    }

    /// Creates a fault for a reference beyond the `count` existing `things`.
    pub(super) fn no_such(path: String, things: &str, count: usize, found: usize) -> Fault {
        Fault { path, expected: format!("one of the {count} {things}"), found: found.to_string() }
    }

    /// Adds the name of the file.
    pub(super) fn within(self, origin: &str) -> SceneError {
        let Fault { path, expected, found } = self;
        SceneError::Field { origin: origin.to_owned(), path, expected, found }
    }
}

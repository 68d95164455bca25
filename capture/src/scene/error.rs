//! Why a scene could not be read.

use std::io;
use thiserror::Error;

/// Why a scene could not be read. Nothing of it is used then.
#[derive(Debug, Error)]
pub enum SceneError {
    /// The file could not be read.
    #[error("{origin}: cannot read: {source}")]
    Read {
        /// Name of the file, as it was given.
        origin: String,
        /// What the system says.
        source: io::Error,
    },
    /// The text is not JSON, or a value is not of its field's type.
    #[error("{origin}:{line}:{column}: {fault}")]
    Json {
        /// Name of the file.
        origin: String,
        /// Line, from 1; in a .glb file, of its JSON chunk.
        line: usize,
        /// Byte in the line, from 1.
        column: usize,
        /// What was expected and found.
        fault: String,
    },
    /// The container of a .glb file is damaged.
    #[error("{origin}: expected {expected}, found {found}")]
    Container {
        /// Name of the file.
        origin: String,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The text is sound JSON, but says what a scene cannot say there.
    #[error("{origin}: {path}: expected {expected}, found {found}")]
    Field {
        /// Name of the file.
        origin: String,
        /// Where, as a JSON path: `bufferViews[12].byteLength`.
        path: String,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
}

/// What is wrong with a field, before it is known which file it stands in.
#[derive(Debug)]
pub(super) struct Fault {
    pub path: String,
    pub expected: String,
    pub found: String,
}

impl Fault {
    /// `path` must be at most `most`.
    pub(super) fn at_most(path: String, most: u64, found: u64) -> Fault {
        Fault { path, expected: format!("at most {most}"), found: found.to_string() }
    }

    /// `path` must be at least 1.
    pub(super) fn at_least_one(path: String) -> Fault {
        Fault { path, expected: "at least 1".to_owned(), found: "0".to_owned() }
    }

    /// `path` must name one of `count` `things`.
    pub(super) fn no_such(path: String, things: &str, count: usize, found: usize) -> Fault {
        Fault { path, expected: format!("one of the {count} {things}"), found: found.to_string() }
    }

    /// The fault, in its file.
    pub(super) fn within(self, origin: &str) -> SceneError {
        let Fault { path, expected, found } = self;
        SceneError::Field { origin: origin.to_owned(), path, expected, found }
    }
}

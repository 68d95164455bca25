//! Error of reading a scenario.

use crate::bundled::error::WorkloadError;
use std::io;
use taut_runtime::ProfileError;
use taut_shaders::MaterialError;
use thiserror::Error;

/// Error of reading a scenario, of which nothing is used then.
#[derive(Debug, Error)]
pub enum ScenarioError {
    /// The file could not be read.
    #[error("{origin}: cannot read: {source}")]
    Read {
        /// Name of the file, as passed by the caller.
        origin: String,
        source: io::Error,
    },
    /// The text is not TOML, or not a valid scenario.
    #[error(transparent)]
    Text(#[from] ProfileError),
    /// A shader from a file is invalid.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A bundled shader is invalid.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
}

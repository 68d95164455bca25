//! Errors of reading a lake.

use std::path::PathBuf;
use taut_schemas::counted;
use thiserror::Error;

/// Reason why a lake cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LakeError {
    /// The folder cannot be read.
    #[error("{}: {why}", folder.display())]
    Folder {
        folder: PathBuf,
        /// Message of the system.
        why: String,
    },
    /// The folder is not a lake.
    #[error("{} is not a lake: expected a folder that `taut export --to parquet` wrote, with a folder `traces`", folder.display())]
    NoLake { folder: PathBuf },
    /// The lake holds no complete trace.
    #[error("{}: this lake has no trace", folder.display())]
    Empty { folder: PathBuf },
    /// Traces were exported with another layout of the tables.
    #[error(
        "{}: of {}, {traces} of them with other tables than this build's (`trace={first}`); exporting them again into the lake \
         writes these", folder.display(), counted(*of, "trace")
    )]
    Version {
        folder: PathBuf,
        /// Number of traces with another layout.
        traces: u64,
        /// Number of all traces.
        of: u64,
        /// Id of the first such trace.
        first: String,
    },
    /// A required file is missing.
    #[error("{} is not there: the lake has lost it; exporting the trace again writes it", file.display())]
    Lost { file: PathBuf },
    /// A file does not match its checksum.
    #[error("{} is damaged or not of this lake; without the file, exporting the trace again writes it", file.display())]
    Damaged { file: PathBuf },
    /// A file was replaced while the lake was open.
    #[error("{} was replaced while it was read: run the query again", file.display())]
    Changed { file: PathBuf },
}

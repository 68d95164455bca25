//! Why a lake cannot be asked.

use std::path::PathBuf;
use taut_schemas::counted;
use thiserror::Error;

/// Why a lake cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LakeError {
    /// The folder cannot be read.
    #[error("{}: {why}", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The folder is something else.
    #[error("{} is no lake: expected a folder that `taut export --to parquet` wrote, with a folder `traces`", folder.display())]
    NoLake {
        /// Which.
        folder: PathBuf,
    },
    /// No export into it has ended.
    #[error("{}: this lake has no trace", folder.display())]
    Empty {
        /// Which.
        folder: PathBuf,
    },
    /// Another version of the tables.
    #[error(
        "{}: of {}, {traces} of them with other tables than this build's (`trace={first}`); exporting them again into the lake \
         writes these", folder.display(), counted(*of, "trace")
    )]
    Version {
        /// Which.
        folder: PathBuf,
        /// How many traces have them.
        traces: u64,
        /// Of how many.
        of: u64,
        /// The first of them.
        first: String,
    },
    /// A file that has to be there is not.
    #[error("{} is not there: the lake has lost it; exporting the trace again writes it", file.display())]
    Lost {
        /// Which.
        file: PathBuf,
    },
    /// A file is not what was written.
    #[error("{} is damaged or not of this lake; without the file, exporting the trace again writes it", file.display())]
    Damaged {
        /// Which.
        file: PathBuf,
    },
    /// A file is another than before.
    #[error("{} was written anew while it was read: ask again", file.display())]
    Changed {
        /// Which.
        file: PathBuf,
    },
}

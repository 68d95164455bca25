//! File state at a moment, to detect changes.

use std::path::Path;
use std::time::SystemTime;

/// State of a file on disk. If two states of a path differ, the file was replaced or modified in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    pub bytes: u64,
    /// Time of the last modification.
    pub modified: SystemTime,
    #[cfg(unix)]
    place: (u64, u64),
}

impl FileState {
    /// State of the file at a path; `None` if there is no regular file.
    pub fn from_path(path: &Path) -> Option<FileState> {
        let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        Some(FileState {
            bytes: metadata.len(),
            modified: metadata.modified().ok()?,
            #[cfg(unix)]
            place: {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino())
            },
        })
    }
}

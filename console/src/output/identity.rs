//! Identity of a file, independent of its name.

use std::fs::{File, Metadata};
use std::path::Path;

/// Identity of a file on disk, the same for all its symbolic and hard links. Devices and pipes have none: writing to
/// them does not change what is read from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] std::path::PathBuf);

impl Identity {
    /// Identity of the file at `path`, if there is one.
    pub fn from_path(path: &Path) -> Option<Identity> {
        Identity::new(&std::fs::metadata(path).ok()?, path)
    }

    /// Identity of the file that standard input is redirected from, if any.
    pub fn from_stdin() -> Option<Identity> {
        Identity::from_open(&super::stdin_file().ok()?)
    }

    /// Identity of the file that standard output is redirected to, if any.
    pub fn from_stdout() -> Option<Identity> {
        Identity::from_open(&super::stdout_file().ok()?)
    }

    #[cfg(unix)]
    fn from_open(file: &File) -> Option<Identity> {
        Identity::new(&file.metadata().ok()?, Path::new(""))
    }

    /// Without inodes, an open file cannot be identified in safe code.
    #[cfg(not(unix))]
    fn from_open(_: &File) -> Option<Identity> {
        None
    }

    #[cfg(unix)]
    fn new(metadata: &Metadata, _: &Path) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Identity((metadata.dev(), metadata.ino())))
    }

    #[cfg(not(unix))]
    fn new(metadata: &Metadata, path: &Path) -> Option<Identity> {
        if metadata.is_file() { std::fs::canonicalize(path).ok().map(Identity) } else { None }
    }
}

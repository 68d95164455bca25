//! Which file something is, whatever it is called.

use std::fs::{File, Metadata};
use std::path::Path;

/// A file on a disk, known again under another name, through symbolic and hard links. Devices and pipes have none: what
/// is written to them does not change what is read from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] std::path::PathBuf);

impl Identity {
    /// The file at `path`, if there is one.
    pub fn of(path: &Path) -> Option<Identity> {
        Identity::new(&std::fs::metadata(path).ok()?, path)
    }

    /// The file that standard input is redirected from, if it is.
    pub fn of_stdin() -> Option<Identity> {
        Identity::of_open(&super::stdin_file().ok()?)
    }

    /// The file that standard output is redirected to, if it is.
    pub fn of_stdout() -> Option<Identity> {
        Identity::of_open(&super::stdout_file().ok()?)
    }

    #[cfg(unix)]
    fn of_open(file: &File) -> Option<Identity> {
        Identity::new(&file.metadata().ok()?, Path::new(""))
    }

    /// Without inodes, an open file cannot be known again by safe means.
    #[cfg(not(unix))]
    fn of_open(_: &File) -> Option<Identity> {
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

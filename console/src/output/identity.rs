//! Identity of a file, independent of its name.

use std::fs::File;
#[cfg(unix)]
use std::fs::Metadata;
use std::path::Path;

/// Identity of a file on disk, the same for all its symbolic and hard links. Devices and pipes have none: writing to
/// them does not change what is read from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl Identity {
    /// Identity of the file at `path`, if there is one.
    pub fn from_path(path: &Path) -> Option<Identity> {
        #[cfg(unix)]
        return Identity::new(&std::fs::metadata(path).ok()?);
        #[cfg(windows)]
        Identity::from_open(&File::open(path).ok()?)
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
        Identity::new(&file.metadata().ok()?)
    }

    /// The number of the volume and that of the file on it.
    #[cfg(windows)]
    fn from_open(file: &File) -> Option<Identity> {
        if !winapi_util::file::typ(file).is_ok_and(|kind| kind.is_disk()) {
            return None;
        }
        let found = winapi_util::file::information(file).ok()?;
        Some(Identity(found.volume_serial_number(), found.file_index()))
    }

    #[cfg(unix)]
    fn new(metadata: &Metadata) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Identity(metadata.dev(), metadata.ino()))
    }
}

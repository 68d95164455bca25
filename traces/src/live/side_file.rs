//! Side files and folders of a recording next to its trace: recognised without following links, and removed only if
//! they are still the files that were recognised.
//!
//! Any user who may write to the folder of a trace can put a file, a link or a pipe in place of a side file. So the
//! name alone proves nothing: a side file is a regular file with one link, owned by this user, and with contents of
//! this trace.

use crate::format::error::WriteError;
use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Path of the sidecar of a trace.
pub(crate) fn sidecar_path(trace: &Path) -> PathBuf {
    let mut name = OsString::from(trace.as_os_str());
    name.push(".live");
    PathBuf::from(name)
}

/// Error for a file that is not a usable side file.
#[derive(Debug)]
pub(crate) enum SideFileError {
    /// The file cannot be read.
    Io(PathBuf, io::Error),
    /// The file is not a side file of the recorder; the text states its kind.
    Foreign(PathBuf, String),
}

impl SideFileError {
    pub fn foreign(path: &Path, found: impl Into<String>) -> SideFileError {
        SideFileError::Foreign(path.to_owned(), found.into())
    }
}

impl From<SideFileError> for WriteError {
    fn from(error: SideFileError) -> WriteError {
        match error {
            SideFileError::Io(path, source) => {
                WriteError::Output { path: Some(path), bytes_written: 0, source, lost: Vec::new() }
            }
            SideFileError::Foreign(path, found) => WriteError::SideFile { path, found },
        }
    }
}

/// Identity of a file, independent of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// Identity of an open file.
    ///
    /// # Errors
    /// The file cannot be queried.
    #[cfg(unix)]
    pub fn from_file(file: &File) -> io::Result<FileId> {
        file.metadata().map(|metadata| FileId::new(&metadata))
    }

    /// Identity of an open file: the number of its volume, and its number there.
    ///
    /// # Errors
    /// The file cannot be queried.
    #[cfg(windows)]
    pub fn from_file(file: &File) -> io::Result<FileId> {
        let found = winapi_util::file::information(file)?;
        Ok(FileId { device: found.volume_serial_number(), inode: found.file_index() })
    }

    #[cfg(unix)]
    fn new(metadata: &Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId { device: metadata.dev(), inode: metadata.ino() }
    }

    /// True if `path` still refers to this file.
    ///
    /// # Errors
    /// The path cannot be queried.
    pub fn is_at(self, path: &Path) -> io::Result<bool> {
        match std::fs::symlink_metadata(path) {
            Ok(present) => Ok(!present.is_symlink() && self.is(path, &present)?),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    #[cfg(unix)]
    fn is(self, _: &Path, present: &Metadata) -> io::Result<bool> {
        Ok(FileId::new(present) == self)
    }

    #[cfg(windows)]
    fn is(self, path: &Path, _: &Metadata) -> io::Result<bool> {
        match File::open(path) {
            Ok(file) => Ok(FileId::from_file(&file)? == self),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Opens a side file for reading, and for writing if `writable`; `None` if there is none.
///
/// # Errors
/// The file cannot be opened, or is a link, not a regular file, a file with several links, or another user's.
pub(crate) fn open_side_file(path: &Path, writable: bool) -> Result<Option<File>, SideFileError> {
    let io = |error| SideFileError::Io(path.to_owned(), error);
    // Checked before opening: opening another user's file would only report a missing permission.
    if !is_present(path, foreign)? {
        return Ok(None);
    }
    let mut options = OpenOptions::new();
    options.read(true).write(writable);
    let file = match no_follow(&mut options).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io(error)),
    };
    // Checked again, because the name may refer to another file by now.
    match foreign(&file.metadata().map_err(io)?) {
        Some(found) => Err(SideFileError::foreign(path, found)),
        None => Ok(Some(file)),
    }
}

/// True if a file, folder or link exists at `path`; links are not followed.
///
/// # Errors
/// The path cannot be queried, or `foreign` returns the kind of an entry that the recorder did not create.
pub(crate) fn is_present(path: &Path, foreign: fn(&Metadata) -> Option<String>) -> Result<bool, SideFileError> {
    match std::fs::symlink_metadata(path) {
        Ok(metadata) => foreign(&metadata).map_or(Ok(true), |found| Err(SideFileError::foreign(path, found))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(SideFileError::Io(path.to_owned(), error)),
    }
}

/// Makes opening a link fail, and opening a pipe return immediately.
#[cfg(unix)]
pub(crate) fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
    use nix::libc::{O_NOFOLLOW, O_NONBLOCK};
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(O_NOFOLLOW | O_NONBLOCK)
}

#[cfg(not(unix))]
pub(crate) fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Reason for which a file is not a side file of this user, from its metadata alone.
fn foreign(metadata: &Metadata) -> Option<String> {
    if metadata.is_symlink() {
        return Some("a symbolic link".to_owned());
    }
    if metadata.is_dir() {
        return Some("a folder".to_owned());
    }
    if !metadata.is_file() {
        return Some("a pipe or a device".to_owned());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if metadata.nlink() > 1 {
            return Some(format!("a file with {} links", metadata.nlink()));
        }
    }
    owner(metadata)
}

/// Reason why a folder is not this user's folder. The metadata must be that of the path itself, not of a link's
/// target.
pub(crate) fn foreign_folder(metadata: &Metadata) -> Option<String> {
    if metadata.is_symlink() {
        return Some("a symbolic link".to_owned());
    }
    if !metadata.is_dir() {
        return Some("a file".to_owned());
    }
    owner(metadata)
}

#[cfg(unix)]
fn owner(metadata: &Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let user = nix::unistd::geteuid().as_raw();
    (metadata.uid() != user).then(|| format!("a file of user {}, where this is user {user}", metadata.uid()))
}

#[cfg(not(unix))]
fn owner(_: &Metadata) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_folders_and_pipes_are_no_side_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("file"), "text").unwrap();
        std::fs::write(path("twice"), "text").unwrap();
        std::fs::hard_link(path("twice"), path("hard")).unwrap();
        std::os::unix::fs::symlink(path("file"), path("soft")).unwrap();
        std::os::unix::fs::symlink(path("nowhere"), path("dangling")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        assert!(open_side_file(&path("file"), true).unwrap().is_some());
        assert!(open_side_file(&path("none"), true).unwrap().is_none());
        for name in ["hard", "soft", "dangling", "pipe", "."] {
            let opened = open_side_file(&path(name), true);
            assert!(matches!(opened, Err(SideFileError::Foreign(..))), "{name}: {opened:?}");
        }
    }

    #[test]
    fn a_file_that_took_the_name_of_another_is_not_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = File::create(&path).unwrap();
        let id = FileId::from_file(&file).unwrap();
        assert!(id.is_at(&path).unwrap());
        std::fs::rename(&path, folder.path().join("moved")).unwrap();
        assert!(!id.is_at(&path).unwrap());
        std::fs::write(&path, "another").unwrap();
        assert!(!id.is_at(&path).unwrap());
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(folder.path().join("moved"), &path).unwrap();
        assert!(!id.is_at(&path).unwrap(), "a link to it is not it");
    }
}

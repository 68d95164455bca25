//! Files that belong to this user and have a single name: the only ones that are changed or removed without being named
//! by the user.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Result as IoResult};
use std::path::Path;
use taut_traces::{nonblocking, require_regular};

/// Opens for reading a regular file that has one name and belongs to this user. The last component of the path must not
/// be a link; opening a pipe does not block.
///
/// # Errors
/// The file cannot be opened, is a link, a pipe, a device, a folder or another user's, or has further names.
pub fn open_own(path: &Path) -> IoResult<File> {
    open_own_with(OpenOptions::new().read(true), path)
}

/// Opens a file of this user with further options. A file that is created belongs to this user and has one name.
///
/// # Errors
/// As [`open_own`].
pub(crate) fn open_own_with(options: &mut OpenOptions, path: &Path) -> IoResult<File> {
    let file = require_regular(without_links(nonblocking(options)).open(path)?)?;
    match is_own(&file.metadata()?) {
        true => Ok(file),
        false => Err(Error::new(ErrorKind::PermissionDenied, "another user's file, or one with several names")),
    }
}

/// Adds the flag that makes opening a link fail. It joins the flags of [`nonblocking`], which it would replace
/// otherwise.
#[cfg(unix)]
fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    use nix::libc::{O_NOFOLLOW, O_NONBLOCK};
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(O_NOFOLLOW | O_NONBLOCK)
}

#[cfg(not(unix))]
fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(unix)]
fn is_own(file: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.nlink() == 1 && own_user() == Some(file.uid())
}

/// On Windows, access control lists decide who may write to a file.
#[cfg(not(unix))]
fn is_own(_: &Metadata) -> bool {
    true
}

/// User id of new files. Reading it from a new file's owner is portable and needs no `unsafe`.
#[cfg(unix)]
fn own_user() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    use std::sync::OnceLock;
    static USER: OnceLock<Option<u32>> = OnceLock::new();
    *USER.get_or_init(|| {
        let new_file = tempfile::tempfile().and_then(|file| file.metadata());
        // If no file can be created, Linux shows the user as the owner of the process.
        new_file.or_else(|_| std::fs::metadata("/proc/self")).ok().map(|found| found.uid())
    })
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn links_pipes_and_files_with_two_names_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let open = |name: &str| open_own(&at(name));
        std::fs::write(at("own"), "text").unwrap();
        assert!(open("own").is_ok());
        std::os::unix::fs::symlink(at("own"), at("link")).unwrap();
        assert!(open("link").is_err());
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        assert!(open("pipe").is_err() && open(".").is_err());
        std::fs::hard_link(at("own"), at("other")).unwrap();
        assert!(open("own").is_err());
    }
}

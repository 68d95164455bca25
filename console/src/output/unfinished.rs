//! Files that are not whole yet: known to the process, so that none stays behind however it ends.

use std::collections::BTreeSet;
use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempPath};

/// The unfinished files of this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process at once; its unfinished files are removed.
pub fn end(code: i32) -> ! {
    // Kept locked to the end: no other thread finishes a file, or begins one, any more.
    let paths = unfinished();
    for path in &*paths {
        // What cannot be removed has nobody left to be told to.
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(code)
}

/// A file beside its target; removed when dropped, unless it was put in place.
pub(super) struct Unfinished(Option<TempPath>);

impl Unfinished {
    /// A new file in `folder`, with the permissions that any new file has, or with `permissions`.
    pub fn beside(folder: &Path, permissions: Option<Permissions>) -> io::Result<(File, Unfinished)> {
        let mut unfinished = unfinished();
        let (file, path) = new_file(folder)?.into_parts();
        unfinished.insert(path.to_path_buf());
        let made = Unfinished(Some(path));
        drop(unfinished);
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
        Ok((file, made))
    }

    /// Puts the file where `target` is, replacing what is there.
    pub fn put(mut self, target: &Path) -> io::Result<()> {
        let Some(path) = self.0.take() else { return Ok(()) };
        let mut unfinished = unfinished();
        unfinished.remove::<Path>(&path);
        path.persist(target).map_err(|failed| failed.error)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let mut unfinished = unfinished();
            unfinished.remove::<Path>(&path);
            drop(path);
        }
    }
}

fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".taut-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

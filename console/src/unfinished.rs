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

/// Folders that were made for files to come, those above first.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Folders that are made for files to come: they go again if none come, however the process ends.
#[derive(Default)]
pub struct Folders(Vec<PathBuf>);

impl Folders {
    /// Makes a folder, and those above it.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn make(&mut self, folder: &Path) -> io::Result<()> {
        // Locked until they are there: an end in between would leave those that come after it.
        let mut known = folders();
        let missing = folder.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.exists());
        let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        missing.reverse();
        known.extend(missing.iter().cloned());
        self.0.extend(missing);
        std::fs::create_dir_all(folder)
    }

    /// They stay.
    pub fn keep(&mut self) {
        let made = std::mem::take(&mut self.0);
        folders().retain(|folder| !made.contains(folder));
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        let made = std::mem::take(&mut self.0);
        remove(&made);
        folders().retain(|folder| !made.contains(folder));
    }
}

fn remove(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // Where something else has come to lie in it, it stays.
        let _ = std::fs::remove_dir(folder);
    }
}

/// Ends the process at once; its unfinished files are removed, and the folders that were made for them.
pub fn end(code: i32) -> ! {
    // Kept locked to the end: no other thread finishes a file or makes a folder any more.
    let (paths, folders) = (unfinished(), folders());
    for path in &*paths {
        // What cannot be removed has nobody left to be told to.
        let _ = std::fs::remove_file(path);
    }
    remove(&folders);
    std::process::exit(code)
}

/// A file beside its target; removed when dropped, unless it was put in place.
pub(crate) struct Unfinished(Option<TempPath>);

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

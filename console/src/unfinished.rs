//! Registry of unfinished files, which are removed however the process ends.

use std::collections::BTreeSet;
use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempPath};

/// Unfinished files of this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Folders that were created for future files, parents first.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Folders created for future files. They are removed if no file is completed, however the process ends.
#[derive(Default)]
pub struct Folders(Vec<PathBuf>);

impl Folders {
    /// Creates a folder with its parents.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn make(&mut self, folder: &Path) -> io::Result<()> {
        // Locked until the folders exist: a process that ends in between would otherwise miss those created later.
        let mut known = folders();
        let missing = folder.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.exists());
        let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        missing.reverse();
        known.extend(missing.iter().cloned());
        self.0.extend(missing);
        std::fs::create_dir_all(folder)
    }

    /// Makes the folders permanent.
    pub fn make_permanent(&mut self) {
        let created = std::mem::take(&mut self.0);
        folders().retain(|folder| !created.contains(folder));
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        let created = std::mem::take(&mut self.0);
        remove(&created);
        folders().retain(|folder| !created.contains(folder));
    }
}

fn remove(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // A folder that now has other contents is not empty and remains.
        let _ = std::fs::remove_dir(folder);
    }
}

/// Ends the process at once; removes its unfinished files, and the folders created for them.
pub fn end(code: i32) -> ! {
    // Must come first: the start of a recording renames its trace while it holds the lock of what this call removes.
    taut_traces::remove_pending_sidecars();
    // Locked until the process ends, so that no other thread finishes a file or creates a folder any more.
    let (paths, folders) = (unfinished(), folders());
    for path in &*paths {
        // Nobody is left to receive an error.
        let _ = std::fs::remove_file(path);
    }
    remove(&folders);
    std::process::exit(code)
}

/// Removes the unfinished files of this process, and the folders created for them. For a process that ends while a thread
/// writes: a file that is finished later cannot be put at its target.
pub fn remove_unfinished() {
    let (mut paths, mut folders) = (unfinished(), folders());
    for path in std::mem::take(&mut *paths) {
        // Nobody is left to receive an error.
        let _ = std::fs::remove_file(path);
    }
    remove(&folders);
    folders.clear();
}

/// A file next to its target; removed when dropped, unless `put` was called.
pub(crate) struct Unfinished {
    path: Option<TempPath>,
    /// Permissions of the file after `put`.
    permissions: Option<Permissions>,
}

impl Unfinished {
    /// Creates a file in `folder` that only this user can open. `put` gives it `permissions`, or those of any new file.
    pub fn create_in(folder: &Path, permissions: Option<Permissions>) -> io::Result<(File, Unfinished)> {
        let mut unfinished = unfinished();
        let (file, path) = new_file(folder).map_err(without_path)?.into_parts();
        unfinished.insert(path.to_path_buf());
        let permissions = permissions.or_else(usual_permissions);
        Ok((file, Unfinished { path: Some(path), permissions }))
    }

    /// Renames the file to `target`, replacing an existing one.
    pub fn put(mut self, target: &Path) -> io::Result<()> {
        let Some(path) = self.path.take() else { return Ok(()) };
        let mut unfinished = unfinished();
        // The lock is held during the rename, so that `end` does not remove the file at the same time.
        if let Some(permissions) = self.permissions.take() {
            // File systems without permissions refuse to set them.
            let _ = std::fs::set_permissions(&path, permissions);
        }
        unfinished.remove::<Path>(&path);
        #[cfg(not(windows))]
        return path.persist(target).map_err(|failed| failed.error);
        // `persist` replaces no file that is open.
        #[cfg(windows)]
        {
            let path = path.keep().map_err(|failed| failed.error)?;
            taut_traces::replace_file(&path, target).inspect_err(|_| drop(std::fs::remove_file(&path)))
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            let mut unfinished = unfinished();
            unfinished.remove::<Path>(&path);
            drop(path);
        }
    }
}

/// Creates the file with O_EXCL, which follows no link, and accessible to this user only.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".taut-").suffix(".part").tempfile_in(folder)
}

/// Extracts the system's error: `tempfile`'s names the temporary file, which means nothing to the user.
fn without_path(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|inner| inner.source()).and_then(|inner| inner.downcast_ref::<io::Error>());
    let code = inner.and_then(io::Error::raw_os_error).or(error.raw_os_error());
    code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

/// Permissions of any new file: 0666 without the bits of the umask. `None` if the system does not report the umask; the
/// file then stays accessible to this user only.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Reading the umask with umask(2) would change it for a moment, also for other threads.
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
        let mask = u32::from_str_radix(mask.trim(), 8).ok()?;
        Some(Permissions::from_mode(0o666 & !mask))
    }
    #[cfg(not(unix))]
    None
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn an_unfinished_file_is_this_users_alone_and_a_finished_one_as_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let (target, usual) = (folder.path().join("target"), folder.path().join("usual"));
        std::fs::write(&usual, "").unwrap();
        let (_file, unfinished) = Unfinished::create_in(folder.path(), None).unwrap();
        let part = unfinished.path.as_ref().unwrap().to_path_buf();
        assert_eq!(mode(&part), 0o600);
        unfinished.put(&target).unwrap();
        assert!(cfg!(not(target_os = "linux")) || mode(&target) == mode(&usual));
        let (_file, unfinished) = Unfinished::create_in(folder.path(), Some(Permissions::from_mode(0o640))).unwrap();
        unfinished.put(&target).unwrap();
        assert_eq!(mode(&target), 0o640);
    }

    #[test]
    fn an_unfinished_file_that_was_removed_cannot_be_put_at_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let (_file, unfinished) = Unfinished::create_in(folder.path(), None).unwrap();
        std::fs::remove_file(unfinished.path.as_ref().unwrap()).unwrap();
        assert!(unfinished.put(&target).is_err());
        assert!(!target.exists());
    }

    #[test]
    fn an_error_does_not_name_the_unfinished_file() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let Err(error) = Unfinished::create_in(&missing, None) else { panic!("there is no folder") };
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains(".taut-"), "{error}");
    }
}

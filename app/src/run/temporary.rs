//! Folders of runs in the folder for temporary files.

use crate::Error;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use taut_com::RunFolder;

/// Begin of the name of a run's folder.
pub const PREFIX: &str = "taut-run-";

/// Bytes that the system's loader does not take as part of a path in LD_LIBRARY_PATH: separators, and the begin of
/// `$ORIGIN`.
const SPECIAL: &[u8] = b":;$";

/// Symbolic links that are followed one after another, as on Linux.
const MAX_LINKS: usize = 40;

/// Folder for temporary files: TMPDIR, or /tmp if the path of TMPDIR cannot be in LD_LIBRARY_PATH.
///
/// # Errors
/// The current folder cannot be read.
pub fn folder() -> Result<PathBuf, Error> {
    let folder = std::path::absolute(std::env::temp_dir()).map_err(Error::io)?;
    let is_special = folder.as_os_str().as_bytes().iter().any(|byte| SPECIAL.contains(byte));
    Ok(if is_special { PathBuf::from("/tmp") } else { folder })
}

/// Removes folders of earlier runs that ended without removing them. A folder of another user, one that a process uses,
/// and one without a lock file stay.
pub fn remove_unused(parent: &Path) {
    let Some(user) = fs::metadata("/proc/self").ok().map(|own| own.uid()) else { return };
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let is_run = entry.file_name().as_bytes().starts_with(PREFIX.as_bytes());
        let is_own = || entry.metadata().is_ok_and(|entry| entry.is_dir() && entry.uid() == user);
        if is_run && is_own() && RunFolder::is_unused(&entry.path()) {
            // A folder that cannot be removed is left: it harms no run.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The file that a symbolic link to no file names, which the recorder creates; other paths are unchanged.
pub fn followed(path: PathBuf) -> PathBuf {
    if fs::metadata(&path).is_ok() {
        return path;
    }
    let mut file = path;
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&file) else { break };
        file = file.parent().unwrap_or(Path::new(OsStr::new("/"))).join(target);
    }
    file
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_folder_without_a_lock_file_and_a_link_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(format!("{PREFIX}{name}"));
        for name in ["foreign", "dead"] {
            fs::create_dir(at(name)).unwrap();
        }
        fs::write(at("dead").join("lock"), []).unwrap();
        symlink(at("foreign"), at("link")).unwrap();
        fs::write(at("file"), []).unwrap();
        remove_unused(folder.path());
        assert!(!at("dead").exists());
        assert!(at("foreign").is_dir() && at("link").is_symlink() && at("file").is_file());
    }

    #[test]
    fn a_link_to_no_file_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("middle", at("link")).unwrap();
        symlink(at("file"), at("middle")).unwrap();
        assert_eq!(followed(at("link")), at("file"));
        fs::write(at("file"), []).unwrap();
        assert_eq!(followed(at("link")), at("link"));
        symlink("circle", at("circle")).unwrap();
        assert_eq!(followed(at("circle")), at("circle"));
    }
}

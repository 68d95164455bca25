//! Replacement of a file by another one in its folder.

use std::io;
use std::path::Path;

/// Renames `from` to `to`, replacing an existing file. On Windows a file that is open or mapped may also be replaced, as
/// on other systems: where the system refuses that, the old file gets a temporary name first.
///
/// # Errors
/// The file cannot be renamed; the file at `to` is then in its place.
pub fn replace_file(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(windows)]
    return windows::replace_file(from, to);
    #[cfg(not(windows))]
    std::fs::rename(from, to)
}

#[cfg(windows)]
mod windows {
    use std::fs::{remove_file, rename};
    use std::io::{self, ErrorKind};
    use std::path::{Path, PathBuf};
    use std::time::Duration;
    use windows_sys::Win32::Foundation::{ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_USER_MAPPED_FILE};

    /// Number of attempts, 10 ms apart: virus scanners and indexers open new files for a moment without sharing them.
    const ATTEMPTS: usize = 20;

    const INTERVAL: Duration = Duration::from_millis(10);

    /// Number of random names tried.
    const NAMES: usize = 10;

    pub fn replace_file(from: &Path, to: &Path) -> io::Result<()> {
        let mut result = replace_once(from, to);
        for _ in 1..ATTEMPTS {
            match &result {
                Err(error) if is_in_use(error) => {}
                _ => break,
            }
            std::thread::sleep(INTERVAL);
            result = replace_once(from, to);
        }
        result
    }

    /// The file at `to` may be open (`MoveFileExW` and older systems refuse to replace it), but not be the target of a
    /// rename; its own rename is allowed.
    fn replace_once(from: &Path, to: &Path) -> io::Result<()> {
        match rename(from, to) {
            Err(error) if is_in_use(&error) && to.is_file() => {}
            result => return result,
        }
        let aside = free_name(to)?;
        rename(to, &aside)?;
        match rename(from, to) {
            Ok(()) => {
                // Fails while the file is mapped; its name then shows that it is nobody's output.
                let _ = remove_file(&aside);
                Ok(())
            }
            Err(error) => {
                rename(&aside, to)?;
                Err(error)
            }
        }
    }

    fn is_in_use(error: &io::Error) -> bool {
        let codes = [ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_USER_MAPPED_FILE];
        codes.iter().any(|code| error.raw_os_error() == i32::try_from(*code).ok())
    }

    /// Name that no file in the folder of `to` has, of the form of unfinished outputs.
    fn free_name(to: &Path) -> io::Result<PathBuf> {
        for _ in 0..NAMES {
            let mut random = [0; 3];
            getrandom::fill(&mut random).map_err(|_| io::Error::other("the system has no random numbers"))?;
            let [a, b, c] = random;
            let path = to.with_file_name(format!(".taut-{a:02x}{b:02x}{c:02x}.part"));
            if !path.exists() {
                return Ok(path);
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::map::FileBytes;

    #[test]
    fn a_file_that_is_open_or_mapped_is_replaced_and_stays_readable() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        for is_mapped in [false, true] {
            std::fs::write(&old, "before").unwrap();
            std::fs::write(&new, "after").unwrap();
            let opened = std::fs::File::open(&old).unwrap();
            let mapped = is_mapped.then(|| FileBytes::open(&old).unwrap());
            replace_file(&new, &old).unwrap();
            assert_eq!(std::fs::read(&old).unwrap(), b"after");
            assert!(mapped.is_none_or(|mapped| *mapped == *b"before"));
            assert!(!new.exists());
            drop(opened);
        }
    }

    #[test]
    fn a_folder_and_a_missing_file_are_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        std::fs::write(at("folder/other"), "text").unwrap();
        assert!(replace_file(&at("file"), &at("folder")).is_err());
        assert!(replace_file(&at("none"), &at("file")).is_err());
        assert_eq!(std::fs::read(at("file")).unwrap(), b"text");
    }
}

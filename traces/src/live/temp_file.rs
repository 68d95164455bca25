//! Temporary file that is renamed to its target when it is complete.

use crate::live::disk::{Disk, DiskFile};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Max number of random names tried.
const ATTEMPTS: usize = 100;

/// Temporary file in the folder of its target; removed when dropped, unless it was renamed.
#[derive(Debug)]
pub(crate) struct TempFile(Option<PathBuf>, Disk);

impl TempFile {
    /// Creates an empty file under a unique name, with permissions `mode` reduced by the process's umask. File system
    /// calls name `target`, the only path known to the user.
    pub fn create_for(target: &Path, mode: u32, disk: &Disk) -> io::Result<(DiskFile, TempFile)> {
        for _ in 0..ATTEMPTS {
            let mut random = [0; 8];
            getrandom::fill(&mut random).map_err(|_| io::Error::other("the system has no random numbers"))?;
            let path = target.with_file_name(format!(".taut-{:016x}.part", u64::from_le_bytes(random)));
            match disk.create_new(&path, target, mode) {
                Ok(file) => return Ok((file, TempFile(Some(path), disk.clone()))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Renames the file to the target, replacing an existing one.
    pub fn put(mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.0 {
            self.1.rename(path, target)?;
        }
        self.0 = None;
        Ok(())
    }

    /// Renames the file to a target that must not exist.
    ///
    /// # Errors
    /// The kind is `AlreadyExists` if the target exists: a file, a folder, or a dangling link.
    pub fn put_exclusive(&mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.0 {
            self.1.rename_new(path, target)?;
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            // A drop cannot report errors, and a remaining temporary file is harmless.
            let _ = std::fs::remove_file(path);
        }
    }
}

//! A file that is not at its place yet.

use crate::disk::{Disk, DiskFile};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// A file beside its target; removed when dropped, unless it was put there.
#[derive(Debug)]
pub(crate) struct Part(Option<PathBuf>, Disk);

impl Part {
    /// An empty one. Who makes it has the right to the target.
    pub fn beside(target: &Path, disk: &Disk) -> io::Result<(DiskFile, Part)> {
        let mut name = OsString::from(target.as_os_str());
        name.push(".part");
        let path = PathBuf::from(name);
        Ok((disk.create(&path)?, Part(Some(path), disk.clone())))
    }

    /// Puts it where the target is, replacing what is there.
    pub fn put(mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.0 {
            self.1.rename(path, target)?;
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let _ = std::fs::remove_file(path);
        }
    }
}

//! A file that is not at its place yet.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A file beside its target; removed when dropped, unless it was put there.
#[derive(Debug)]
pub(crate) struct Part(Option<PathBuf>);

impl Part {
    /// An empty one. Who makes it has the right to the target.
    pub fn beside(target: &Path) -> io::Result<(File, Part)> {
        let mut name = OsString::from(target.as_os_str());
        name.push(".part");
        let path = PathBuf::from(name);
        Ok((File::create(&path)?, Part(Some(path))))
    }

    /// Puts it where the target is, replacing what is there.
    pub fn put(mut self, target: &Path) -> io::Result<()> {
        let path = self.0.take();
        path.map_or(Ok(()), |path| std::fs::rename(path, target))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let _ = std::fs::remove_file(path);
        }
    }
}

//! Where targets have files that can only be read by their path.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A folder of this process; in memory, where there is such a file system.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let memory = PathBuf::from("/dev/shm");
        let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let folder = parent.join(format!("taut-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    })
}

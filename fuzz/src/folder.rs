//! Folder for targets whose files can only be read by path.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folder of this process, on an in-memory file system if there is one.
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

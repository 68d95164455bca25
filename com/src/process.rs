//! Copies of the process that fork makes: a session belongs to the process that began it.

use crate::unsafe_abi::{close_in_copies, close_parents_files, on_fork};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of forks between the first process and this one.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Number of forks between the first process that called [`watch`] and this one.
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Starts to count forks.
pub fn watch() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| on_fork(forked));
}

/// Makes copies of the process close their descriptors of the file: the lock of a trace is its process's alone.
pub fn close_in_forks(path: &Path) {
    let identity = |path: &Path| fs::metadata(path).map(|file| (file.dev(), file.ino())).ok();
    let (Some(file), Ok(entries)) = (identity(path), fs::read_dir("/proc/self/fd")) else { return };
    // By identity: the recorder created the file under another name.
    let same = entries.flatten().filter(|entry| identity(&entry.path()) == Some(file));
    close_in_copies(same.filter_map(|entry| entry.file_name().to_str()?.parse().ok()));
}

extern "C" fn forked() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    close_parents_files();
}

//! Copies of the process that fork makes: a session belongs to the process that began it.

use crate::unsafe_abi::{close_in_copies, close_parents_file, on_fork};
use std::fs;
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

/// Makes copies of the process close their descriptor of the file: the lock of a trace is its process's alone.
pub fn close_in_forks(path: &Path) {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return };
    let is_file = |entry: &fs::DirEntry| fs::read_link(entry.path()).is_ok_and(|target| target == path);
    let number = entries.flatten().find(is_file).and_then(|entry| entry.file_name().to_str()?.parse().ok());
    number.into_iter().for_each(close_in_copies);
}

extern "C" fn forked() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    close_parents_file();
}

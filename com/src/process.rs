//! Copies of the process that fork makes: a session belongs to the process that began it.

use crate::unsafe_abi::on_fork;
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

extern "C" fn forked() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

//! The common start of a benchmark's threads.

use std::sync::{Barrier, OnceLock};

/// A barrier that can be cancelled. If the system cannot create the last thread, the others would wait at a plain
/// barrier forever.
pub struct StartGate {
    barrier: Barrier,
    is_open: OnceLock<bool>,
}

impl StartGate {
    /// Creates a gate for `threads` threads.
    pub fn new(threads: usize) -> StartGate {
        StartGate { barrier: Barrier::new(threads), is_open: OnceLock::new() }
    }

    /// Waits until all threads have arrived. Returns false if the start was cancelled.
    pub fn wait(&self) -> bool {
        let is_open = *self.is_open.wait();
        if is_open {
            self.barrier.wait();
        }
        is_open
    }

    /// Starts the threads, once all of them exist, or cancels the start. The first decision counts.
    pub fn decide(&self, is_open: bool) {
        let _ = self.is_open.set(is_open);
    }
}

//! A wish for a snapshot of a recording of this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Asks a recording of this process for snapshots.
#[derive(Debug, Clone, Default)]
pub struct SnapshotWish(Arc<AtomicU32>);

impl SnapshotWish {
    /// Asks for one. Wishes that come before it is begun are one.
    pub fn ask(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// How many there were.
    pub(crate) fn wishes(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

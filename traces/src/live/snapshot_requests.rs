//! Snapshot requests within the recording process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Handle that requests snapshots of a recording of this process.
#[derive(Debug, Clone, Default)]
pub struct SnapshotRequests(Arc<AtomicU32>);

impl SnapshotRequests {
    /// Requests a snapshot. Requests made before it begins are combined.
    pub fn request(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of requests so far.
    pub(crate) fn count(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

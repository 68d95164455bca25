//! Who hears of the snapshots that are taken of a recording.

use crate::snapshot::Snapshot;
use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

/// Is called when a snapshot was taken, or could not be.
pub(crate) type OnSnapshot = Box<dyn FnMut(&io::Result<Snapshot>) + Send>;

/// Who hears of the snapshots that are taken of a recording.
#[derive(Default)]
pub(crate) struct SnapshotWatch(Mutex<Option<OnSnapshot>>);

impl fmt::Debug for SnapshotWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SnapshotWatch")
    }
}

impl SnapshotWatch {
    /// Has `call` hear of them from now on.
    pub fn on_snapshot(&self, call: OnSnapshot) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(call);
    }

    /// One was taken, or could not be.
    pub fn tell(&self, taken: &io::Result<Snapshot>) {
        if let Some(call) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            call(taken);
        }
    }
}

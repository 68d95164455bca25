//! Notification of snapshots of a recording.

use crate::write::snapshot::Snapshot;
use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

/// Callback for a snapshot that was taken or failed.
pub(crate) type OnSnapshot = Box<dyn FnMut(&io::Result<Snapshot>) + Send>;

/// Listener for snapshots of a recording.
#[derive(Default)]
pub(crate) struct SnapshotWatch(Mutex<Option<OnSnapshot>>);

impl fmt::Debug for SnapshotWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SnapshotWatch")
    }
}

impl SnapshotWatch {
    /// Registers the listener.
    pub fn on_snapshot(&self, call: OnSnapshot) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(call);
    }

    /// Notifies the listener of a snapshot that was taken or failed.
    pub fn report(&self, taken: &io::Result<Snapshot>) {
        if let Some(call) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            call(taken);
        }
    }
}

//! List of this process's sidecars whose traces have not appeared yet. [`remove_pending_sidecars`] removes them before
//! the process exits.

use crate::live::segment::remove_segments;
use crate::live::segment::segments_folder;
use crate::live::side_file::FileId;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A sidecar without a trace.
struct Pending {
    path: PathBuf,
    id: FileId,
    key: u32,
}

static PENDING: Mutex<Vec<Pending>> = Mutex::new(Vec::new());

/// Exclusive access to the list of pending sidecars.
pub(crate) struct PendingSidecars(MutexGuard<'static, Vec<Pending>>);

impl PendingSidecars {
    pub fn lock() -> PendingSidecars {
        PendingSidecars(PENDING.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds a sidecar, of the trace with this key, that has just got its name.
    pub fn add(&mut self, path: &Path, id: FileId, key: u32) {
        self.0.push(Pending { path: path.to_owned(), id, key });
    }

    /// Removes a sidecar from the list after its trace has appeared or the sidecar was removed.
    pub fn remove(&mut self, path: &Path) {
        self.0.retain(|pending| pending.path != path);
    }
}

/// Removes the sidecars of recordings that are just beginning; for a process that is about to exit. No recording can
/// begin afterwards: the list stays locked, so beginning one blocks forever.
///
/// Files protected by other locks of this process have to be removed after this call: a beginning recording holds the
/// lock of the list while its trace gets its name.
pub fn remove_pending_sidecars() {
    let pending = PendingSidecars::lock();
    for Pending { path, id, key } in pending.0.iter() {
        if id.is_at(path).unwrap_or(false) {
            // The process is exiting, so errors are not reported.
            let _ = std::fs::remove_file(path);
        }
        remove_segments(&segments_folder(path), &[*key], &crate::live::disk::Disk::default());
    }
    // Leaks the lock on purpose: see above.
    std::mem::forget(pending);
}

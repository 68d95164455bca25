//! Early end of a session, and its progress: shared between the session's threads and their observers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use taut_traces::EndCause;

/// Requests the early end of a session: its threads stop before their next frame or creation and leave their objects
/// alive. Also counts the finished steps.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Request>);

#[derive(Debug, Default)]
struct Request {
    is_requested: AtomicBool,
    /// Reason, if the recording itself was the first to request the end.
    cause: OnceLock<Option<EndCause>>,
    noticed: AtomicBool,
    steps: AtomicU64,
}

impl Stop {
    /// Requests the end.
    pub fn request(&self) {
        self.request_with_cause(None);
    }

    /// Requests the end for a reason of the recording.
    pub(crate) fn request_for(&self, cause: EndCause) {
        self.request_with_cause(Some(cause));
    }

    fn request_with_cause(&self, cause: Option<EndCause>) {
        self.0.cause.get_or_init(|| cause);
        // The flag publishes no other data, and a delay until threads read it is acceptable.
        self.0.is_requested.store(true, Ordering::Relaxed);
    }

    /// Returns the recording's reason, if it was the first to request the end.
    pub fn cause(&self) -> Option<EndCause> {
        self.0.cause.get().copied().flatten()
    }

    /// True if the session should end. A caller for which this is true must end its work.
    pub(crate) fn notice(&self) -> bool {
        let is_requested = self.0.is_requested.load(Ordering::Relaxed);
        if is_requested {
            self.0.noticed.store(true, Ordering::Relaxed);
        }
        is_requested
    }

    /// True if a thread has read the request, so that the session ended early.
    pub fn was_noticed(&self) -> bool {
        self.0.noticed.load(Ordering::Relaxed)
    }

    /// Counts a finished step of the workload.
    pub(crate) fn step_done(&self) {
        self.0.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of steps that all threads have finished.
    pub fn steps_done(&self) -> u64 {
        self.0.steps.load(Ordering::Relaxed)
    }
}

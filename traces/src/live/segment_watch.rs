//! Notification of new segments of a ring recording.

use std::fmt;
use std::sync::{Mutex, PoisonError};

type OnSegment = Box<dyn FnMut() + Send>;

/// Listener for new segments.
#[derive(Default)]
pub(crate) struct SegmentWatch(Mutex<Option<OnSegment>>);

impl fmt::Debug for SegmentWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SegmentWatch")
    }
}

impl SegmentWatch {
    /// Registers the listener.
    pub fn on_segment(&self, call: OnSegment) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(call);
    }

    /// Notifies the listener of a new segment.
    pub fn begun(&self) {
        if let Some(call) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            call();
        }
    }
}

//! Who hears that a recording which keeps only its last has begun another segment.

use std::fmt;
use std::sync::{Mutex, PoisonError};

type OnSegment = Box<dyn FnMut() + Send>;

/// Who hears of segments.
#[derive(Default)]
pub(crate) struct SegmentWatch(Mutex<Option<OnSegment>>);

impl fmt::Debug for SegmentWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SegmentWatch")
    }
}

impl SegmentWatch {
    /// Has `call` hear of them from now on.
    pub fn on_segment(&self, call: OnSegment) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(call);
    }

    /// One was begun.
    pub fn begun(&self) {
        if let Some(call) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            call();
        }
    }
}

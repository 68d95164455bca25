//! Objects that deferred contexts open again in consecutive recordings.

use super::live_handle::LiveObject;
use std::cmp::Reverse;

/// Max objects that are reported.
const LISTED: usize = 20;
/// DDI calls per opening: one opens the handle, one closes it.
pub(crate) const CALLS_PER_OPENING: u64 = 2;

/// An object and its openings in deferred contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReopenedObject {
    pub handle_type: u32,
    /// Handle of the immediate context.
    pub ic: u64,
    pub opened: u64,
    /// Openings in the recording after one that had it open, too, and the bytes of these handles.
    pub reopened: u64,
    pub reopened_bytes: u64,
    /// Deferred contexts that opened it.
    pub contexts: u64,
}

/// Objects opened again.
#[derive(Debug, Default)]
pub(crate) struct Recreation {
    /// Number and bytes of the handles of all objects.
    pub reopened: u64,
    pub reopened_bytes: u64,
    /// Objects opened again, and those of them that each recording of their contexts opened, from the first one on.
    pub objects: u64,
    pub objects_in_every_recording: u64,
    /// Objects with the most openings.
    pub ranked: Vec<ReopenedObject>,
}

impl ReopenedObject {
    /// True if each recording of the object's contexts opened it, from the first one to the last one that did.
    pub fn is_in_every_recording(&self) -> bool {
        self.opened == self.contexts + self.reopened
    }
}

impl Recreation {
    /// Adds an object at its destruction, or at the end of the trace.
    pub(super) fn add(&mut self, handle_type: u32, ic: u64, object: &LiveObject) {
        if object.reopened == 0 {
            return;
        }
        let LiveObject { opened, reopened, reopened_bytes, .. } = *object;
        let contexts = object.known_in.len() as u64;
        let one = ReopenedObject { handle_type, ic, opened, reopened, reopened_bytes, contexts };
        self.reopened += reopened;
        self.reopened_bytes = self.reopened_bytes.saturating_add(reopened_bytes);
        self.objects += 1;
        self.objects_in_every_recording += u64::from(one.is_in_every_recording());
        self.ranked.push(one);
        if self.ranked.len() > 4 * LISTED {
            self.sort();
        }
    }

    /// Sorts the objects: most DDI calls first, then most bytes.
    pub fn sort(&mut self) {
        self.ranked.sort_by_key(|one| (Reverse(one.reopened), Reverse(one.reopened_bytes), one.ic));
        self.ranked.truncate(LISTED);
    }
}

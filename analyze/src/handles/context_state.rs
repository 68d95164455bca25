//! State of one context.

use super::cache_sets::HotLines;
use super::sums::HandleChange;
use super::{FastSet, HandleSettings};
use std::collections::{BTreeMap, BTreeSet};

/// Opening of an object in a context.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Opening {
    /// The context has not had the object open before.
    pub is_new: bool,
    /// The context's previous recording had it open.
    pub is_reopened: bool,
    /// The memory was another handle's before.
    pub is_recycled: bool,
}

/// State of one context.
#[derive(Debug, Default)]
pub(crate) struct ContextState {
    pub id: u64,
    /// Index of the device.
    pub device: usize,
    pub is_immediate: bool,
    /// The context's own handle.
    pub device_handle: u64,
    /// Live handles, and their bytes.
    pub live: (u64, u64),
    /// Memory allocated for the live handles, and its max.
    pub allocated_bytes: u64,
    pub peak_allocated_bytes: u64,
    /// Memory allocated for one handle of each distinct object.
    pub objects_allocated_bytes: u64,
    /// Max live handles, and max live bytes.
    pub peak: (u64, u64),
    /// Handles created or opened, and their bytes.
    pub opened: (u64, u64),
    /// Opened handles whose object the previous recording had open, too.
    pub recreated: u64,
    /// Number of finished recordings.
    pub recordings: u64,
    /// Distinct objects, and the bytes of one handle of each; by type.
    pub objects: BTreeMap<u32, (u64, u64)>,
    /// Accesses in the context's calls: to its own memory; reads of memory of the immediate context's handles as of their
    /// creation, and of memory that the immediate context wrote later; writes to that memory; and accesses to memory of
    /// other deferred contexts.
    pub own: u64,
    pub shared: u64,
    pub mutable: u64,
    pub shared_writes: u64,
    pub foreign: u64,
    /// Hot cache lines by set.
    pub hot_lines: HotLines,
    /// Index among the deferred contexts of the device that have opened an object.
    pub scaling_index: Option<u32>,
    /// Objects that the current recording has opened, and those of the previous one.
    pub current: Vec<u64>,
    previous: FastSet<u64>,
    known: FastSet<u64>,
    /// Threads that have recorded on the context, the last one in this recording, and the number of changes within
    /// recordings.
    pub threads: BTreeSet<u32>,
    last_thread: Option<u32>,
    pub thread_changes: u64,
    /// Addresses of memory that has been used for a handle.
    regions: FastSet<u64>,
}

impl ContextState {
    /// Creates the state of a device's context with this own handle.
    pub fn new(id: u64, device: usize, device_handle: u64, is_immediate: bool) -> ContextState {
        ContextState { id, device, device_handle, is_immediate, ..ContextState::default() }
    }

    /// Records the thread of a call that must not overlap with others (rule H-80).
    pub fn called_by(&mut self, thread: u32) {
        if self.last_thread == Some(thread) {
            return;
        }
        self.threads.insert(thread);
        self.thread_changes += u64::from(self.last_thread.replace(thread).is_some());
    }

    /// Opens an object of a type with a handle of this size and address.
    pub(super) fn open(&mut self, ic: u64, handle_type: u32, size_bytes: u64, address: u64) -> Opening {
        self.opened = (self.opened.0 + 1, self.opened.1.saturating_add(size_bytes));
        self.current.push(ic);
        let is_reopened = self.previous.contains(&ic);
        self.recreated += u64::from(is_reopened);
        let is_new = self.known.insert(ic);
        if is_new {
            let sum = self.objects.entry(handle_type).or_default();
            *sum = (sum.0 + 1, sum.1.saturating_add(size_bytes));
        }
        Opening { is_new, is_reopened, is_recycled: !self.regions.insert(address) }
    }

    /// Adds a created handle to the live ones, or removes a destroyed one.
    pub fn change(&mut self, change: &HandleChange) {
        let (handles, bytes) = self.live;
        self.live = match change.is_creation {
            true => (handles + 1, bytes.saturating_add(change.size_bytes)),
            false => (handles.saturating_sub(1), bytes.saturating_sub(change.size_bytes)),
        };
        self.allocated_bytes = match change.is_creation {
            true => self.allocated_bytes.saturating_add(change.allocated_bytes),
            false => self.allocated_bytes.saturating_sub(change.allocated_bytes),
        };
        self.peak_allocated_bytes = self.peak_allocated_bytes.max(self.allocated_bytes);
        self.peak = (self.live.0.max(self.peak.0), self.live.1.max(self.peak.1));
    }

    /// Forgets a destroyed object, whose address may be reused.
    pub fn forget(&mut self, ic: u64) {
        self.known.remove(&ic);
        self.previous.remove(&ic);
    }

    /// Ends the recording.
    pub fn end_recording(&mut self, settings: &HandleSettings) {
        self.hot_lines.count_sets(settings);
        self.last_thread = None;
        self.previous = std::mem::take(&mut self.current).into_iter().collect();
    }

    /// Ends the context.
    pub fn end(&mut self) {
        (self.previous, self.known, self.regions) = (FastSet::default(), FastSet::default(), FastSet::default());
    }
}

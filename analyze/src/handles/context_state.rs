//! State of one context.

use super::sums::HandleChange;
use super::{FastMap, FastSet};
use std::collections::{BTreeMap, BTreeSet};

/// Ratio of the max accesses of a recording's handles below which a handle is hot.
const HOT: u64 = 8;
/// Bytes after which the sets of a cache repeat (rule H-35).
const SET_PERIOD_BYTES: u64 = 4096;
/// Max closed handles that are stored before their sets are counted.
const MAX_CLOSED: usize = 1 << 16;

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
    /// Max hot handles in one set of a recording, and the set.
    pub max_in_set: (u64, u64),
    /// Sets of recordings with more hot handles than a cache's ways.
    pub crowded: u64,
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
    /// Handles closed in this recording: addresses and numbers of accesses.
    closing: Vec<(u64, u64)>,
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

    /// Opens an object of a type with a handle of this size and address. Returns true if the context has not had it
    /// open before, and true if the memory was another handle's before.
    pub fn open(&mut self, ic: u64, handle_type: u32, size_bytes: u64, address: u64) -> (bool, bool) {
        self.opened = (self.opened.0 + 1, self.opened.1.saturating_add(size_bytes));
        self.current.push(ic);
        self.recreated += u64::from(self.previous.contains(&ic));
        let is_new = self.known.insert(ic);
        if is_new {
            let sum = self.objects.entry(handle_type).or_default();
            *sum = (sum.0 + 1, sum.1.saturating_add(size_bytes));
        }
        (is_new, !self.regions.insert(address))
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

    /// Closes a handle with this number of accesses.
    pub fn close(&mut self, address: u64, accesses: u64) {
        if accesses > 0 {
            self.closing.push((address, accesses));
        }
    }

    /// Forgets a destroyed object, whose address may be reused.
    pub fn forget(&mut self, ic: u64) {
        self.known.remove(&ic);
        self.previous.remove(&ic);
    }

    /// True if so many handles are closed that their sets have to be counted before the recording ends. For an
    /// immediate context, its whole lifetime is one recording.
    pub fn is_full(&self) -> bool {
        self.closing.len() >= MAX_CLOSED
    }

    /// Ends the recording. Returns the objects that it opened.
    pub fn end_recording(&mut self, line_bytes: u64, ways: u64) -> Vec<u64> {
        self.count_sets(line_bytes, ways);
        self.last_thread = None;
        let ended = std::mem::take(&mut self.current);
        self.previous = ended.iter().copied().collect();
        ended
    }

    /// Counts the hot handles of each set among the closed handles.
    pub fn count_sets(&mut self, line_bytes: u64, ways: u64) {
        let mut sets: FastMap<u64, u64> = FastMap::default();
        let max = self.closing.iter().map(|(_, accesses)| *accesses).max().unwrap_or_default();
        for (address, accesses) in self.closing.drain(..) {
            if accesses.saturating_mul(HOT) > max {
                *sets.entry(address % SET_PERIOD_BYTES / line_bytes).or_default() += 1;
            }
        }
        let fullest = sets.iter().map(|(set, handles)| (*handles, std::cmp::Reverse(*set))).max();
        if let Some((handles, std::cmp::Reverse(set))) = fullest.filter(|(handles, _)| *handles > self.max_in_set.0) {
            self.max_in_set = (handles, set);
        }
        self.crowded += sets.values().filter(|handles| **handles > ways).count() as u64;
    }

    /// Ends the context.
    pub fn end(&mut self) {
        (self.previous, self.known, self.regions) = (FastSet::default(), FastSet::default(), FastSet::default());
    }
}

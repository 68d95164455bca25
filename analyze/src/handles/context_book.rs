//! What is kept of one context.

use super::{FastMap, FastSet};
use std::collections::{BTreeMap, BTreeSet};

/// A handle is hot if the most accessed one of its recording is accessed less than so many times as often.
const HOT: u64 = 8;
/// Bytes after which the sets of a cache repeat (rule H-35).
const SET_PERIOD_BYTES: u64 = 4096;
/// So many closed handles are kept at most.
const MOST_CLOSED: usize = 1 << 16;

/// One context.
#[derive(Debug, Default)]
pub(crate) struct ContextBook {
    /// Its id.
    pub id: u64,
    /// Place of its device.
    pub device: usize,
    pub is_immediate: bool,
    /// Its own handle.
    pub device_handle: u64,
    /// Handles that live, and their bytes.
    pub live: (u64, u64),
    /// When most bytes lived, and most handles.
    pub peak: (u64, u64),
    /// Handles created, or opened, and their bytes.
    pub opened: (u64, u64),
    /// Of those, of objects that the recording before had open.
    pub reopened: u64,
    /// Times that it was made new, by FinishCommandList.
    pub recordings: u64,
    /// Different objects, and the bytes of a handle of each; by type.
    pub objects: BTreeMap<u32, (u64, u64)>,
    /// Accesses in its calls to its own memory, to what the immediate context's handles held when they were created, to what
    /// that one has written since, and to memory of other deferred contexts.
    pub own: u64,
    pub shared: u64,
    pub mutable: u64,
    pub foreign: u64,
    /// Most hot handles in one set of a recording, and the set.
    pub most_in_set: (u64, u64),
    /// Sets of recordings with more than a cache holds at once.
    pub crowded: u64,
    /// Objects that this recording has opened, and that the one before had.
    pub current: Vec<u64>,
    previous: FastSet<u64>,
    known: FastSet<u64>,
    /// Threads that have recorded on it, the last one of this recording, and how often another went on with a recording.
    pub threads: BTreeSet<u32>,
    last_thread: Option<u32>,
    pub thread_changes: u64,
    /// By address, memory that has been given out.
    regions: FastSet<u64>,
    /// Handles closed in this recording: addresses and accesses.
    closing: Vec<(u64, u64)>,
}

impl ContextBook {
    /// One whose own handle this is, of a device.
    pub fn new(id: u64, device: usize, device_handle: u64, is_immediate: bool) -> ContextBook {
        ContextBook { id, device, device_handle, is_immediate, ..ContextBook::default() }
    }

    /// A call that has to wait for the one before it (rule H-80) is made by a thread.
    pub fn called_by(&mut self, thread: u32) {
        if self.last_thread == Some(thread) {
            return;
        }
        self.threads.insert(thread);
        self.thread_changes += u64::from(self.last_thread.replace(thread).is_some());
    }

    /// Opens an object, of a type, with a handle of so many bytes at this address. Gives whether it has not had it open before,
    /// and whether the memory was another's before.
    pub fn open(&mut self, ic: u64, handle_type: u32, size_bytes: u64, address: u64) -> (bool, bool) {
        self.opened = (self.opened.0 + 1, self.opened.1.saturating_add(size_bytes));
        self.current.push(ic);
        self.reopened += u64::from(self.previous.contains(&ic));
        let is_new = self.known.insert(ic);
        if is_new {
            let sum = self.objects.entry(handle_type).or_default();
            *sum = (sum.0 + 1, sum.1.saturating_add(size_bytes));
        }
        (is_new, !self.regions.insert(address))
    }

    /// A handle is closed that was accessed so often.
    pub fn close(&mut self, address: u64, accesses: u64) {
        if accesses > 0 {
            self.closing.push((address, accesses));
        }
    }

    /// An object is gone; its address may be another's.
    pub fn forget(&mut self, ic: u64) {
        self.known.remove(&ic);
        self.previous.remove(&ic);
    }

    /// Whether so many handles are closed that their sets have to be counted before the recording ends. An immediate context
    /// has one recording, its life.
    pub fn is_full(&self) -> bool {
        self.closing.len() >= MOST_CLOSED
    }

    /// The recording ends. Gives the objects that it opened.
    pub fn end_recording(&mut self, line_bytes: u64, ways: u64) -> Vec<u64> {
        self.count_sets(line_bytes, ways);
        self.last_thread = None;
        let ended = std::mem::take(&mut self.current);
        self.previous = ended.iter().copied().collect();
        ended
    }

    /// Counts the hot handles of each set, of the handles that were closed.
    pub fn count_sets(&mut self, line_bytes: u64, ways: u64) {
        let mut sets: FastMap<u64, u64> = FastMap::default();
        let most = self.closing.iter().map(|(_, accesses)| *accesses).max().unwrap_or_default();
        for (address, accesses) in self.closing.drain(..) {
            if accesses.saturating_mul(HOT) > most {
                *sets.entry(address % SET_PERIOD_BYTES / line_bytes).or_default() += 1;
            }
        }
        let fullest = sets.iter().map(|(set, handles)| (*handles, std::cmp::Reverse(*set))).max();
        if let Some((handles, std::cmp::Reverse(set))) = fullest.filter(|(handles, _)| *handles > self.most_in_set.0) {
            self.most_in_set = (handles, set);
        }
        self.crowded += sets.values().filter(|handles| **handles > ways).count() as u64;
    }

    /// It is gone.
    pub fn end(&mut self) {
        (self.previous, self.known, self.regions) = (FastSet::default(), FastSet::default(), FastSet::default());
    }
}

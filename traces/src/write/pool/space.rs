//! Slots of a recording whose disk has little free space.

use super::Pool;
use super::callbacks::OnFailure;
use super::full_cause::FullCause;
use crate::format::end_cause::EndCause;
use crate::format::error::WriteError;
use crate::live::slot::Slot;

/// Number of slots in excess of the threads' slots that remain in a pool when slots are returned, so that threads do
/// not wait for each other.
const SPARE_SLOTS: usize = 3;

impl Pool {
    /// Number of existing slots.
    pub fn slots(&self) -> u64 {
        self.state().slots as u64
    }

    /// Capacity of the existing slots, in bytes.
    pub fn capacity_bytes(&self) -> usize {
        self.state().capacity_bytes
    }

    /// True if there are more slots than threads: a thread that finds none free may wait for one.
    pub fn has_spare_slots(&self) -> bool {
        let state = self.state();
        state.slots > state.gauges.len()
    }

    /// Signals that no slot was created, so that waiting threads use the existing slots.
    pub fn signal_slot_not_created(&self) {
        self.state().is_making = false;
        self.filled.notify_one();
        self.freed.notify_all();
    }

    /// Removes free slots from the pool: as many as it can do without, or all if no thread gets a slot any more.
    pub fn take_free(&self) -> Vec<Slot> {
        let mut state = self.state();
        state.creatable = state.creatable.min(0);
        let mut free = std::mem::take(&mut state.retired);
        let needed = if state.full.is_some() { 0 } else { state.gauges.len() + SPARE_SLOTS + free.len() };
        let max_returned = state.slots.saturating_sub(needed);
        let (persistent, memory) = std::mem::take(&mut state.spare).into_iter().partition(Slot::is_persistent);
        state.spare = memory;
        let mut persistent: Vec<Slot> = persistent;
        let stay = if state.full.is_some() { 0 } else { persistent.len().saturating_sub(max_returned) };
        free.extend(persistent.drain(stay..));
        state.spare.extend(persistent);
        free.iter().for_each(|slot| state.removed(slot));
        state.is_reduced |= !free.is_empty();
        free
    }

    /// Unmaps the free slots of a recording that has ended.
    #[cfg(windows)]
    pub fn unmap_free_slots(&self) {
        let mut state = self.state();
        state.spare.clear();
        state.retired.clear();
    }

    /// Returns slots to the pool as [`return_slots`](Pool::return_slots) does, but removes slots that the pool does not
    /// need. The result contains the removed slots, whose space can be returned to the file system.
    pub fn return_or_remove_slots(&self, slots: Vec<Slot>) -> Vec<Slot> {
        let mut state = self.state();
        let mut free = Vec::new();
        for mut slot in slots {
            if slot.is_persistent() && state.slots > state.gauges.len() + SPARE_SLOTS {
                slot.free();
                state.removed(&slot);
                // After a thread's end this removes the slot it added; otherwise the slot is not created again.
                state.creatable += isize::from(state.creatable < 0);
                state.creatable = state.creatable.min(0);
                state.is_reduced = true;
                free.push(slot);
            } else {
                state.return_slot(slot);
            }
        }
        self.freed.notify_all();
        free
    }

    /// Marks the disk as full after no slot could be returned to it: no thread gets a slot any more, and the listener
    /// for the recording's end is notified. Records handed over so far are still written. Returns `false` if the pool
    /// was full or failed before.
    pub fn end_on_full_disk(&self, error: &WriteError) -> bool {
        let mut state = self.state();
        if state.full.is_some() || state.failed {
            return false;
        }
        (state.full, state.interrupted) = (FullCause::new(error), true);
        if state.full.is_none() {
            return false;
        }
        // Released first, because a listener may use the pool.
        drop(state);
        self.filled.notify_all();
        self.freed.notify_all();
        // This end is not an output failure: the trace is completed. Without an end listener, the failure listeners are
        // notified instead.
        if !self.ends.reach(EndCause::Full) {
            let calls = std::mem::take(&mut self.state().on_failure);
            calls.into_iter().for_each(|OnFailure(call)| call(error));
        }
        true
    }

    /// True if the disk is full.
    pub fn is_full(&self) -> bool {
        self.full().is_some()
    }

    /// System error of the full disk.
    pub fn full(&self) -> Option<FullCause> {
        self.state().full
    }

    /// True if the output failed.
    pub fn is_failed(&self) -> bool {
        self.state().failed
    }
}

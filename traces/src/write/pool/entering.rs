//! Assignment of slots to threads that begin or have filled theirs.

use super::{Gauge, MIN_SPARE_SLOTS, Pool, State};
use crate::live::slot::Slot;
use crate::write::options::OnFull;
use std::sync::{Arc, MutexGuard, PoisonError};

impl Pool {
    /// Registers a thread writer; returns a slot, if there is one, and its gauge. Every thread raises the number of
    /// permitted slots by one. The additional slot may still be the slot of a thread that has ended.
    pub fn enter(&self, thread: u32) -> (Option<Slot>, Gauge) {
        let gauge = Gauge::default();
        let mut state = self.state();
        state.gauges.push((thread, Arc::clone(&gauge)));
        state.creatable += 1;
        state.entering += 1;
        let (mut state, mut slot) = self.spare(state, |_| 0);
        // With a slot, the thread's losses have a counter that survives the process, so a thread of a crash-safe
        // recording waits for its first slot.
        while self.is_persistent && self.on_full == OnFull::Drop && slot.is_none() && !state.is_closed_to_threads() {
            self.filled.notify_one();
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
            (state, slot) = self.spare(state, |_| 0);
        }
        state.entering -= 1;
        // This may have been the last free slot, so the block writer has to check again whether to free others.
        self.filled.notify_one();
        slot.iter_mut().for_each(|slot| state.begin(slot, self.key, thread, 0));
        (slot, gauge)
    }

    /// Takes a free slot, unless only as many as `others` are free; waits if one is being created.
    pub(super) fn spare<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        others: impl Fn(&State) -> usize,
    ) -> (MutexGuard<'s, State>, Option<Slot>) {
        loop {
            let is_free = !state.is_closed_to_threads() && state.spare.len() > others(&state);
            let spare = if is_free { state.spare.pop() } else { None };
            let may_come = state.may_create_slot() || state.is_short();
            if state.spare.len() < MIN_SPARE_SLOTS && may_come {
                self.maintenance_jobs.notify_one();
            }
            if spare.is_some() || state.is_closed_to_threads() || (!may_come && !state.is_making) {
                return (state, spare);
            }
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

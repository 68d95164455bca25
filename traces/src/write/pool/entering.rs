//! Assignment of slots to threads that begin or have filled theirs.

use super::{AHEAD, Gauge, Pool, State};
use crate::live::slot::Slot;
use crate::write::options::OnFull;
use std::sync::{Arc, MutexGuard, PoisonError};

impl Pool {
    /// Registers a thread writer; returns a slot, if there is one, and its gauge. Every thread raises the number of
    /// permitted slots by one, which may still be that of a thread that has ended.
    pub fn enter(&self, thread: u32) -> (Option<Slot>, Gauge) {
        let gauge = Gauge::default();
        let mut state = self.state();
        state.gauges.push((thread, Arc::clone(&gauge)));
        state.unmade += 1;
        state.entering += 1;
        let (mut state, mut slot) = self.spare(state, |_| 0);
        // With a slot, the thread's losses have a counter that survives the process, so a thread of a crash-safe
        // recording waits for its first slot.
        while self.is_persistent && self.on_full == OnFull::Drop && slot.is_none() && !state.takes_nothing() {
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
            let is_free = !state.takes_nothing() && state.spare.len() > others(&state);
            let spare = if is_free { state.spare.pop() } else { None };
            let may_come = state.has_right() || state.is_short();
            if state.spare.len() < AHEAD && may_come {
                self.maintenance_jobs.notify_one();
            }
            if spare.is_some() || state.takes_nothing() || (!may_come && !state.is_making) {
                return (state, spare);
            }
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

//! Slots for threads that begin, and for those that have filled theirs.

use super::{AHEAD, Gauge, Pool, State};
use crate::options::OnFull;
use crate::slot::Slot;
use std::sync::{Arc, MutexGuard, PoisonError};

impl Pool {
    /// A slot for a new thread, if there is one, and its gauge. Every thread brings the right to one more slot, which may still be
    /// that of one that has ended.
    pub fn enter(&self, thread: u32) -> (Option<Slot>, Gauge) {
        let gauge = Gauge::default();
        let mut state = self.state();
        state.gauges.push((thread, Arc::clone(&gauge)));
        state.unmade += 1;
        state.entering += 1;
        let (mut state, mut slot) = self.spare(state, |_| 0);
        // What it loses has its place in a slot, where it can be counted if the process is killed.
        while self.is_kept && self.on_full == OnFull::Drop && slot.is_none() && !state.closed {
            self.filled.notify_one();
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
            (state, slot) = self.spare(state, |_| 0);
        }
        state.entering -= 1;
        // It may have been the last one, which the block writer saw when it was asked to free others.
        self.filled.notify_one();
        slot.iter_mut().for_each(|slot| state.begin(slot, self.key, thread, 0));
        (slot, gauge)
    }

    /// A free slot beside so many that are others', waited for if one is being made.
    pub(super) fn spare<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        others: impl Fn(&State) -> usize,
    ) -> (MutexGuard<'s, State>, Option<Slot>) {
        loop {
            let is_free = !state.closed && state.spare.len() > others(&state);
            let spare = if is_free { state.spare.pop() } else { None };
            if state.spare.len() < AHEAD && state.unmade > 0 {
                self.chores.notify_one();
            }
            if spare.is_some() || state.closed || (state.unmade <= 0 && !state.is_making) {
                return (state, spare);
            }
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

//! Reusable barrier for the threads of a workload, which also ends their waits when one of them fails.

use super::error::WorkloadError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use taut_capture::Caller;

/// Reusable barrier for a fixed number of threads. Once a thread has failed, every wait returns [`Abandoned`].
pub(crate) struct Rendezvous {
    threads: u32,
    state: Mutex<BarrierState>,
    changed: Condvar,
    /// Copy of [`BarrierState::failed`], for frequent checks without the lock.
    failed: AtomicBool,
}

#[derive(Default)]
struct BarrierState {
    /// Number of threads that wait.
    arrived: u32,
    /// Number of times that all threads have arrived.
    generation: u64,
    /// Max last stamp of the threads that have arrived so far.
    latest_stamp: u64,
    /// True if a thread has failed and will not arrive.
    failed: bool,
    reason: Option<WorkloadError>,
}

/// Error of a wait: a thread of the barrier has failed. [`Rendezvous::outcome`] returns the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Abandoned;

impl Rendezvous {
    /// Creates a barrier for this number of threads.
    pub(crate) fn new(threads: u32) -> Rendezvous {
        Rendezvous { threads, state: Mutex::default(), changed: Condvar::new(), failed: AtomicBool::new(false) }
    }

    fn state(&self) -> MutexGuard<'_, BarrierState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all threads have called this. The caller's events after the wait have stamps above those of all
    /// threads' events before it.
    pub(crate) fn meet<C: Caller>(&self, caller: &mut C) -> Result<(), Abandoned> {
        let mut state = self.state();
        state.latest_stamp = state.latest_stamp.max(caller.last_stamp());
        state.arrived += 1;
        let generation = state.generation;
        if state.arrived == self.threads {
            state.arrived = 0;
            state.generation += 1;
            self.changed.notify_all();
        }
        while state.generation == generation && !state.failed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        caller.observe(state.latest_stamp);
        if state.failed { Err(Abandoned) } else { Ok(()) }
    }

    /// Reports the failure of this thread, which ends all waits. The barrier stores the first reason, except that the
    /// first panic replaces any other reason: a panic removes the device, so other threads may fail as a consequence
    /// and report that before the panic is reported.
    pub(crate) fn abandon(&self, reason: WorkloadError) {
        let is_panic = |reason: &WorkloadError| matches!(reason, WorkloadError::Panicked(_));
        let mut state = self.state();
        if state.reason.as_ref().is_none_or(|first| is_panic(&reason) && !is_panic(first)) {
            state.reason = Some(reason);
        }
        self.fail(&mut state);
    }

    /// Marks the barrier as failed and wakes all waiting threads.
    fn fail(&self, state: &mut BarrierState) {
        state.failed = true;
        self.failed.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// True if a thread has failed, so that the others should stop.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Returns a guard for the run of a thread: if the thread panics, dropping the guard ends the other threads' waits.
    pub(crate) fn panic_guard(&self) -> PanicGuard<'_> {
        PanicGuard { rendezvous: self }
    }

    /// Returns the reason that [`abandon`](Self::abandon) stored, if any. A panic that only a [`PanicGuard`] has seen
    /// is no reason: it continues in its thread, and `std::thread::scope` passes it on.
    pub(crate) fn outcome(self) -> Result<(), WorkloadError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.reason.map_or(Ok(()), Err)
    }
}

/// Guard that marks the barrier as failed if it is dropped by a panic.
pub(crate) struct PanicGuard<'a> {
    rendezvous: &'a Rendezvous,
}

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.rendezvous.fail(&mut self.rendezvous.state());
        }
    }
}

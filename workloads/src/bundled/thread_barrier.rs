//! Reusable barrier for the threads of a workload. A failure of one thread ends the waits of all threads.

use super::error::WorkloadError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use taut_capture::Caller;

/// Reusable barrier for a fixed number of threads. Once a thread has failed, each wait returns [`Cancelled`].
pub(crate) struct ThreadBarrier {
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

/// Error of a wait: a thread of the barrier has failed. [`ThreadBarrier::outcome`] returns the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cancelled;

impl ThreadBarrier {
    /// Creates a barrier for this number of threads.
    pub(crate) fn new(threads: u32) -> ThreadBarrier {
        ThreadBarrier { threads, state: Mutex::default(), changed: Condvar::new(), failed: AtomicBool::new(false) }
    }

    fn state(&self) -> MutexGuard<'_, BarrierState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all threads have called this function. The events that `caller` records after the wait have higher
    /// stamps than the events that any thread recorded before the wait.
    ///
    /// # Errors
    /// A thread has failed, so that it will not arrive.
    pub(crate) fn wait<C: Caller>(&self, caller: &mut C) -> Result<(), Cancelled> {
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
        if state.failed { Err(Cancelled) } else { Ok(()) }
    }

    /// Ends all waits because the calling thread has failed. The barrier stores the first `reason`, except that the first
    /// panic replaces any other reason: a panic removes the device, so other threads may fail as a consequence, and may
    /// call this function before the thread that panicked does.
    pub(crate) fn cancel(&self, reason: WorkloadError) {
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
    pub(crate) fn is_cancelled(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Returns a guard for the run of a thread: if the thread panics, dropping the guard ends the other threads' waits.
    pub(crate) fn panic_guard(&self) -> PanicGuard<'_> {
        PanicGuard { barrier: self }
    }

    /// Returns the stored reason of [`cancel`](Self::cancel) as an error. A panic that only a [`PanicGuard`] detected has
    /// no stored reason; `std::thread::scope` propagates it.
    pub(crate) fn outcome(self) -> Result<(), WorkloadError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.reason.map_or(Ok(()), Err)
    }
}

/// Guard that marks the barrier as failed if it is dropped by a panic.
pub(crate) struct PanicGuard<'a> {
    barrier: &'a ThreadBarrier,
}

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.barrier.fail(&mut self.barrier.state());
        }
    }
}

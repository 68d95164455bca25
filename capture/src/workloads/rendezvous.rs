//! Where application threads wait for each other.

use super::error::WorkloadError;
use crate::caller::Caller;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Threads that meet as often as they like; each time all of them, or none.
pub(crate) struct Rendezvous {
    threads: u32,
    state: Mutex<Meeting>,
    all_here: Condvar,
    /// The state's `given_up`, for threads that look at it all the time.
    given_up: AtomicBool,
}

#[derive(Default)]
struct Meeting {
    here: u32,
    meetings: u64,
    latest_stamp: u64,
    /// A thread will not come any more.
    given_up: bool,
    why: Option<WorkloadError>,
}

/// A thread will not come to the rendezvous any more; why not is known to the rendezvous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GivenUp;

impl Rendezvous {
    /// A meeting place of this many threads.
    pub(crate) fn new(threads: u32) -> Rendezvous {
        let (state, all_here, given_up) = (Mutex::default(), Condvar::new(), AtomicBool::new(false));
        Rendezvous { threads, state, all_here, given_up }
    }

    fn state(&self) -> MutexGuard<'_, Meeting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for all threads. What each does next comes after what any did before.
    pub(crate) fn meet<C: Caller>(&self, caller: &mut C) -> Result<(), GivenUp> {
        let mut state = self.state();
        state.latest_stamp = state.latest_stamp.max(caller.last_stamp());
        state.here += 1;
        let meeting = state.meetings;
        if state.here == self.threads {
            state.here = 0;
            state.meetings += 1;
            self.all_here.notify_all();
        }
        while state.meetings == meeting && !state.given_up {
            state = self.all_here.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        caller.observe(state.latest_stamp);
        if state.given_up { Err(GivenUp) } else { Ok(()) }
    }

    /// Tells the others that this thread will not come any more. The first reason is kept, but for a panic: it removed the device,
    /// of which others may have heard before its thread came to tell.
    pub(crate) fn give_up(&self, why: WorkloadError) {
        let is_panic = |why: &WorkloadError| matches!(why, WorkloadError::Panicked(_));
        let mut state = self.state();
        if state.why.as_ref().is_none_or(|first| is_panic(&why) && !is_panic(first)) {
            state.why = Some(why);
        }
        self.end(&mut state);
    }

    fn end(&self, state: &mut Meeting) {
        state.given_up = true;
        self.given_up.store(true, Ordering::Relaxed);
        self.all_here.notify_all();
    }

    /// Whether a thread will not come any more, so that the others need not go on.
    pub(crate) fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }

    /// Makes a panic in this thread one that the others hear of, for as long as the value lives.
    pub(crate) fn attend(&self) -> Attendance<'_> {
        Attendance { rendezvous: self }
    }

    /// Why a thread gave up, if one did.
    pub(crate) fn outcome(self) -> Result<(), WorkloadError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.why.map_or(Ok(()), Err)
    }
}

/// A thread that the others may wait for.
pub(crate) struct Attendance<'a> {
    rendezvous: &'a Rendezvous,
}

impl Drop for Attendance<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.rendezvous.end(&mut self.rendezvous.state());
        }
    }
}

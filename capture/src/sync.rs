//! Synchronisation primitives of shell, session and machine. In the crate's own tests these are shuttle's, which
//! explores thread schedules; state that outlives its runs (the recorder, finished work) uses std's.

#[cfg(test)]
pub use shuttle::{
    sync::{Condvar, Mutex, MutexGuard},
    thread, thread_local,
};
pub use std::sync::{PoisonError, TryLockError};
#[cfg(not(test))]
pub use std::{
    sync::{Condvar, Mutex, MutexGuard},
    thread, thread_local,
};

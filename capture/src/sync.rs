//! What the shell, the session and the machine wait with. In the crate's own tests these are a scheduler's, which tries
//! one order of threads after another; what lives outside of its runs (the recorder, work that is done) waits with std's.

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

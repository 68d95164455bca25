//! The lock type the shell is built from. The test that explores thread schedules compiles the shell's files with
//! another module in this one's place.

pub use std::sync::{Condvar, Mutex, MutexGuard, TryLockError};

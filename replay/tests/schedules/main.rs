//! Thread schedules, explored: whatever order threads get through the real lock sets, the recorded order replays.
//!
//! The shell's own files, and the machine's, are compiled here a second time, over locks that shuttle schedules.
#![allow(clippy::expect_used)]

mod background;
#[allow(dead_code, missing_docs)]
#[path = "../../../capture/src/clock.rs"]
mod clock;
mod kept;
#[allow(dead_code, missing_docs)]
#[path = "../../../capture/src/locks.rs"]
mod locks;
mod machine;
mod objects;
#[allow(dead_code, missing_docs)]
#[path = "../../../capture/src/shell.rs"]
mod shell;
mod sync {
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard};
    pub use std::sync::TryLockError;
}

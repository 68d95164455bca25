//! File locks, for file systems with locks.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};

/// Result of a lock request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockResult {
    /// The lock was acquired.
    Acquired,
    /// Another holder has a conflicting lock.
    Held,
    /// The file system does not support locks.
    Unknown,
}

/// Requests the exclusive lock.
///
/// # Errors
/// Any system error other than missing support for locks.
pub(crate) fn exclusive(file: &File) -> io::Result<LockResult> {
    match lock(file, File::try_lock) {
        Ok(()) => Ok(LockResult::Acquired),
        Err(TryLockError::WouldBlock) => Ok(LockResult::Held),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(LockResult::Unknown),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Requests a shared lock; any error counts as [`LockResult::Unknown`].
pub(crate) fn shared(file: &File) -> LockResult {
    match lock(file, File::try_lock_shared) {
        Ok(()) => LockResult::Acquired,
        Err(TryLockError::WouldBlock) => LockResult::Held,
        Err(TryLockError::Error(_)) => LockResult::Unknown,
    }
}

fn lock(file: &File, try_lock: fn(&File) -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    #[cfg(test)]
    if without::LOCKS.get() {
        return Err(TryLockError::Error(ErrorKind::Unsupported.into()));
    }
    try_lock(file)
}

/// Test switch: makes this thread's files behave as on a file system without locks.
#[cfg(test)]
pub(crate) mod without {
    std::thread_local! {
        pub static LOCKS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;

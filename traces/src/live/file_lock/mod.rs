//! File locks, for file systems with locks.

#[cfg(windows)]
mod byte_lock;

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
    match lock(file, system::try_exclusive) {
        Ok(()) => Ok(LockResult::Acquired),
        Err(TryLockError::WouldBlock) => Ok(LockResult::Held),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(LockResult::Unknown),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Requests a shared lock; any error counts as [`LockResult::Unknown`].
pub(crate) fn shared(file: &File) -> LockResult {
    match lock(file, system::try_shared) {
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

/// Releases the lock.
///
/// # Errors
/// The system does not release it.
pub(crate) fn release(file: &File) -> io::Result<()> {
    system::release(file)
}

/// Locks of whole files, which other processes may read and write nonetheless.
#[cfg(not(windows))]
mod system {
    use super::{File, TryLockError, io};

    pub fn try_exclusive(file: &File) -> Result<(), TryLockError> {
        file.try_lock()
    }

    pub fn try_shared(file: &File) -> Result<(), TryLockError> {
        file.try_lock_shared()
    }

    pub fn release(file: &File) -> io::Result<()> {
        file.unlock()
    }
}

#[cfg(windows)]
use byte_lock as system;

/// Test switch: makes this thread's files behave as on a file system without locks.
#[cfg(test)]
pub(crate) mod without {
    std::thread_local! {
        pub static LOCKS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;

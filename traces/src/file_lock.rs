//! Locks of files, where the file system has such.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};

/// What became of asking for a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// It is ours.
    Got,
    /// Somebody has one.
    Held,
    /// The file system knows no locks.
    Unknown,
}

/// Asks for the lock that only one can have.
///
/// # Errors
/// The system says something else than that it has no locks.
pub(crate) fn exclusive(file: &File) -> io::Result<Asked> {
    match lock(file, File::try_lock) {
        Ok(()) => Ok(Asked::Got),
        Err(TryLockError::WouldBlock) => Ok(Asked::Held),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(Asked::Unknown),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Asks for a lock that several can have; whatever goes wrong, nothing is known then.
pub(crate) fn shared(file: &File) -> Asked {
    match lock(file, File::try_lock_shared) {
        Ok(()) => Asked::Got,
        Err(TryLockError::WouldBlock) => Asked::Held,
        Err(TryLockError::Error(_)) => Asked::Unknown,
    }
}

fn lock(file: &File, ask: fn(&File) -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    #[cfg(test)]
    if without::LOCKS.get() {
        return Err(TryLockError::Error(ErrorKind::Unsupported.into()));
    }
    ask(file)
}

/// For tests: this thread's files lie where there are no locks.
#[cfg(test)]
pub(crate) mod without {
    std::thread_local! {
        pub static LOCKS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;

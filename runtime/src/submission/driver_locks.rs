//! Locks that a driver has of its own.
//!
//! A thread inside a driver call with callbacks holds the queue's lock, so there is only one such thread: waiting for a
//! driver lock deadlocks if, and only if, this thread holds it already. That is detected here, and no thread hangs.

/// Locks that the driver holds, in order of acquisition.
#[derive(Debug, Default)]
pub(crate) struct DriverLocks(Vec<DriverLock>);

/// A lock that the driver holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DriverLock {
    pub lock: u32,
    /// Name of the driver call that acquired it.
    pub taken_in: &'static str,
}

impl DriverLocks {
    /// Acquires a lock within a call.
    ///
    /// # Errors
    /// The lock is held; the error is the name of the call that acquired it.
    pub fn take(&mut self, lock: u32, call: &'static str) -> Result<(), &'static str> {
        match self.0.iter().find(|held| held.lock == lock) {
            Some(held) => Err(held.taken_in),
            None => {
                self.0.push(DriverLock { lock, taken_in: call });
                Ok(())
            }
        }
    }

    /// Releases a lock if the driver holds it.
    pub fn release(&mut self, lock: u32) {
        self.0.retain(|held| held.lock != lock);
    }

    /// Returns the number of held locks.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Releases all but the first `count` locks, which are the locks acquired in a call that has returned. Returns the
    /// released locks.
    pub fn release_after(&mut self, count: usize) -> Vec<DriverLock> {
        self.0.split_off(count.min(self.0.len()))
    }
}

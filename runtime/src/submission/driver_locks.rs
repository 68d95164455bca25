//! Locks that a driver has of its own.
//!
//! Whoever is in the driver with callbacks holds the queue's lock, so one thread is: a lock of the driver's is waited for in
//! vain if, and only if, the thread that wants it has it. That is seen here, and nobody hangs.

/// The locks that the driver has taken and not let go of, in the order in which it took them.
#[derive(Debug, Default)]
pub(crate) struct DriverLocks(Vec<DriverLock>);

/// A lock that the driver has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DriverLock {
    pub lock: u32,
    /// In which call of its.
    pub taken_in: &'static str,
}

impl DriverLocks {
    /// Takes a lock within a call.
    ///
    /// # Errors
    /// Where it was taken: it is not free.
    pub fn take(&mut self, lock: u32, call: &'static str) -> Result<(), &'static str> {
        match self.0.iter().find(|held| held.lock == lock) {
            Some(held) => Err(held.taken_in),
            None => {
                self.0.push(DriverLock { lock, taken_in: call });
                Ok(())
            }
        }
    }

    /// Lets go of a lock, if the driver has it.
    pub fn release(&mut self, lock: u32) {
        self.0.retain(|held| held.lock != lock);
    }

    /// How many it has.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Lets go of all but the first so many: what it had when a call began that is over. Those that it let go of.
    pub fn cut(&mut self, count: usize) -> Vec<DriverLock> {
        self.0.split_off(count.min(self.0.len()))
    }
}

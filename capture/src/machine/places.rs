//! Places for tasks among the workers of the process: modes and queues are each device's own, workers are shared by all.

use crate::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// So many tasks may run at once, of all adapters together.
pub(crate) struct WorkerPlaces {
    free: Mutex<u32>,
    freed: Condvar,
}

/// The place of a task, until it is dropped.
pub(crate) struct HeldPlace<'p>(&'p WorkerPlaces);

impl WorkerPlaces {
    /// So many places, all free.
    pub fn new(places: u32) -> WorkerPlaces {
        WorkerPlaces { free: Mutex::new(places), freed: Condvar::new() }
    }

    fn free(&self) -> MutexGuard<'_, u32> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place, if one is free.
    pub fn take(&self) -> Option<HeldPlace<'_>> {
        let mut free = self.free();
        *free = free.checked_sub(1)?;
        Some(HeldPlace(self))
    }

    /// Waits until a place is free. Whoever has one ends its task, so this ends.
    pub fn wait(&self) {
        let mut free = self.free();
        while *free == 0 {
            free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for HeldPlace<'_> {
    fn drop(&mut self) {
        *self.0.free() += 1;
        // Those who wait for adapters with nothing left to do take none.
        self.0.freed.notify_all();
    }
}

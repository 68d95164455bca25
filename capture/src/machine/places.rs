//! Process-wide limit of concurrent tasks. Each device has its own mode and queue, and all devices share the workers.

use crate::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Counting semaphore of concurrent tasks of all adapters.
pub(crate) struct WorkerPlaces {
    free: Mutex<u32>,
    freed: Condvar,
}

/// Place of a running task, released when it is dropped.
pub(crate) struct HeldPlace<'p>(&'p WorkerPlaces);

impl WorkerPlaces {
    /// Creates this number of free places.
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

    /// Waits until a place is free. The wait ends because every running task ends.
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
        // All waiting workers are woken, because a single woken worker may belong to an adapter without tasks and take
        // no place.
        self.0.freed.notify_all();
    }
}

//! The driver's own lock. The runtime's lock already guards the driver's state, so the driver only reports its lock and
//! does not take it.

use crate::driver::background_profile::Background;
use taut_schemas::Callbacks;
use taut_schemas::d3d12_callbacks::{ReleaseDriverLock, TakeDriverLock};

/// Number of the driver's only lock.
const LOCK: u32 = 1;

/// Guard of the lock until it is [released](OwnLock::release); does nothing for a driver without a lock.
#[must_use = "who takes it lets go of it"]
pub(super) struct DriverLockGuard {
    is_held: bool,
}

impl DriverLockGuard {
    /// Takes the lock, if the driver has one. Where the runtime reports a deadlock, the driver continues without the
    /// lock.
    pub fn take(settings: &Background, callbacks: &mut dyn Callbacks) -> DriverLockGuard {
        DriverLockGuard {
            is_held: settings.own_lock > 0 && callbacks.take_driver_lock(&TakeDriverLock { lock: LOCK }).is_ok(),
        }
    }

    /// Releases the lock.
    pub fn release(self, callbacks: &mut dyn Callbacks) {
        if self.is_held {
            callbacks.release_driver_lock(&ReleaseDriverLock { lock: LOCK });
        }
    }
}

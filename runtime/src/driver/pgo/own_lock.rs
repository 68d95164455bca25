//! The driver's own lock. What it guards, the runtime keeps under a lock of its own; so it is told of, not taken.

use crate::driver::background_profile::Background;
use taut_schemas::Callbacks;
use taut_schemas::d3d12_callbacks::{ReleaseDriverLock, TakeDriverLock};

/// The only one that it has.
const LOCK: u32 = 1;

/// The lock, held until it is [released](OwnLock::release); nothing of a driver without one.
#[must_use = "who takes it lets go of it"]
pub(super) struct OwnLock {
    is_held: bool,
}

impl OwnLock {
    /// Takes it, if the driver has one. What the runtime says would hang goes on without it.
    pub fn take(settings: &Background, callbacks: &mut dyn Callbacks) -> OwnLock {
        OwnLock { is_held: settings.own_lock > 0 && callbacks.take_driver_lock(&TakeDriverLock { lock: LOCK }).is_ok() }
    }

    /// Lets go of it.
    pub fn release(self, callbacks: &mut dyn Callbacks) {
        if self.is_held {
            callbacks.release_driver_lock(&ReleaseDriverLock { lock: LOCK });
        }
    }
}

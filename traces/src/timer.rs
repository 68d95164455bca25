//! Something that is to be done every so often.

use std::time::{Duration, Instant};

/// Something that is to be done every so often.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timer {
    every: Duration,
    due: Instant,
}

impl Timer {
    /// The first time is when `every` has gone by. None for a time that never comes.
    pub fn every(every: Duration) -> Option<Timer> {
        Some(Timer { every, due: Instant::now().checked_add(every)? })
    }

    pub fn due(&self) -> Instant {
        self.due
    }

    /// Whether it is to be done now; then it is due again when the time has gone by once more.
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.due;
        if is_due {
            self.due = now.checked_add(self.every).unwrap_or(self.due);
        }
        is_due
    }
}

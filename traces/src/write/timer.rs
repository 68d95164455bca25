//! Periodic timer.

use std::time::{Duration, Instant};

/// Periodic timer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timer {
    every: Duration,
    due: Instant,
}

impl Timer {
    /// Creates a timer that is first due after `every`; `None` if that time is out of range.
    pub fn every(every: Duration) -> Option<Timer> {
        Some(Timer { every, due: Instant::now().checked_add(every)? })
    }

    pub fn due(&self) -> Instant {
        self.due
    }

    /// True if the timer is due, and then schedules the next period.
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.due;
        if is_due {
            self.due = now.checked_add(self.every).unwrap_or(self.due);
        }
        is_due
    }
}

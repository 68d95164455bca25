//! A wish that a session end before its workload does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asks a session to end: its threads stop before their next frame or creation, and what they have stays alive.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Wish>);

#[derive(Debug, Default)]
struct Wish {
    asked: AtomicBool,
    noticed: AtomicBool,
}

impl Stop {
    /// Asks.
    pub fn ask(&self) {
        self.0.asked.store(true, Ordering::Relaxed);
    }

    /// Whether the session is to end; who asks this is taken to obey.
    pub(crate) fn notice(&self) -> bool {
        let asked = self.0.asked.load(Ordering::Relaxed);
        if asked {
            self.0.noticed.store(true, Ordering::Relaxed);
        }
        asked
    }

    /// Whether the session has ended early.
    pub fn was_noticed(&self) -> bool {
        self.0.noticed.load(Ordering::Relaxed)
    }
}

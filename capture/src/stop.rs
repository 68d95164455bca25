//! What a session's threads and those who watch it tell each other: a request that it end early, and how far it is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use taut_traces::EndCause;

/// Asks a session to end: its threads stop before their next frame or creation, and what they have stays alive. Until
/// then it counts what they have done.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Request>);

#[derive(Debug, Default)]
struct Request {
    asked: AtomicBool,
    /// Why, if it was the recording that asked first.
    cause: OnceLock<Option<EndCause>>,
    noticed: AtomicBool,
    steps: AtomicU64,
}

impl Stop {
    /// Asks.
    pub fn ask(&self) {
        self.ask_since(None);
    }

    /// Asks, as the recording is to end.
    pub(crate) fn ask_for(&self, cause: EndCause) {
        self.ask_since(Some(cause));
    }

    fn ask_since(&self, cause: Option<EndCause>) {
        self.0.cause.get_or_init(|| cause);
        self.0.asked.store(true, Ordering::Relaxed);
    }

    /// Why the recording asked for the end, if nobody else asked before.
    pub fn cause(&self) -> Option<EndCause> {
        self.0.cause.get().copied().flatten()
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

    /// A thread has done a step of the workload.
    pub(crate) fn step_done(&self) {
        self.0.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// Steps of the workload that all threads have done together.
    pub fn steps_done(&self) -> u64 {
        self.0.steps.load(Ordering::Relaxed)
    }
}

//! Events of clients. Each wait for a fence has an event of the session, whose signal is passed on to the client's
//! eventfd.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_capture::EventSignals;
use taut_schemas::EventHandle;

/// Events of the session, and the clients' events that wait for them.
#[derive(Debug, Default)]
pub struct ClientEvents {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Duplicates of clients' events, by the session's event.
    waiting: BTreeMap<u64, File>,
    /// Events of the session without a client's event.
    free: Vec<EventHandle>,
}

impl ClientEvents {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an event of the session that no client waits for, if there is one.
    pub fn take_free(&self) -> Option<EventHandle> {
        self.state().free.pop()
    }

    /// Passes the next signal of a session's event on to `file`.
    pub fn pass_to(&self, event: EventHandle, file: File) {
        self.state().waiting.insert(event.0, file);
    }

    /// Undoes [`pass_to`](Self::pass_to) of an event that will not be signalled.
    pub fn put_back(&self, event: EventHandle) {
        let mut state = self.state();
        state.waiting.remove(&event.0);
        state.free.push(event);
    }
}

impl EventSignals for ClientEvents {
    fn signal(&self, event: EventHandle) {
        let mut state = self.state();
        let Some(mut file) = state.waiting.remove(&event.0) else { return };
        state.free.push(event);
        drop(state);
        // An event that the client has closed has nobody who waits for it.
        let _ = file.write_all(&1_u64.to_ne_bytes());
    }
}

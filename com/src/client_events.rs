//! Events of clients. Each wait for a fence has an event of the session, whose signal is passed on to the client's
//! event.

use crate::unsafe_abi::Event;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use taut_capture::EventSignals;
use taut_schemas::EventHandle;

/// Events of the session, and the clients' events that wait for them.
#[derive(Debug, Default)]
pub struct ClientEvents {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Clients' events, by the session's event.
    waiting: BTreeMap<u64, Arc<ClientEvent>>,
    /// Events of the session without a client's event.
    free: Vec<EventHandle>,
}

/// Event of the client that waits for events of the session.
#[derive(Debug)]
pub struct ClientEvent {
    /// Duplicate of the client's event.
    event: Event,
    /// Number of signals until the client's event is signalled; 0 afterwards.
    remaining: AtomicU32,
}

impl ClientEvent {
    /// An event that the signal number `signals` signals.
    pub fn new(event: Event, signals: u32) -> Arc<ClientEvent> {
        Arc::new(ClientEvent { event, remaining: AtomicU32::new(signals) })
    }

    /// Ends the wait without a signal.
    pub fn cancel(&self) {
        self.remaining.store(0, Ordering::Release);
    }

    fn signal(&self) {
        let less = |count: u32| count.checked_sub(1);
        if self.remaining.fetch_update(Ordering::AcqRel, Ordering::Acquire, less) == Ok(1) {
            self.event.signal();
        }
    }
}

impl ClientEvents {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an event of the session that no client waits for, if there is one.
    pub fn take_free(&self) -> Option<EventHandle> {
        self.state().free.pop()
    }

    /// Passes the next signal of a session's event on to the client's.
    pub fn pass_to(&self, event: EventHandle, client_event: Arc<ClientEvent>) {
        self.state().waiting.insert(event.0, client_event);
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
        let Some(client_event) = state.waiting.remove(&event.0) else { return };
        state.free.push(event);
        drop(state);
        client_event.signal();
    }
}

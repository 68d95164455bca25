//! The operating system's events.

use super::QueueState;
use taut_schemas::EventHandle;

/// An event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    pub manual_reset: bool,
    pub signalled: bool,
}

impl QueueState {
    pub(crate) fn create_event(&mut self, manual_reset: bool, signalled: bool) -> EventHandle {
        self.last_event += 1;
        self.events.insert(self.last_event, Event { manual_reset, signalled });
        EventHandle(self.last_event)
    }

    /// The event, if its handle is open.
    pub(crate) fn event_mut(&mut self, handle: EventHandle) -> Option<&mut Event> {
        self.events.get_mut(&handle.0)
    }

    /// Closes a handle. Whoever was to signal the event may still do so (rule B-35); nobody can see it any more.
    pub(crate) fn close_event(&mut self, handle: EventHandle) -> Option<Event> {
        self.events.remove(&handle.0)
    }

    /// SetEvent by the runtime. The null handle is no event.
    pub(crate) fn signal(&mut self, handle: EventHandle) {
        if let Some(event) = self.events.get_mut(&handle.0) {
            event.signalled = true;
        }
    }
}

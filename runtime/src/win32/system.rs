//! Operating system state of a session.

use crate::context::Context;
use crate::records::{RestoreError, StateRecords, check_count};
use std::collections::BTreeMap;
use taut_schemas::{EventHandle, mark, state};

/// An event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    pub manual_reset: bool,
    pub signalled: bool,
}

/// Operating system state of a session: events and settings, independent of adapters.
#[derive(Debug, Default)]
pub struct SystemState {
    events: BTreeMap<u64, Event>,
    /// Number of events so far, which is also the last handle.
    last_event: u64,
    /// Events signalled since the last look, if they are tracked.
    signals: Option<Vec<EventHandle>>,
    /// Developer mode, if a call has set it.
    pub(crate) developer_mode: Option<bool>,
}

impl SystemState {
    /// Creates the state of a session; the number of adapters has no effect.
    pub fn new(_adapters: usize) -> SystemState {
        SystemState::default()
    }

    /// Writes the records.
    pub(crate) fn save(&self, records: &mut StateRecords) {
        let SystemState { events, last_event, developer_mode, signals: _ } = self;
        records.put(&state::System { events: *last_event, developer_mode: *developer_mode });
        for (event, Event { manual_reset, signalled }) in events {
            // Handles of closed events are never used again, so `last_event` is recorded in addition to the open
            // handles.
            let (event, manual_reset, signalled) = (EventHandle(*event), *manual_reset, *signalled);
            records.put(&state::Event { event, manual_reset, signalled });
        }
    }

    /// Restores the state from its record.
    pub(crate) fn restore(&mut self, record: &state::System) -> Result<(), RestoreError> {
        let state::System { events, developer_mode } = *record;
        (self.last_event, self.developer_mode) = (check_count::<state::System>(events)?, developer_mode);
        Ok(())
    }

    /// Restores an event from its record.
    pub(crate) fn restore_event(&mut self, record: &state::Event) {
        let state::Event { event, manual_reset, signalled } = *record;
        self.events.insert(event.0, Event { manual_reset, signalled });
    }

    pub(crate) fn create_event(&mut self, manual_reset: bool, signalled: bool) -> EventHandle {
        self.last_event += 1;
        self.events.insert(self.last_event, Event { manual_reset, signalled });
        EventHandle(self.last_event)
    }

    /// The event, if its handle is open.
    pub(crate) fn event_mut(&mut self, handle: EventHandle) -> Option<&mut Event> {
        self.events.get_mut(&handle.0)
    }

    /// Closes a handle. A later signal of the event is legal and has no effect (rule B-35).
    pub(crate) fn close_event(&mut self, handle: EventHandle) -> Option<Event> {
        self.events.remove(&handle.0)
    }

    /// True if an event is signalled; `None` if there is no such event.
    pub fn is_signalled(&self, event: EventHandle) -> Option<bool> {
        self.events.get(&event.0).map(|event| event.signalled)
    }

    /// SetEvent by the runtime. A null handle has no effect.
    pub(crate) fn signal(&mut self, handle: EventHandle) {
        if let Some(event) = self.events.get_mut(&handle.0) {
            event.signalled = true;
            if let Some(signals) = &mut self.signals {
                signals.push(handle);
            }
        }
    }

    /// Starts to track signalled events.
    pub fn track_signals(&mut self) {
        self.signals.get_or_insert_default();
    }

    /// Takes the events signalled since the last call, in order; an event may be named several times.
    pub fn take_signals(&mut self) -> Vec<EventHandle> {
        self.signals.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Marks commits as done, and signals their events (rule B-31).
    pub(crate) fn commits_done(&mut self, context: &mut Context<'_>, done: Vec<mark::BackgroundCommitDone>) {
        for done in done {
            context.mark(&done);
            self.signal(done.event);
        }
    }
}

//! Live shell: runs the runtime's state machine under locks and in real time, and records the events.

use crate::event_signals::EventSignals;
use crate::locks::LockTable;
use crate::memory::Memory;
use std::sync::{Arc, OnceLock};
use taut_runtime::{DeviceState, Settings, SystemState};
use taut_schemas::{AdapterId, Driver, WorkPriority};
use taut_traces::Clock;

/// State shared by all threads of a session.
pub struct Shell {
    pub(crate) settings: Settings,
    /// Driver of each adapter; never empty.
    drivers: Vec<Box<dyn Driver>>,
    pub(crate) clock: Clock,
    pub(crate) locks: LockTable,
    pub(crate) priorities: Priorities,
    pub(crate) memory: OnceLock<Arc<dyn Memory>>,
    pub(crate) events: OnceLock<Arc<dyn EventSignals>>,
}

/// Callback that sets the priority of each busy worker of an adapter, often to the value it already has.
pub type Priorities = Box<dyn Fn(AdapterId, u32, WorkPriority) + Send + Sync>;

impl Shell {
    /// Creates a machine with one adapter per driver, at least one, and no device.
    pub fn new(settings: Settings, drivers: Vec<Box<dyn Driver>>, clock: Clock) -> Shell {
        let (locks, memory, events) = (LockTable::new(drivers.len()), OnceLock::new(), OnceLock::new());
        Shell { settings, drivers, clock, locks, priorities: Box::new(|_, _, _| ()), memory, events }
    }

    /// Adapters of the machine.
    pub(crate) fn adapters(&self) -> impl Iterator<Item = AdapterId> + use<> {
        AdapterId::first(self.drivers.len())
    }

    /// Returns the driver of an adapter, or the first adapter's if the machine has no such adapter.
    pub(crate) fn driver(&self, adapter: AdapterId) -> &dyn Driver {
        &*self.drivers[adapter.place_among(self.drivers.len())]
    }

    /// Drivers by adapter.
    pub(crate) fn drivers(&self) -> &Vec<Box<dyn Driver>> {
        &self.drivers
    }

    /// Sets the callback for the workers' priorities.
    pub fn with_priorities(self, priorities: Priorities) -> Shell {
        Shell { priorities, ..self }
    }

    /// Sets the storage for mapped memory. Only the first call has an effect.
    pub fn set_memory(&self, memory: Arc<dyn Memory>) {
        if self.memory.set(memory).is_ok() {
            for adapter in self.adapters() {
                let mut held = self.locks.acquire_device(adapter);
                held.with(|locked| locked.device.map(DeviceState::remember_memory_changes));
            }
        }
    }

    /// Sets the receiver of the events' signals. Only the first call has an effect.
    pub fn set_events(&self, events: Arc<dyn EventSignals>) {
        if self.events.set(events).is_ok() {
            let held = self.locks.acquire_system_when(None, |_| true);
            held.map(|mut held| held.with(|locked| locked.system.map(SystemState::track_signals)));
        }
    }

    /// Ends all waits at the end of the session.
    pub fn close(&self) {
        self.locks.close();
    }
}

//! The live shell: runs the runtime's state machine under locks and real time, and tells a sink what happened.

use crate::locks::LockTable;
use crate::memory::Memory;
use std::sync::{Arc, OnceLock};
use taut_runtime::{DeviceState, Settings};
use taut_schemas::{AdapterId, Driver, WorkPriority};
use taut_traces::Clock;

/// What all application threads share.
pub struct Shell {
    pub(crate) settings: Settings,
    /// By adapter; at least one.
    drivers: Vec<Box<dyn Driver>>,
    pub(crate) clock: Clock,
    pub(crate) locks: LockTable,
    pub(crate) priorities: Priorities,
    pub(crate) memory: OnceLock<Arc<dyn Memory>>,
}

/// Is told at which priority each busy worker of an adapter is to run, often the same as before.
pub type Priorities = Box<dyn Fn(AdapterId, u32, WorkPriority) + Send + Sync>;

impl Shell {
    /// A machine with an adapter for each of these drivers, at least one, and no device yet.
    pub fn new(settings: Settings, drivers: Vec<Box<dyn Driver>>, clock: Clock) -> Shell {
        let (locks, memory) = (LockTable::new(drivers.len()), OnceLock::new());
        Shell { settings, drivers, clock, locks, priorities: Box::new(|_, _, _| ()), memory }
    }

    /// Its adapters.
    pub(crate) fn adapters(&self) -> impl Iterator<Item = AdapterId> + use<> {
        AdapterId::first(self.drivers.len())
    }

    /// The driver of an adapter; of one that the machine lacks, the first one's.
    pub(crate) fn driver(&self, adapter: AdapterId) -> &dyn Driver {
        &*self.drivers[adapter.place_among(self.drivers.len())]
    }

    /// The drivers, by adapter.
    pub(crate) fn drivers(&self) -> &Vec<Box<dyn Driver>> {
        &self.drivers
    }

    /// The same machine, whose workers' priorities are set by `priorities`.
    pub fn with_priorities(self, priorities: Priorities) -> Shell {
        Shell { priorities, ..self }
    }

    /// From now on, `memory` hears of what is mapped. The first that is given stays.
    pub fn set_memory(&self, memory: Arc<dyn Memory>) {
        if self.memory.set(memory).is_ok() {
            for adapter in self.adapters() {
                let mut held = self.locks.acquire_device(adapter);
                held.with(|locked| locked.device.map(DeviceState::remember_freed_memory));
            }
        }
    }

    /// Ends all waiting: the session is over.
    pub fn close(&self) {
        self.locks.close();
    }
}

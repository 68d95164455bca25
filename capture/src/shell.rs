//! The live shell: runs the runtime's state machine under locks and real time, and tells a sink what happened.

use crate::app_thread::AppThread;
use crate::clock::Clock;
use crate::event_stream::{EventSink, EventStream};
use crate::locks::LockTable;
use crate::memory::Memory;
use std::sync::{Arc, OnceLock};
use taut_runtime::{DeviceState, Settings};
use taut_schemas::{Driver, WorkPriority};

/// What all application threads share.
pub struct Shell {
    pub(crate) settings: Settings,
    pub(crate) driver: Box<dyn Driver>,
    pub(crate) clock: Clock,
    pub(crate) locks: LockTable,
    pub(crate) priorities: Priorities,
    pub(crate) memory: OnceLock<Arc<dyn Memory>>,
}

/// Is told at which priority each busy worker is to run, often the same as before.
pub type Priorities = Box<dyn Fn(u32, WorkPriority) + Send + Sync>;

impl Shell {
    /// A machine with one adapter and no device yet.
    pub fn new(settings: Settings, driver: Box<dyn Driver>, clock: Clock) -> Shell {
        let (locks, memory) = (LockTable::default(), OnceLock::new());
        Shell { settings, driver, clock, locks, priorities: Box::new(|_, _| ()), memory }
    }

    /// The same machine, whose workers' priorities are set by `priorities`.
    pub fn with_priorities(self, priorities: Priorities) -> Shell {
        Shell { priorities, ..self }
    }

    /// From now on, `memory` hears of what is mapped. The first that is given stays.
    pub fn set_memory(&self, memory: Arc<dyn Memory>) {
        if self.memory.set(memory).is_ok() {
            self.locks.acquire_device().with(|locked| locked.device.map(DeviceState::remember_freed_memory));
        }
    }

    /// Ends all waiting: the session is over.
    pub fn close(&self) {
        self.locks.close();
    }

    /// A thread whose events go to `sink`.
    pub fn thread<S: EventSink>(self: &Arc<Shell>, sink: S) -> AppThread<S> {
        AppThread::new(Arc::clone(self), EventStream { last_stamp: 0, sink })
    }
}

//! Clock, workers and open waits of a world with its own background tasks.

use crate::tasks::{SimulatedClock, TaskModel, Workers};
use foldhash::{HashMap, HashMapExt};
use std::collections::BTreeSet;
use taut_schemas::{EventHandle, d3d12, win32};

/// Value of INFINITE for dwMilliseconds.
const INFINITE: u32 = u32::MAX;

/// Clock, workers and open waits of a world with its own background tasks.
pub(super) struct Schedule {
    pub time: SimulatedClock,
    pub workers: Workers,
    /// Ticks of the recording's clock per millisecond.
    pub ticks_per_ms: u64,
    /// Waits in progress, by thread.
    pub waits: HashMap<u32, Wait>,
    /// Threads with an open call. Inputs are inserted only between calls.
    pub open: BTreeSet<u32>,
    /// Command lists being closed, by thread.
    pub closing: HashMap<u32, d3d12::CloseCommandList>,
}

/// Wait in the other world.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    pub event: EventHandle,
    /// Time of the timeout, in ticks.
    pub until: u64,
    /// True if the event was already signalled when the wait began.
    pub is_over: bool,
}

impl Wait {
    pub fn begun(call: &win32::BeginWaitForSingleObject, now: u64, ticks_per_ms: u64) -> Wait {
        let ticks = u64::from(call.timeout_ms).saturating_mul(ticks_per_ms);
        let until = if call.timeout_ms == INFINITE { u64::MAX } else { now.saturating_add(ticks) };
        Wait { event: call.event, until, is_over: false }
    }
}

impl Schedule {
    pub fn new(model: TaskModel, ticks_per_second: u64) -> Schedule {
        Schedule {
            time: SimulatedClock::default(),
            workers: Workers::new(model, ticks_per_second),
            ticks_per_ms: (ticks_per_second / 1000).max(1),
            waits: HashMap::new(),
            open: BTreeSet::new(),
            closing: HashMap::new(),
        }
    }
}

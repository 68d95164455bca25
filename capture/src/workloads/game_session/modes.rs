//! The mode changes of a thread.

use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::event::{close, event, wait};
use crate::workloads::mode::set_mode;
use crate::workloads::random::Random;
use taut_schemas::{BackgroundProcessingMode as Mode, DeviceId, EventHandle, MeasurementsAction as Action};

/// Commits of a thread whose end it may be waiting for at a time.
const MOST_COMMITS: usize = 2;

/// Time limits of waits end below this.
const MOST_WAIT_MS: u64 = 4;

/// Background work is allowed in three of four cases: without it there is nothing to see.
const MODES: [[Mode; 4]; 2] = [
    [
        Mode::ALLOWED,
        Mode::ALLOW_INTRUSIVE_MEASUREMENTS,
        Mode::DISABLE_BACKGROUND_WORK,
        Mode::DISABLE_PROFILING_BY_SYSTEM,
    ],
    [Mode::ALLOWED, Mode::ALLOWED, Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Mode::ALLOW_INTRUSIVE_MEASUREMENTS],
];
const ACTIONS: [[Action; 4]; 2] = [
    [Action::KEEP_ALL, Action::COMMIT_RESULTS, Action::COMMIT_RESULTS_HIGH_PRIORITY, Action::DISCARD_PREVIOUS],
    [Action::KEEP_ALL, Action::COMMIT_RESULTS, Action::COMMIT_RESULTS, Action::COMMIT_RESULTS_HIGH_PRIORITY],
];

/// A thread's commits, by their events.
pub(super) struct Modes {
    device: DeviceId,
    /// And whether a commit is going to signal it.
    events: [(EventHandle, bool); MOST_COMMITS],
}

impl Modes {
    pub fn new<C: Caller>(caller: &mut C, device: DeviceId) -> Result<Modes, WorkloadError> {
        Ok(Modes { device, events: [(event(caller)?, false), (event(caller)?, false)] })
    }

    /// Sets some mode. A commit has an event or none.
    pub fn change<C: Caller>(&mut self, caller: &mut C, random: &mut Random) -> Result<(), WorkloadError> {
        let (mode, action) = (random.below(2) as usize % 2, random.below(2) as usize % 2);
        let (mode, action) = (random.one_of(&MODES[mode]), random.one_of(&ACTIONS[action]));
        let waits = action.commits() && !random.once_in(3);
        let free = self.events.iter_mut().find(|(_, pending)| !pending).filter(|_| waits);
        let event = free.map_or(EventHandle::NULL, |(event, pending)| {
            *pending = true;
            *event
        });
        set_mode(caller, self.device, (mode, action), (event, random.once_in(2))).map(drop)
    }

    /// Looks after the commits: waits a while for each, or not at all.
    pub fn look<C: Caller>(&mut self, caller: &mut C, random: &mut Random) -> Result<(), WorkloadError> {
        for (event, pending) in &mut self.events {
            // What the thread decides next must not depend on whether it had to wait.
            let timeout_ms = random.below(MOST_WAIT_MS) as u32;
            *pending = *pending && !wait(caller, *event, timeout_ms)?;
        }
        Ok(())
    }

    /// Closes the events, although commits may be going to signal them (rule B-35).
    pub fn leave<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.events.into_iter().try_for_each(|(event, _)| close(caller, event))
    }
}

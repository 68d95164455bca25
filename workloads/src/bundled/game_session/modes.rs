//! Mode changes of a thread.

use crate::bundled::WorkloadError;
use crate::bundled::event::{close, event, wait};
use crate::bundled::mode::{ModeEvent, set_mode};
use crate::bundled::random::Random;
use taut_capture::Caller;
use taut_schemas::{BackgroundProcessingMode as Mode, DeviceId, EventHandle, MeasurementsAction as Action};

/// Maximum number of commits of a thread with a pending event.
const MAX_COMMITS: usize = 2;

/// Exclusive upper bound of wait timeouts, in milliseconds.
const MAX_WAIT_MS: u64 = 4;

/// Modes and actions, as two tables that are chosen with equal probability. Background work is allowed in most entries,
/// because without it the workload has nothing to exercise.
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

/// Events of a thread's commits.
pub(super) struct Modes {
    device: DeviceId,
    /// Events, each with true if a commit will signal it.
    events: [(EventHandle, bool); MAX_COMMITS],
}

impl Modes {
    pub fn new<C: Caller>(caller: &mut C, device: DeviceId) -> Result<Modes, WorkloadError> {
        Ok(Modes { device, events: [(event(caller)?, false), (event(caller)?, false)] })
    }

    /// Sets a random mode. A commit has an event or none.
    pub fn change<C: Caller>(&mut self, caller: &mut C, random: &mut Random) -> Result<(), WorkloadError> {
        let (mode, action) = (random.below(2) as usize % 2, random.below(2) as usize % 2);
        let (mode, action) = (random.one_of(&MODES[mode]), random.one_of(&ACTIONS[action]));
        let waits = action.commits() && !random.once_in(3);
        let free = self.events.iter_mut().find(|(_, pending)| !pending).filter(|_| waits);
        let event = free.map_or(EventHandle::NULL, |(event, pending)| {
            *pending = true;
            *event
        });
        set_mode(caller, self.device, mode, action, ModeEvent { event, want_further: random.once_in(2) }).map(drop)
    }

    /// Checks the pending commits, with a random timeout for each.
    pub fn look<C: Caller>(&mut self, caller: &mut C, random: &mut Random) -> Result<(), WorkloadError> {
        for (event, pending) in &mut self.events {
            // The random number is drawn even if no wait is needed, so that the thread's later decisions do not depend
            // on timing.
            let timeout_ms = random.below(MAX_WAIT_MS) as u32;
            *pending = *pending && !wait(caller, *event, timeout_ms)?;
        }
        Ok(())
    }

    /// Closes the events, although commits may still signal them (rule B-35).
    pub fn leave<C: Caller>(self, caller: &mut C) -> Result<(), WorkloadError> {
        self.events.into_iter().try_for_each(|(event, _)| close(caller, event))
    }
}

//! Fences.

use super::SubmissionState;
use crate::win32::SystemState;
use taut_schemas::{EventHandle, FenceId, FenceWait, state};

/// A fence.
#[derive(Debug, Default)]
pub(crate) struct Fence {
    pub value: u64,
    /// Events to be signalled, and from which value on.
    waiting: Vec<(u64, EventHandle)>,
}

impl Fence {
    /// As a record.
    pub fn save(&self, fence: FenceId) -> state::FenceValues {
        let Fence { value, waiting } = self;
        let waiting = waiting.iter().map(|(value, event)| FenceWait { value: *value, event: *event }).collect();
        state::FenceValues { fence, value: *value, waiting }
    }

    /// That of a record.
    pub fn restore(record: &state::FenceValues) -> Fence {
        let state::FenceValues { fence: _, value, waiting } = record;
        let waiting = waiting.iter().map(|FenceWait { value, event }| (*value, *event)).collect();
        Fence { value: *value, waiting }
    }
}

impl SubmissionState {
    pub(crate) fn add_fence(&mut self, id: FenceId, value: u64) {
        self.fences.insert(id.0, Fence { value, waiting: Vec::new() });
    }

    pub(crate) fn remove_fence(&mut self, id: FenceId) -> Option<Fence> {
        self.fences.remove(&id.0)
    }

    pub(crate) fn fence(&self, id: FenceId) -> Option<&Fence> {
        self.fences.get(&id.0)
    }

    /// Sets the fence and signals what waited for the value. A fence may go back.
    pub(crate) fn set_fence(&mut self, system: &mut SystemState, id: FenceId, value: u64) {
        let Some(fence) = self.fences.get_mut(&id.0) else { return };
        fence.value = value;
        let (reached, waiting) = fence.waiting.drain(..).partition(|(wanted, _)| *wanted <= value);
        fence.waiting = waiting;
        let reached: Vec<(u64, EventHandle)> = reached;
        reached.into_iter().for_each(|(_, event)| system.signal(event));
    }

    /// Signals the event once the fence has the value; at once if it has it.
    pub(crate) fn signal_on(&mut self, system: &mut SystemState, id: FenceId, value: u64, event: EventHandle) {
        match self.fences.get_mut(&id.0) {
            Some(fence) if fence.value < value => fence.waiting.push((value, event)),
            _ => system.signal(event),
        }
    }

    /// The device is removed: every fence is at its end, and nobody waits any longer.
    pub(crate) fn end_fences(&mut self, system: &mut SystemState) {
        let all: Vec<u64> = self.fences.keys().copied().collect();
        all.into_iter().for_each(|id| self.set_fence(system, FenceId(id), u64::MAX));
    }
}

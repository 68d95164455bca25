//! Fences of an adapter.

use super::SubmissionState;
use super::fence::Fence;
use crate::win32::SystemState;
use taut_schemas::{EventHandle, FenceId};

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

    /// Sets the fence's value and signals the events that wait for it. The value may decrease.
    pub(crate) fn set_fence(&mut self, system: &mut SystemState, id: FenceId, value: u64) {
        let Some(fence) = self.fences.get_mut(&id.0) else { return };
        fence.value = value;
        let (reached, waiting) = fence.waiting.drain(..).partition(|(wanted, _)| *wanted <= value);
        fence.waiting = waiting;
        let reached: Vec<(u64, EventHandle)> = reached;
        reached.into_iter().for_each(|(_, event)| system.signal(event));
    }

    /// Signals the event once the fence reaches the value; at once if it has.
    pub(crate) fn signal_on(&mut self, system: &mut SystemState, id: FenceId, value: u64, event: EventHandle) {
        match self.fences.get_mut(&id.0) {
            Some(fence) if fence.value < value => fence.waiting.push((value, event)),
            _ => system.signal(event),
        }
    }

    /// Sets all fences to UINT64_MAX after a device removal, which signals all waiting events.
    pub(crate) fn end_fences(&mut self, system: &mut SystemState) {
        let all: Vec<u64> = self.fences.keys().copied().collect();
        all.into_iter().for_each(|id| self.set_fence(system, FenceId(id), u64::MAX));
    }
}

//! Fences.

use taut_schemas::{EventHandle, FenceId, FenceWait, state};

/// Fence with the events that wait for it.
#[derive(Debug, Default)]
pub(crate) struct Fence {
    pub value: u64,
    /// Events to signal, with the values they wait for.
    pub(super) waiting: Vec<(u64, EventHandle)>,
}

impl Fence {
    /// Returns the fence as a record.
    pub fn save(&self, fence: FenceId) -> state::FenceValues {
        let Fence { value, waiting } = self;
        let waiting = waiting.iter().map(|(value, event)| FenceWait { value: *value, event: *event }).collect();
        state::FenceValues { fence, value: *value, waiting }
    }

    /// Restores the fence of a record.
    pub fn restore(record: &state::FenceValues) -> Fence {
        let state::FenceValues { fence: _, value, waiting } = record;
        let waiting = waiting.iter().map(|FenceWait { value, event }| (*value, *event)).collect();
        Fence { value: *value, waiting }
    }
}

//! Result of a replay.

use crate::divergence::Divergence;
use taut_traces::Damage;

/// Result of a replay: counts of the events replayed and compared, and the divergences.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// API calls and other inputs that were replayed.
    pub calls: u64,
    /// DDI calls: the number of compared recorded calls, or in a what-if the number of calls that its driver got.
    pub ddi_calls: u64,
    /// Background tasks that ended in the recording.
    pub recorded_tasks: u64,
    /// Background tasks whose work was replayed.
    pub tasks: u64,
    /// API calls that had started but not returned when the recording ended. They are replayed and have no recorded
    /// result.
    pub unfinished_calls: u64,
    /// Events of the replay that the recording build did not have and that are not compared.
    pub not_compared: u64,
    /// Events of the replay whose providers were not recorded and that are not compared.
    pub not_recorded: u64,
    /// Rundowns that the replay started or continued from.
    pub states_restored: u64,
    /// Rundowns in mid-stream that were compared with the replay's runtime state.
    pub states_compared: u64,
    /// Inputs before the first rundown of a recording whose beginning is lost: not replayed.
    pub calls_before_state: u64,
    /// Number of all divergences, including divergences that are not stored.
    pub divergence_count: u64,
    /// The first divergences, up to the limit in the options.
    pub divergences: Vec<Divergence>,
    /// Damage of the file: lost events were not replayed, and later calls may differ because of the lost events.
    pub damage: Vec<Damage>,
}

impl Outcome {
    /// True if every call, DDI call, argument and result was the same.
    pub fn is_identical(&self) -> bool {
        self.divergence_count == 0
    }
}

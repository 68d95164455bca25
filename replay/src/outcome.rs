//! What a replay found.

use crate::divergence::Divergence;
use taut_traces::Damage;

/// What a replay found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// API calls made again, and other inputs.
    pub calls: u64,
    /// DDI calls met.
    pub ddi_calls: u64,
    /// Background tasks that ended in the recording.
    pub recorded_tasks: u64,
    /// Background tasks whose work was done again.
    pub tasks: u64,
    /// API calls that had started but not returned when the recording ended; made again, but with nothing to compare.
    pub unfinished_calls: u64,
    /// Events of this build that the build which recorded did not have; there is nothing to compare them with.
    pub not_compared: u64,
    /// Events of providers that were not recorded; there is nothing to compare them with.
    pub not_recorded: u64,
    /// Rundowns that the replay started or went on from.
    pub states_restored: u64,
    /// Rundowns in mid-stream that were compared with what the replay's runtime remembers.
    pub states_compared: u64,
    /// Inputs before the first rundown of a recording whose beginning is lost: they are left out.
    pub calls_before_state: u64,
    /// All differences.
    pub divergence_count: u64,
    /// The first differences.
    pub divergences: Vec<Divergence>,
    /// Damage of the file: what it lost was not replayed, and later calls may differ for it.
    pub damage: Vec<Damage>,
}

impl Outcome {
    /// Every call, DDI call, argument and result was the same.
    pub fn is_identical(&self) -> bool {
        self.divergence_count == 0
    }
}

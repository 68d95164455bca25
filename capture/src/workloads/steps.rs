//! How far a workload has to go.

use super::parameters::Parameters;

/// Steps of a workload, all threads together: frames, or uploads. Whoever runs it counts
/// [those done](crate::Stop::steps_done).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// So many, unless a call fails that the workload cannot do without.
    Exactly(u64),
    /// No more than so many: what the driver answers decides when it ends.
    AtMost(u64),
}

impl Steps {
    /// Frames that each thread draws.
    pub(super) fn frames_of_threads(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames").saturating_mul(parameters.get("threads")))
    }
}

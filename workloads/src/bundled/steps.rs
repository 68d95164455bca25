//! Number of steps of a workload, for progress displays.

use super::parameters::Parameters;

/// Number of steps of all threads of a workload. A step is a frame or an upload.
/// [`steps_done`](taut_capture::Stop::steps_done) counts the finished steps while the workload runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// Exact number, unless a required call fails.
    Exactly(u64),
    /// Max number: the driver's results decide whether the workload ends earlier.
    UpTo(u64),
}

impl Steps {
    /// Returns the frames of all threads, each of which draws `frames`.
    pub(super) fn frames_of_threads(parameters: &Parameters) -> Steps {
        Steps::Exactly(parameters.get("frames").saturating_mul(parameters.get("threads")))
    }
}

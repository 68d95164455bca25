//! Draws.

use taut_schemas::{BackgroundProcessingMode, CommandQueueId, DrawRun};

/// A draw or dispatch that was submitted and executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    pub submission: u64,
    /// Index of the draw in its submission, from 0.
    pub index: u32,
    pub command_queue: CommandQueueId,
    /// The command queue's frame in which the draw was submitted, from 1.
    pub frame: u64,
    /// The pass in which the draw was submitted, as an index into [`passes`](super::Background::passes).
    pub pass: u32,
    /// The mode at submission.
    pub mode: BackgroundProcessingMode,
    /// Stamp of the submission, in ticks; `None` if the submission is not in the trace.
    pub submitted_stamp: Option<u64>,
    /// Stamp at which the driver read the measurements.
    pub measured_stamp: u64,
    /// The thread that read them: its GPU's.
    pub measured_thread: u32,
    /// True if a variant existed and its guard did not hold.
    pub guard_missed: bool,
    /// Instructions for evaluating guards.
    pub guard_cost: u32,
    /// The measurements.
    pub run: DrawRun,
}

impl Draw {
    /// True if a variant ran for the draw.
    pub fn is_served(&self) -> bool {
        self.run.variant.0 != 0
    }
}

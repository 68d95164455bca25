//! Draws.

use taut_schemas::{BackgroundProcessingMode, CommandQueueId, DrawRun};

/// A draw or dispatch that was submitted and done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// Number of its submission.
    pub submission: u64,
    /// Its place in the submission, from 0.
    pub index: u32,
    /// The command queue.
    pub command_queue: CommandQueueId,
    /// The frame of the command queue that it was submitted in, from 1.
    pub frame: u64,
    /// The pass it was submitted in, as a place in [`passes`](super::Background::passes).
    pub pass: u32,
    /// The mode in force then.
    pub mode: BackgroundProcessingMode,
    /// When it was submitted, in ticks; none if the trace does not say.
    pub submitted_stamp: Option<u64>,
    /// When the driver read what it did.
    pub measured_stamp: u64,
    /// The thread on which it read that: its graphics processor's.
    pub measured_thread: u32,
    /// A variant was there and its guard did not hold.
    pub guard_missed: bool,
    /// Instructions that asking guards cost.
    pub guard_cost: u32,
    /// What it did.
    pub run: DrawRun,
}

impl Draw {
    /// A variant served it.
    pub fn is_served(&self) -> bool {
        self.run.variant.0 != 0
    }
}

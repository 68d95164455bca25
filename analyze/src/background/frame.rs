//! Frames: from one Present to the next on the same command queue.

use taut_schemas::CommandQueueId;

/// A frame. The time before a command queue's first Present is no frame, because its begin is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    pub command_queue: CommandQueueId,
    /// Number of the frame on its command queue: the first Present ends frame 1, so the first entry has number 2.
    pub number: u64,
    /// Stamp of the Present before it, in ticks.
    pub began_stamp: u64,
    /// Stamp of its own Present, in ticks.
    pub ended_stamp: u64,
    /// The pass in which the frame ended, as an index into [`passes`](super::Background::passes).
    pub pass: u32,
}

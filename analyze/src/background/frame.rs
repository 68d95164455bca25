//! Frames: from one Present to the next of the same command queue.

use taut_schemas::CommandQueueId;

/// A frame. What comes before a command queue's first Present is none: nobody says when it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The command queue.
    pub command_queue: CommandQueueId,
    /// Its number among those of its command queue: the first Present ends frame 1, so the first here is 2.
    pub number: u64,
    /// When it began: the Present before it, in ticks.
    pub began_stamp: u64,
    /// When it ended.
    pub ended_stamp: u64,
    /// The pass it ended in, as a place in [`passes`](super::Background::passes).
    pub pass: u32,
}

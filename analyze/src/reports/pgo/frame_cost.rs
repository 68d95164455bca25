//! Cost of frames in instructions.

use crate::background::Background;
use crate::reports::figures::figures;
use std::collections::HashMap;
use taut_schemas::CommandQueueId;

figures! {
    /// Instructions that the draws of a frame executed, including guards. The statistics are null if nothing was drawn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct FrameCost {
        drawn_frames: u64, Count, "Frames with draws, including incomplete frames, but without submissions before a recording that starts in mid-stream.";
        p50_instructions: Option<u64>, Count, "50th percentile of instructions executed; null without frames.";
        p95_instructions: Option<u64>, Count, "95th percentile.";
        max_instructions: Option<u64>, Count, "Maximum.";
    }
}

impl FrameCost {
    /// Computes the distribution over the frames of all command queues.
    pub(super) fn of(background: &Background) -> FrameCost {
        let mut frames: HashMap<(CommandQueueId, u64), u64> = HashMap::new();
        // The frame of a draw is unknown (0) if it was submitted before the recording started or while events were
        // lost.
        for draw in background.draws.iter().filter(|draw| draw.frame > 0) {
            let executed = frames.entry((draw.command_queue, draw.frame)).or_default();
            *executed = executed.saturating_add(draw.run.executed);
        }
        let mut costs: Vec<u64> = frames.into_values().collect();
        costs.sort_unstable();
        let rank = |percent: usize| costs.get((costs.len() * percent).div_ceil(100).checked_sub(1)?).copied();
        let (p50_instructions, p95_instructions, max_instructions) = (rank(50), rank(95), rank(100));
        FrameCost { drawn_frames: costs.len() as u64, p50_instructions, p95_instructions, max_instructions }
    }
}

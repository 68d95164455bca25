//! What frames cost, counted in instructions.

use crate::background::Background;
use serde::Serialize;
use std::collections::HashMap;
use taut_schemas::CommandQueueId;

/// Instructions that the draws of a frame executed, guards included. Null without frames in which something was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
pub struct FrameCost {
    /// Frames in which something was drawn, those at the beginning and the end of the trace among them.
    pub drawn_frames: u64,
    /// Half of them executed at most so many.
    pub p50_instructions: Option<u64>,
    /// 95 of 100 executed at most so many.
    pub p95_instructions: Option<u64>,
    /// The dearest.
    pub max_instructions: Option<u64>,
}

impl FrameCost {
    /// Over all command queues.
    pub(super) fn of(background: &Background) -> FrameCost {
        let mut frames: HashMap<(CommandQueueId, u64), u64> = HashMap::new();
        // Of what was submitted before the recording began, or while it lost events, the frame is not known.
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

//! How much of the frames had a task running beside them.

use crate::background::{Background, covered};
use serde::Serialize;

/// Frames, and the tasks that ran in them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct OverlapFigures {
    /// Frames: from one Present to the next of the same command queue.
    pub frames: u64,
    /// Frames in which a task ran.
    pub frames_with_tasks: u64,
    /// Share of a frame in which a task ran, on average over the frames.
    pub mean_ratio: Option<f64>,
    /// The greatest such share.
    pub worst_ratio: Option<f64>,
    /// The first frame that has it, by its number in its command queue.
    pub worst_frame: Option<u64>,
    /// The command queue.
    pub worst_command_queue: Option<u64>,
    /// When it began.
    pub worst_at_stamp: Option<u64>,
}

/// Share of each frame in which a task ran, in the order of the frames.
pub(crate) fn shares(background: &Background) -> Vec<f64> {
    let busy = background.busy();
    let share = |frame: &crate::background::Frame| {
        let ticks = frame.ended_stamp.saturating_sub(frame.began_stamp);
        covered(&busy, (frame.began_stamp, frame.ended_stamp)) as f64 / ticks.max(1) as f64
    };
    background.frames.iter().map(share).collect()
}

/// The figures.
pub(super) fn overlap(background: &Background) -> OverlapFigures {
    let shares = shares(background);
    let mut worst: Option<(f64, usize)> = None;
    for (place, share) in shares.iter().copied().enumerate() {
        if worst.is_none_or(|(most, _)| share > most) {
            worst = Some((share, place));
        }
    }
    let frame = worst.map(|(_, place)| background.frames[place]);
    OverlapFigures {
        frames: shares.len() as u64,
        frames_with_tasks: shares.iter().filter(|share| **share > 0.0).count() as u64,
        mean_ratio: (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64),
        worst_ratio: worst.map(|(share, _)| share),
        worst_frame: frame.map(|frame| frame.number),
        worst_command_queue: frame.map(|frame| frame.command_queue.0),
        worst_at_stamp: frame.map(|frame| frame.began_stamp),
    }
}

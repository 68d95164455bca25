//! Share of frame time with concurrent tasks.

use crate::background::{Background, covered};
use crate::reports::figures::figures;

figures! {
    /// Overlap of frames and tasks.
    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct OverlapFigures {
        frames: u64, Count, "Frames: in `overlap` from one Present to the next of the same command queue, from its first Present on; in `measured` complete frames.";
        frames_with_tasks: u64, Count, "Frames with a concurrent task.";
        mean_ratio: Option<f64>, Ratio, "Mean share of the frame time with a concurrent task; null without frames.";
        worst_ratio: Option<f64>, Ratio, "Maximum share of the frame time with a concurrent task.";
        worst_frame: Option<u64>, Id, "Number of the first frame with `worst_ratio`, counted from 1 per command queue.";
        worst_command_queue: Option<u64>, Id, "Handle of the worst frame's command queue.";
        worst_at_stamp: Option<u64>, Stamp, "Start of the worst frame, in ticks of the trace's clock.";
    }
}

/// Share of each frame in which a task ran, in frame order.
pub(crate) fn shares(background: &Background) -> Vec<f64> {
    let busy = background.busy();
    let share = |frame: &crate::background::Frame| {
        let ticks = frame.ended_stamp.saturating_sub(frame.began_stamp);
        covered(&busy, frame.began_stamp, frame.ended_stamp) as f64 / ticks.max(1) as f64
    };
    background.frames.iter().map(share).collect()
}

/// Computes the overlap.
pub(super) fn overlap(background: &Background) -> OverlapFigures {
    let shares = shares(background);
    let mut worst: Option<(f64, usize)> = None;
    for (place, share) in shares.iter().copied().enumerate() {
        // The strict comparison selects the first of equal shares.
        if worst.is_none_or(|(max_share, _)| share > max_share) {
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

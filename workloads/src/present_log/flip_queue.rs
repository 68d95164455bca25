//! Whether flips of a swap chain queue, inferred from the capture.

use super::row::LoggedPresent;
use serde::Serialize;

/// Minimum time in nanoseconds between the end of a frame's work and the refresh at which it can replace another frame.
const READY_BEFORE_NS: u64 = 1_000_000;

/// Effect of a new flip without interval on the frame that waits to be scanned out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitingFlip {
    /// The new frame replaces the waiting one, which is dropped.
    Replace,
    /// The new frame is shown after the waiting one.
    Queue,
}

impl WaitingFlip {
    /// Effect that a value of the parameter `flips` sets for all swap chains; `None` for `inferred`.
    pub(super) fn from_parameter(word: &str) -> Option<WaitingFlip> {
        match word {
            "replace" => Some(WaitingFlip::Replace),
            "queue" => Some(WaitingFlip::Queue),
            _ => None,
        }
    }

    /// Infers the effect from the presents of one swap chain, in order.
    ///
    /// A frame that was shown although its successor was ready a millisecond or more before is evidence for a queue; a
    /// dropped frame is evidence for replacement. The more frequent evidence decides, and replacement if neither is.
    pub(super) fn infer<'p>(presents: impl Iterator<Item = &'p LoggedPresent> + Clone) -> WaitingFlip {
        let (mut queued, mut replaced) = (0_u64, 0_u64);
        for (waiting, next) in presents.clone().zip(presents.skip(1)) {
            if ![waiting, next].into_iter().all(waits_for_a_refresh) {
                continue;
            }
            let ready_at_ns = next.at_ns.saturating_add(next.gpu_end_after_ns);
            match waiting.shown_at_ns() {
                None => replaced += 1,
                Some(shown_at_ns) => queued += u64::from(ready_at_ns.saturating_add(READY_BEFORE_NS) <= shown_at_ns),
            }
        }
        if queued > replaced { WaitingFlip::Queue } else { WaitingFlip::Replace }
    }
}

/// True for a flip without interval that does not tear.
fn waits_for_a_refresh(present: &LoggedPresent) -> bool {
    present.is_flipped() && present.sync_interval == 0 && !present.tears()
}

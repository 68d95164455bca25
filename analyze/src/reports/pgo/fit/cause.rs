//! Reasons why measurements of a run are not comparable.

use crate::reports::figures::{figures, single_values};
use serde::Serialize;

/// A reason, without location and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The trace is a what-if whose task starts are those of another driver.
    WhatIf,
    /// Records are missing, which may hide another reason.
    NotWhole,
    /// The driver was never queried whether it desires further measurements.
    NotQueried,
    /// The driver does not support the query, or leaves its output unwritten.
    Unsupported,
    /// The driver's last answer was that it desires further measurements.
    DesiresMore,
    /// Tasks had not ended when the driver answered.
    QueueNotEmpty,
    /// The driver queued a task after its answer.
    FoundLater,
    /// A variant was installed after the answer.
    InstalledLater,
    /// A variant was dropped after the answer.
    DroppedLater,
    /// Measurements were discarded after the answer.
    DiscardedLater,
    /// A mode in which more is measured was set after the answer.
    ModeLater,
    /// A draw after the answer has a pipeline state or constants that the driver had not measured, or a constant that
    /// varied before stays fixed.
    NewWork,
    /// Too few frames with the same work.
    TooFewFrames,
    /// Frames with the same work have different costs.
    CostMoves,
}

single_values!(Cause);

figures! {
    /// The first reason why measurements are not comparable.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Unfit {
        cause: Cause, Text, "What that is, in one word: `not_queried`, `unsupported` (the driver has no way to answer, or leaves its answers unwritten), `desires_more`, `queue_not_empty`, `found_later`, `installed_later`, `dropped_later`, `discarded_later`, `mode_later`, `new_work`, `cost_moves`, `too_few_frames`, `not_whole` or `what_if`.";
        call: &'static str, Text, "The call that the record at `at_stamp` belongs to; empty if to none.";
        advice: String, Text, "What to do about it.";
        at_stamp: u64, Stamp, same;
        at_ns: Option<u64>, Nanoseconds, "The same since the trace's first record; null if the clock has no time.";
        description: String, Text, same;
    }
}

impl Cause {
    /// Recommended action for a reason.
    pub fn advice(self) -> &'static str {
        match self {
            Cause::WhatIf => "Record the workload under this driver to learn what its background processing comes to.",
            Cause::NotWhole => "Record again without losses, with all providers, from the beginning.",
            Cause::NotQueried => {
                "Pass pbFurtherMeasurementsDesired to SetBackgroundProcessingMode before the first measured frame, and play on \
                 until the answer is FALSE."
            }
            Cause::Unsupported => "This driver never answers that it is done: measure under a driver that does.",
            Cause::DesiresMore => {
                "Play the same work again and ask again, until the answer is FALSE; measure after that. A driver that never says so \
                 of the same work does not come to rest, and no run under it is fit."
            }
            Cause::QueueNotEmpty => {
                "Commit with an event, and wait for the event before the first measured frame; then ask again."
            }
            Cause::FoundLater => {
                "Ask in the last call before the first measured frame; where that call commits, wait for its event, play the \
                 work once more and ask again."
            }
            Cause::InstalledLater => {
                "Wait for the commit's event before the first measured frame, and ask again after it."
            }
            Cause::DroppedLater => {
                "Play the work once more and ask again before the first measured frame: variants were still being judged."
            }
            Cause::DiscardedLater => "Discard before the first pass alone, and ask again after a discard.",
            Cause::ModeLater => "Ask in the mode that is measured in, or in one in which more is measured.",
            Cause::NewWork => "Play all that is to be measured before asking, and nothing else.",
            Cause::TooFewFrames => "Play the same frame, or the same fly-through, more often after the answer.",
            Cause::CostMoves => {
                "Find what differs between these frames; if it is the driver, ask again before measuring."
            }
        }
    }
}

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
    /// The device was removed because a task's work failed.
    DeviceRemoved,
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
        cause: Cause, Text, "Reason: `device_removed` (the work of a task failed), `not_queried`, `unsupported` (the driver does not support the query, or leaves its answers unwritten), `desires_more`, `queue_not_empty`, `found_later`, `installed_later`, `dropped_later`, `discarded_later`, `mode_later`, `new_work`, `cost_moves`, `too_few_frames`, `not_whole` or `what_if`.";
        call: &'static str, Text, "Call of the record at `at_stamp`; empty without a call.";
        advice: String, Text, "Recommended action.";
        at_stamp: u64, Stamp, same;
        at_ns: Option<u64>, Nanoseconds, "Time of `at_stamp` since the first record of the trace; null if the clock has no time.";
        description: String, Text, same;
    }
}

impl Cause {
    /// Recommended action for a reason.
    pub fn advice(self) -> &'static str {
        match self {
            Cause::WhatIf => {
                "Record the workload under this driver: a what-if does not predict its background processing."
            }
            Cause::NotWhole => "Record again without losses, with all providers, from the beginning.",
            Cause::DeviceRemoved => {
                "Find the failure in the driver's task (`taut dump --event FailBackgroundWork` prints its text) and record again."
            }
            Cause::NotQueried => {
                "Pass pbFurtherMeasurementsDesired to SetBackgroundProcessingMode before the first measured frame, and run the \
                 same work until the answer is FALSE."
            }
            Cause::Unsupported => "This driver never answers FALSE: measure under a driver that supports the query.",
            Cause::DesiresMore => {
                "Run the same work and query again until the answer is FALSE; measure after that. Under a driver that never \
                 answers FALSE for the same work, no run is stable."
            }
            Cause::QueueNotEmpty => {
                "Commit with an event, and wait for the event before the first measured frame; then query again."
            }
            Cause::FoundLater => {
                "Query in the last call before the first measured frame; if that call commits, wait for its event, run the work \
                 once more and query again."
            }
            Cause::InstalledLater => {
                "Wait for the commit's event before the first measured frame, and query again after the wait."
            }
            Cause::DroppedLater => {
                "Run the work once more and query again before the first measured frame: the driver was still judging variants."
            }
            Cause::DiscardedLater => {
                "Discard measurements only before the first pass, and query again after each discard."
            }
            Cause::ModeLater => "Query in the mode of the measured frames, or in a mode that measures more.",
            Cause::NewWork => "Before the query, run exactly the work that is measured later.",
            Cause::TooFewFrames => "Repeat the same frame, or the same fly-through, more often after the last answer.",
            Cause::CostMoves => {
                "Find the difference between these frames; if the driver caused it, query again before the measurement."
            }
        }
    }
}

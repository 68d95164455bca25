//! What keeps a run from being fit to measure.

use serde::Serialize;

/// A cause, without where and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The trace is a what-if whose task starts are another driver's.
    WhatIf,
    /// Records are missing: what was lost may have broken it.
    NotWhole,
    /// Nobody had the driver's answer.
    NotAsked,
    /// The driver has no way to answer, or leaves its answers unwritten.
    CannotSay,
    /// The driver's last answer was that it desires more.
    DesiresMore,
    /// Tasks had not ended when the driver answered.
    QueueNotEmpty,
    /// The driver found more after its answer.
    FoundLater,
    /// A variant came into use after the answer.
    InstalledLater,
    /// A variant went out of use after the answer.
    DroppedLater,
    /// Measurements were discarded after the answer.
    DiscardedLater,
    /// A mode in which more is measured was set after the answer.
    ModeLater,
    /// Something is drawn that the driver had not measured when it answered, or what moved before does not any more.
    NewWork,
    /// Too few frames of the same work.
    TooFewFrames,
    /// Frames of the same work cost differently.
    CostMoves,
}

/// The first thing that breaks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unfit {
    /// What it is.
    pub cause: Cause,
    /// Stamp of the record that shows it.
    pub at_stamp: u64,
    /// The call that the record belongs to.
    pub call: &'static str,
    /// The same in words.
    pub description: String,
    /// What to do about it.
    pub advice: String,
}

impl Cause {
    /// What to do about it.
    pub fn advice(self) -> &'static str {
        match self {
            Cause::WhatIf => "Record the workload under this driver to learn what its background processing comes to.",
            Cause::NotWhole => "Record again without losses, with all providers, from the beginning.",
            Cause::NotAsked => {
                "Pass pbFurtherMeasurementsDesired to SetBackgroundProcessingMode before the first measured frame, and play on \
                 until the answer is FALSE."
            }
            Cause::CannotSay => {
                "However long is played, this driver does not say that it is done: measure under one that does."
            }
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

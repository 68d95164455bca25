//! Gaps: stream, number, span and cause of lost events. Encoder and parser are in this file so that they stay in step.

use crate::format::control_block::ControlBlock;
use serde::Serialize;

/// Cause of lost events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GapCause {
    /// All buffers were full, and threads did not wait.
    NoBuffer,
    /// The events were larger than a record may be, or encoding them failed.
    Refused,
    /// The rows did not have the layout of their event.
    Layout,
    /// The events were in the buffer of a writer that outlived the recording.
    Outlived,
    /// The events were missing when the recording was recovered.
    Recovery,
    /// The disk was full, or writing failed.
    Storage,
    /// No known cause: not recorded, or defined by a later build.
    Unknown,
}

impl GapCause {
    const ALL: [GapCause; 6] = [
        GapCause::NoBuffer,
        GapCause::Refused,
        GapCause::Layout,
        GapCause::Outlived,
        GapCause::Recovery,
        GapCause::Storage,
    ];

    /// The cause as a clause that follows "lost: ".
    pub fn text(self) -> &'static str {
        match self {
            GapCause::NoBuffer => "no buffer was free",
            GapCause::Refused => "they could not be written",
            GapCause::Layout => "they had another layout than their event",
            GapCause::Outlived => "a thread still had them when the recording was ended",
            GapCause::Recovery => "they did not outlive the process",
            GapCause::Storage => "the disk took no more",
            GapCause::Unknown => "a cause that is not known",
        }
    }
}

/// Number of events of a gap whose number is not known.
pub(crate) const UNKNOWN_NUMBER: u64 = 0;

/// Consecutive lost events of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Gap {
    pub stream: u32,
    pub cause: GapCause,
    /// Number of lost events; 0 if it is unknown, and then of all streams.
    pub events: u64,
    /// Stamp of the first lost event, or of the last event before the gap; 0 if unknown.
    pub from: u64,
    /// Stamp of the last lost event, or of the next event after the gap; 0 if unknown.
    pub to: u64,
}

impl Gap {
    /// True if the number of lost events is not known.
    pub fn has_unknown_number(&self) -> bool {
        self.events == UNKNOWN_NUMBER
    }

    /// Numbers of the gap's block.
    pub(crate) fn control_block(&self) -> ControlBlock {
        let cause = GapCause::ALL.iter().position(|cause| *cause == self.cause).map_or(0, |at| at as u32 + 1);
        ControlBlock { count: cause, words: [self.stream.into(), self.events, self.from, self.to] }
    }

    /// Decodes the numbers of a gap block; `None` if they are malformed.
    pub(crate) fn from_control_block(control_block: ControlBlock) -> Option<Gap> {
        let [stream, events, from, to] = control_block.words;
        let known = (control_block.count as usize).checked_sub(1).and_then(|at| GapCause::ALL.get(at));
        Some(Gap { stream: u32::try_from(stream).ok()?, cause: *known.unwrap_or(&GapCause::Unknown), events, from, to })
    }
}

/// Running count of events of one stream that are being lost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GapCounter {
    pub events: u64,
    from: u64,
    to: u64,
}

impl GapCounter {
    /// Counts a lost event, with its stamp if it is known.
    pub fn add(&mut self, stamp: Option<u64>) {
        self.events += 1;
        if let Some(stamp) = stamp {
            // 0 stands for an unknown stamp.
            self.from = if self.from == 0 { stamp } else { self.from };
            self.to = stamp;
        }
    }

    /// Returns the gap so far and resets the count; `None` if nothing was lost.
    pub fn take(&mut self, stream: u32, cause: GapCause) -> Option<Gap> {
        let GapCounter { events, from, to } = std::mem::take(self);
        (events > 0).then_some(Gap { stream, cause, events, from, to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_come_back() {
        for cause in GapCause::ALL {
            let gap = Gap { stream: 7, cause, events: 3, from: 10, to: 12 };
            assert_eq!(Gap::from_control_block(gap.control_block()), Some(gap));
        }
        let later = ControlBlock { count: 99, words: [1, 2, 3, 4] };
        assert_eq!(Gap::from_control_block(later).map(|gap| gap.cause), Some(GapCause::Unknown));
        assert_eq!(Gap::from_control_block(ControlBlock { count: 1, words: [1 << 32, 0, 0, 0] }), None);
    }
}

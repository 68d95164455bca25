//! Events that were lost: where, how long and why. Writer and reader side by side.

use crate::told::Told;
use serde::Serialize;

/// Why events were lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GapCause {
    /// All buffers were full, and threads were not to wait.
    NoBuffer,
    /// They were larger than a record may be, or their making failed.
    Refused,
    /// Their rows did not have the layout of their event.
    Layout,
    /// They were in the buffer of a writer that outlived the recording.
    Outlived,
    /// They were not there any more when the recording was recovered.
    Recovery,
    /// Nothing tells, or a later build alone knows.
    Unknown,
}

impl GapCause {
    const ALL: [GapCause; 5] =
        [GapCause::NoBuffer, GapCause::Refused, GapCause::Layout, GapCause::Outlived, GapCause::Recovery];

    /// In words, behind "lost: ".
    pub fn text(self) -> &'static str {
        match self {
            GapCause::NoBuffer => "no buffer was free",
            GapCause::Refused => "they could not be written",
            GapCause::Layout => "they had another layout than their event",
            GapCause::Outlived => "a thread still had them when the recording was ended",
            GapCause::Recovery => "they did not outlive the process",
            GapCause::Unknown => "a cause that is not known",
        }
    }
}

/// Events of a stream that were lost one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// Their stream.
    pub stream: u32,
    /// Why.
    pub cause: GapCause,
    /// How many.
    pub events: u64,
    /// From which stamp on: the first one's, or the last before, or 0 where it is not known.
    pub from: u64,
    /// Up to which stamp: the last one's, or the next behind, or 0 where it is not known.
    pub to: u64,
}

impl Gap {
    /// What its block says.
    pub(crate) fn told(&self) -> Told {
        let cause = GapCause::ALL.iter().position(|cause| *cause == self.cause).map_or(0, |at| at as u32 + 1);
        Told { count: cause, words: [self.stream.into(), self.events, self.from, self.to] }
    }

    /// The gap that a block says; none if it is not what it is to be.
    pub(crate) fn of(told: Told) -> Option<Gap> {
        let [stream, events, from, to] = told.words;
        let known = (told.count as usize).checked_sub(1).and_then(|at| GapCause::ALL.get(at));
        Some(Gap { stream: u32::try_from(stream).ok()?, cause: *known.unwrap_or(&GapCause::Unknown), events, from, to })
    }
}

/// Events of one stream that are being lost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Losing {
    pub events: u64,
    from: u64,
    to: u64,
}

impl Losing {
    /// Another one, with its stamp if that is known.
    pub fn add(&mut self, stamp: Option<u64>) {
        self.events += 1;
        if let Some(stamp) = stamp {
            self.from = if self.from == 0 { stamp } else { self.from };
            self.to = stamp;
        }
    }

    /// What was lost until now, if anything was.
    pub fn take(&mut self, stream: u32, cause: GapCause) -> Option<Gap> {
        let Losing { events, from, to } = std::mem::take(self);
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
            assert_eq!(Gap::of(gap.told()), Some(gap));
        }
        let later = Told { count: 99, words: [1, 2, 3, 4] };
        assert_eq!(Gap::of(later).map(|gap| gap.cause), Some(GapCause::Unknown));
        assert_eq!(Gap::of(Told { count: 1, words: [1 << 32, 0, 0, 0] }), None);
    }
}

//! Counters: values over time on tracks of their own.

use super::packets::{CounterDescriptor, EventType, TrackEvent, UNIT_COUNT};
use super::sequence::Sequence;
use super::tracks::{Rank, Tracks};
use crate::analysis::Analysis;
use crate::background::Background;

/// A counter's track and its last written value.
pub struct Counter {
    track: u64,
    written: Option<u64>,
}

impl Counter {
    pub fn new(track: u64) -> Counter {
        Counter { track, written: None }
    }

    /// Writes the value at a time, unless it is the last written one.
    pub fn set(&mut self, at_ns: u64, value: u64, sequence: &mut Sequence) {
        if self.written.replace(value) == Some(value) {
            return;
        }
        let event = TrackEvent {
            r#type: Some(EventType::Counter as i32),
            track_uuid: Some(self.track),
            counter_value: Some(i64::try_from(value).unwrap_or(i64::MAX)),
            ..Default::default()
        };
        sequence.event(at_ns, event);
    }
}

/// Number of variants in use: installed and not dropped.
pub struct VariantsInUse {
    /// Stamps with the change of the number, in order.
    changes: Vec<(u64, i64)>,
    next: usize,
    in_use: i64,
    /// `None` without variants.
    counter: Option<Counter>,
}

impl VariantsInUse {
    /// Creates the counter, and its track if the trace has variants.
    pub fn new(background: &Background, tracks: &mut Tracks) -> VariantsInUse {
        // Variants that were installed before the trace begins are in use from its first event on.
        let installed =
            background.variants.iter().map(|variant| (variant.installed_stamp.unwrap_or(background.span.0), 1));
        let dropped = background.variants.iter().filter_map(|variant| Some((variant.dropped?.0, -1)));
        let mut changes: Vec<(u64, i64)> = installed.chain(dropped).collect();
        // Of equal stamps installations come first, so that the number is never negative.
        changes.sort_unstable_by_key(|(stamp, change)| (*stamp, -change));
        let count = CounterDescriptor { unit: Some(UNIT_COUNT) };
        let counter =
            (!changes.is_empty()).then(|| Counter::new(tracks.counter(Rank::Tasks, "variants in use", count)));
        VariantsInUse { changes, next: 0, in_use: 0, counter }
    }

    /// Writes the changes up to a stamp.
    pub fn until(&mut self, stamp: u64, analysis: &Analysis, sequence: &mut Sequence) {
        let Some(counter) = &mut self.counter else { return };
        while let Some((at, change)) = self.changes.get(self.next).copied().filter(|(at, _)| *at <= stamp) {
            self.next += 1;
            self.in_use += change;
            // Of several changes at one stamp the last is written.
            if self.changes.get(self.next).is_none_or(|(next, _)| *next != at) {
                let in_use = u64::try_from(self.in_use).unwrap_or_default();
                counter.set(super::since_start_ns(analysis, at), in_use, sequence);
            }
        }
    }
}

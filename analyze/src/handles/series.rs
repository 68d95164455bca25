//! Bytes and handles over time, at the resolution of a screen.

use std::collections::BTreeMap;

/// Number of intervals of time. The max of each is stored.
const STRETCHES: u64 = 300;
/// Number of contexts with a line of their own; the others share one.
const CONTEXTS: u32 = 16;

/// Subject of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Handles,
    Bytes,
    /// Bytes of a type.
    Type(u32),
    /// Bytes of a context, by its index.
    Context(u32),
    OtherContexts,
}

/// A line.
#[derive(Debug, Default)]
struct Line {
    now: u64,
    /// Max of each interval, up to the last one with a change.
    max: Vec<u64>,
}

/// All lines.
#[derive(Debug, Default)]
pub(crate) struct Series {
    /// Stamps of the first and the last record.
    span: (u64, u64),
    lines: BTreeMap<Key, Line>,
}

impl Line {
    /// Extends the line to an interval.
    fn reach(&mut self, stretch: usize) {
        while self.max.len() <= stretch {
            self.max.push(self.now);
        }
    }
}

impl Series {
    pub fn new(span: (u64, u64)) -> Series {
        Series { span, lines: BTreeMap::new() }
    }

    fn stretch(&self, stamp: u64) -> usize {
        let (first, last) = self.span;
        let length = u128::from(last.saturating_sub(first)) + 1;
        let since = stamp.clamp(first, last.max(first)) - first;
        // A 64-bit division is much faster than one of 128 bits, and nearly always suffices.
        match (since.checked_mul(STRETCHES), u64::try_from(length)) {
            (Some(max), Ok(length)) => (max / length) as usize,
            _ => (u128::from(since) * u128::from(STRETCHES) / length) as usize,
        }
    }

    /// Stamps at which intervals begin.
    pub fn stamps(&self) -> impl Iterator<Item = u64> {
        let (first, last) = self.span;
        let length = u128::from(last.saturating_sub(first)) + 1;
        (0..STRETCHES).map(move |stretch| first + (u128::from(stretch) * length / u128::from(STRETCHES)) as u64)
    }

    /// The key of a context.
    pub fn context(place: u32) -> Key {
        if place < CONTEXTS { Key::Context(place) } else { Key::OtherContexts }
    }

    /// Changes a line's value by an amount.
    pub fn change(&mut self, stamp: u64, key: Key, is_more: bool, by: u64) {
        let stretch = self.stretch(stamp);
        let line = self.lines.entry(key).or_default();
        line.reach(stretch);
        line.now = if is_more { line.now.saturating_add(by) } else { line.now.saturating_sub(by) };
        if let Some(max) = line.max.last_mut() {
            *max = line.now.max(*max);
        }
    }

    /// The lines, each with a value per interval.
    pub fn lines(&self) -> impl Iterator<Item = (Key, Vec<u64>)> {
        self.lines.iter().map(|(key, line)| {
            let rest = (STRETCHES as usize).saturating_sub(line.max.len());
            (*key, line.max.iter().copied().chain(std::iter::repeat_n(line.now, rest)).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_interval_has_its_max_and_the_last_value_continues() {
        let mut series = Series::new((1000, 1000 + 10 * STRETCHES - 1));
        for (stamp, is_more, by) in [(1000, true, 5), (1001, true, 7), (1002, false, 12), (1035, true, 3)] {
            series.change(stamp, Key::Bytes, is_more, by);
        }
        let lines: Vec<_> = series.lines().collect();
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].1.len(), STRETCHES as usize);
        assert_eq!(lines[0].1[..6], [12, 0, 0, 3, 3, 3]);
        assert_eq!(series.stamps().take(3).collect::<Vec<_>>(), [1000, 1010, 1020]);
    }
}

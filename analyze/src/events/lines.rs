//! Line numbers of the call log that a trace's workload follows.

use taut_schemas::EventCode;
use taut_traces::Trace;

/// Assigns numbers to the lines of a log, in order, as lines arrive.
#[derive(Debug, Default)]
pub(super) struct LineNumbers {
    lines: Vec<(u64, u32)>,
    positions: Vec<((u64, u32), u64)>,
    lines_passed: usize,
    positions_passed: usize,
    next_seq: Option<u64>,
    /// First stamp with missing records: lost lines are not counted, so later numbers would be wrong.
    missing_from: Option<u64>,
}

impl LineNumbers {
    /// True if a trace's lines are numbered: it has marks of the code `position`, and no lost events or damage, after
    /// which numbers would be wrong.
    pub fn any(trace: &Trace, position: EventCode) -> bool {
        let summary = trace.summary();
        let positioned = summary.codes.iter().any(|(known, _)| *known == position);
        positioned && trace.damage().is_empty() && summary.complete && summary.lost_events == 0
    }

    /// Adds a thread's lines, by their stamps, and its positions.
    pub fn add(&mut self, thread: u32, lines: impl Iterator<Item = u64>, positions: impl Iterator<Item = (u64, u64)>) {
        self.lines.extend(lines.map(|stamp| (stamp, thread)));
        self.positions.extend(positions.map(|(stamp, seq)| ((stamp, thread), seq)));
    }

    /// Marks records from this stamp on as missing.
    pub fn missing_from(&mut self, stamp: u64) {
        self.missing_from = self.missing_from.into_iter().chain([stamp]).min();
    }

    /// Sorts lines and positions, and removes the numbered lines.
    pub fn sort(&mut self) {
        self.lines.drain(..self.lines_passed);
        self.positions.drain(..self.positions_passed);
        (self.lines_passed, self.positions_passed) = (0, 0);
        // Each thread's lines are sorted already, so that the sort merges runs.
        self.lines.sort();
        self.positions.sort();
    }

    /// Number of the line with this stamp and thread; calls must come in ascending order.
    pub fn of(&mut self, stamp: u64, thread: u32) -> Option<u64> {
        let mut seq = None;
        while let Some(line) = self.lines.get(self.lines_passed).filter(|line| **line <= (stamp, thread)) {
            while let Some((_, at)) = self.positions.get(self.positions_passed).filter(|(at, _)| at <= line) {
                self.next_seq = Some(*at);
                self.positions_passed += 1;
            }
            seq = self.next_seq;
            self.next_seq = self.next_seq.map(|next| next.saturating_add(1));
            self.lines_passed += 1;
        }
        seq.filter(|_| self.missing_from.is_none_or(|missing| stamp < missing))
    }

    /// Number of the last line.
    pub fn last(&mut self) -> Option<u64> {
        let last = self.of(u64::MAX, u32::MAX).or_else(|| self.next_seq.and_then(|next| next.checked_sub(1)));
        last.filter(|_| self.missing_from.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_position_numbers_the_lines_after_it() {
        let mut numbers = LineNumbers::default();
        numbers.add(0, [1, 5, 9].into_iter(), [(2, 0)].into_iter());
        numbers.add(1, [5].into_iter(), [].into_iter());
        numbers.sort();
        assert_eq!([(1, 0), (5, 0)].map(|(stamp, thread)| numbers.of(stamp, thread)), [None, Some(0)]);
        // More lines arrive.
        numbers.add(0, [12].into_iter(), [].into_iter());
        numbers.add(3, [].into_iter(), [(10, 7)].into_iter());
        numbers.sort();
        // The line of thread 1 is not queried.
        assert_eq!(numbers.of(9, 0), Some(2));
        assert_eq!(numbers.last(), Some(7));
    }

    #[test]
    fn lines_after_missing_records_have_no_number() {
        let mut numbers = LineNumbers::default();
        numbers.add(0, [1, 2, 3].into_iter(), [(0, 10)].into_iter());
        numbers.missing_from(2);
        numbers.sort();
        assert_eq!([1, 2, 3].map(|stamp| numbers.of(stamp, 0)), [Some(10), None, None]);
        assert_eq!(numbers.last(), None);
    }
}

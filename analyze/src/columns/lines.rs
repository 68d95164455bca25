//! The one order of all threads' API calls and workload phases, and the call log's line numbers.

use super::events::Events;
use super::fields::ThreadFields;
use super::join::JoinedThread;
use crate::world::Moment;
use taut_schemas::EventCode;

/// One API call or workload phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    /// When it began.
    pub moment: Moment,
    /// Place of its thread among the extract's threads.
    pub thread_index: u32,
    /// What it is.
    pub kind: LineKind,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// An API call, as a place in [`JoinedThread::calls`].
    Call(u32),
    /// A workload phase.
    Phase,
}

/// All lines in order of (stamp, thread).
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The lines.
    pub lines: Vec<Line>,
}

impl Lines {
    /// Puts the threads' lines in order.
    pub fn new(events: Events<'_>, threads: &[JoinedThread]) -> Lines {
        let phase = events.mark("WorkloadPhase").map(|event| event.code);
        let calls = events.api_calls();
        let api = |code: EventCode| calls.get(usize::from(code.0)) == Some(&true);
        let mut lines = Vec::new();
        for (thread_index, thread) in (0..).zip(threads) {
            let line = |stamp, kind| {
                let moment = Moment { stamp, thread: thread.thread, seq: None };
                Line { moment, thread_index, kind }
            };
            let calls = (0..).zip(&thread.calls).filter(|(_, call)| api(call.code));
            lines.extend(calls.map(|(index, call)| line(call.stamp, LineKind::Call(index))));
            let phases = thread.marks.iter().filter(|mark| Some(mark.code) == phase);
            lines.extend(phases.map(|mark| line(mark.stamp, LineKind::Phase)));
        }
        // Each thread's calls are in order already: the sort merges runs.
        lines.sort_by_key(order);
        Lines { lines }
    }

    /// Numbers the lines as the `LogPosition` marks say.
    pub fn number(&mut self, events: Events<'_>, threads: &[JoinedThread], fields: &[ThreadFields<'_>]) {
        let Some(position) = events.mark("LogPosition") else { return };
        let mut positions = Vec::new();
        for (thread, fields) in threads.iter().zip(fields) {
            let seqs = fields.numbers(position.code, "seq");
            let marks = thread.marks.iter().filter(|mark| mark.code == position.code);
            positions.extend(marks.map(|mark| ((mark.stamp, thread.thread), seqs.at(mark.row))));
        }
        positions.sort_unstable();
        number(&mut self.lines, &positions);
    }
}

fn order(line: &Line) -> (u64, u32) {
    (line.moment.stamp, line.moment.thread)
}

/// The numbers of the lines of a log, asked for in order.
#[derive(Debug, Default)]
pub(super) struct LineNumbers {
    lines: Vec<(u64, u32)>,
    positions: Vec<((u64, u32), u64)>,
    lines_passed: usize,
    positions_passed: usize,
    next_seq: Option<u64>,
}

impl LineNumbers {
    /// Adds a thread's lines, by their stamps, and its positions.
    pub fn add(&mut self, thread: u32, lines: Vec<u64>, positions: Vec<(u64, u64)>) {
        self.lines.extend(lines.into_iter().map(|stamp| (stamp, thread)));
        self.positions.extend(positions.into_iter().map(|(stamp, seq)| ((stamp, thread), seq)));
    }

    /// Puts everything in order.
    pub fn sort(&mut self) {
        self.lines.sort();
        self.positions.sort_unstable();
    }

    /// Number of the line with this stamp and thread, which must come after those asked for before.
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
        seq
    }

    /// Number of the last line.
    pub fn last(&mut self) -> Option<u64> {
        self.of(u64::MAX, u32::MAX).or_else(|| self.next_seq.and_then(|next| next.checked_sub(1)))
    }
}

/// A position numbers the lines after it, until the next position.
fn number(lines: &mut [Line], positions: &[((u64, u32), u64)]) {
    let mut positions = positions.iter().peekable();
    let mut next_seq = None;
    for line in lines {
        while let Some((_, seq)) = positions.next_if(|(at, _)| *at <= order(line)) {
            next_seq = Some(*seq);
        }
        line.moment.seq = next_seq;
        next_seq = next_seq.map(|seq| seq.saturating_add(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(stamp: u64, thread: u32) -> Line {
        let moment = Moment { stamp, thread, seq: None };
        Line { moment, thread_index: 0, kind: LineKind::Call(0) }
    }

    #[test]
    fn a_log_position_numbers_the_lines_after_it() {
        let mut lines = [line(1, 0), line(5, 0), line(5, 1), line(9, 0), line(12, 0)];
        number(&mut lines, &[((2, 0), 0), ((10, 3), 7)]);
        let seqs = lines.map(|line| line.moment.seq);
        assert_eq!(seqs, [None, Some(0), Some(1), Some(2), Some(7)]);
        let mut numbers = LineNumbers::default();
        numbers.add(0, vec![1, 5, 9, 12], vec![(2, 0)]);
        numbers.add(1, vec![5], Vec::new());
        numbers.add(3, Vec::new(), vec![(10, 7)]);
        numbers.sort();
        assert_eq!([(5, 1), (9, 0)].map(|(stamp, thread)| numbers.of(stamp, thread)), [Some(1), Some(2)]);
        assert_eq!(numbers.last(), Some(7));
    }
}

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
    /// A workload phase, as a place in [`JoinedThread::marks`].
    Phase(u32),
}

/// All lines in order of (stamp, thread).
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The lines.
    pub lines: Vec<Line>,
}

impl Lines {
    /// Puts the threads' lines in order and numbers them as the `LogPosition` marks say.
    /// `outermost` tells of each code whether it starts an API call.
    pub fn new(
        events: Events<'_>,
        outermost: &[bool],
        threads: &[JoinedThread],
        fields: &[ThreadFields<'_>],
    ) -> Lines {
        let phase = events.mark("WorkloadPhase").map(|event| event.code);
        let position = events.mark("LogPosition").map(|event| event.code);
        let mut lines = Vec::new();
        let mut positions = Vec::new();
        for (thread_index, (thread, fields)) in (0..).zip(threads.iter().zip(fields)) {
            let line = |stamp, kind| {
                let moment = Moment { stamp, thread: thread.thread, seq: None };
                Line { moment, thread_index, kind }
            };
            let api = |code: EventCode| outermost.get(usize::from(code.0)) == Some(&true);
            let calls = (0..).zip(&thread.calls).filter(|(_, call)| api(call.code));
            lines.extend(calls.map(|(index, call)| line(call.stamp, LineKind::Call(index))));
            let marks = || (0..).zip(&thread.marks);
            let phases = marks().filter(|(_, mark)| Some(mark.code) == phase);
            lines.extend(phases.map(|(index, mark)| line(mark.stamp, LineKind::Phase(index))));
            for (_, mark) in marks().filter(|(_, mark)| Some(mark.code) == position) {
                positions.push(((mark.stamp, thread.thread), fields.numbers(mark.code, "seq").at(mark.row)));
            }
        }
        // Each thread's calls are in order already: the sort merges runs.
        lines.sort_by_key(order);
        positions.sort_unstable();
        number(&mut lines, &positions);
        Lines { lines }
    }
}

fn order(line: &Line) -> (u64, u32) {
    (line.moment.stamp, line.moment.thread)
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
    }
}

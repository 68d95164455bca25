//! Joins start and stop records to calls, by nesting within their thread.

use taut_schemas::{EventCode, Opcode};

/// A call: its start record and, if it returned, its stop record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JoinedCall {
    /// Code of the start record.
    pub code: EventCode,
    /// Stamp of the start record.
    pub stamp: u64,
    /// The start record's place among its thread's records of its code.
    pub row: u32,
    /// The stop record.
    pub stop: Option<Stop>,
    /// The call it was made in, as a place in [`JoinedThread::calls`].
    pub parent: Option<u32>,
}

/// A stop record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop {
    /// Its stamp.
    pub stamp: u64,
    /// Its place among its thread's records of its code.
    pub row: u32,
}

/// A record that is not part of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JoinedMark {
    /// Its code.
    pub code: EventCode,
    /// Its stamp.
    pub stamp: u64,
    /// Its place among its thread's records of its code.
    pub row: u32,
    /// The call it was written in.
    pub parent: Option<u32>,
}

/// What one thread did.
#[derive(Debug, Default)]
pub(crate) struct JoinedThread {
    /// Number of the thread.
    pub thread: u32,
    /// Calls, in order of their starts; a call is followed by the calls made in it.
    pub calls: Vec<JoinedCall>,
    /// Marks, in order.
    pub marks: Vec<JoinedMark>,
    /// Stop records without a start: the start was lost.
    pub stops_without_start: u64,
}

/// Joins one thread's records, given in their order. `outermost` tells of each code whether its calls are made in no
/// other call: those of the API, and what the machine does by itself.
///
/// Where records were lost, a stop closes the innermost open call of its own line, and an outermost call closes
/// everything; calls inside whose stop was lost end without one.
pub(crate) fn join(thread: u32, codes: &[EventCode], stamps: &[u64], outermost: &[bool]) -> JoinedThread {
    let mut joined = JoinedThread { thread, ..Default::default() };
    joined.calls.reserve(codes.len() / 2);
    // Codes are 16 bits wide.
    let mut rows = vec![0_u32; 1 << 16];
    let mut open: Vec<u32> = Vec::new();
    for (code, stamp) in codes.iter().copied().zip(stamps.iter().copied()) {
        let next_row = &mut rows[usize::from(code.0)];
        let row = *next_row;
        *next_row += 1;
        match code.opcode() {
            Some(Opcode::Start) => {
                if outermost.get(usize::from(code.0)) == Some(&true) {
                    open.clear();
                }
                let parent = open.last().copied();
                open.push(joined.calls.len() as u32);
                joined.calls.push(JoinedCall { code, stamp, row, stop: None, parent });
            }
            Some(Opcode::Stop) => {
                let same_line = |call: &u32| joined.calls[*call as usize].code.id() == code.id();
                match open.iter().rposition(same_line) {
                    Some(depth) => {
                        joined.calls[open[depth] as usize].stop = Some(Stop { stamp, row });
                        open.truncate(depth);
                    }
                    None => joined.stops_without_start += 1,
                }
            }
            Some(Opcode::Info) | None => {
                let parent = open.last().copied();
                joined.marks.push(JoinedMark { code, stamp, row, parent });
            }
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines below 256 are outermost.
    fn outermost() -> Vec<bool> {
        (0..1 << 16).map(|code| EventCode(code as u16).id() < 256).collect()
    }

    fn joined(events: &[(u16, Opcode)]) -> JoinedThread {
        let codes: Vec<_> = events.iter().map(|(id, opcode)| EventCode::new(*id, *opcode)).collect();
        join(1, &codes, &(0..codes.len() as u64).collect::<Vec<_>>(), &outermost())
    }

    #[test]
    fn a_call_is_joined_to_its_stop_and_to_the_calls_made_in_it() {
        use Opcode::{Info, Start, Stop as End};
        let thread = joined(&[(1, Start), (256, Start), (256, End), (512, Info), (256, Start), (256, End), (1, End)]);
        let stops: Vec<_> = thread.calls.iter().map(|call| call.stop.map(|stop| (stop.stamp, stop.row))).collect();
        assert_eq!(stops, [Some((6, 0)), Some((2, 0)), Some((5, 1))]);
        assert_eq!(thread.calls.iter().map(|call| call.parent).collect::<Vec<_>>(), [None, Some(0), Some(0)]);
        assert_eq!(thread.marks[0].parent, Some(0));
    }

    #[test]
    fn a_lost_stop_leaves_its_call_open_and_a_lost_start_is_counted() {
        use Opcode::{Start, Stop as End};
        let thread = joined(&[(1, Start), (256, Start), (1, End), (257, End), (2, Start), (2, End)]);
        assert_eq!(thread.calls[1].stop, None);
        assert_eq!(thread.calls[0].stop.map(|stop| stop.stamp), Some(2));
        assert_eq!(thread.stops_without_start, 1);
        assert_eq!(thread.calls[2].parent, None);
    }

    #[test]
    fn an_outermost_call_is_never_inside_one_whose_stop_was_lost() {
        use Opcode::{Start, Stop as End};
        let thread = joined(&[(1, Start), (256, Start), (2, Start), (256, Start), (256, End), (2, End)]);
        assert_eq!(thread.calls.iter().map(|call| call.parent).collect::<Vec<_>>(), [None, Some(0), None, Some(2)]);
    }

    proptest! {
        #[test]
        fn every_record_is_in_exactly_one_place(raw in prop::collection::vec((254_u16..258, 0_u16..4), 0..60)) {
            let codes: Vec<_> = raw.iter().map(|(id, opcode)| EventCode(id << 2 | opcode)).collect();
            let thread = join(0, &codes, &(0..codes.len() as u64).collect::<Vec<_>>(), &outermost());
            let stops = thread.calls.iter().filter(|call| call.stop.is_some()).count() as u64;
            let places = thread.calls.len() as u64 + stops + thread.stops_without_start + thread.marks.len() as u64;
            prop_assert_eq!(places, codes.len() as u64);
        }
    }
}

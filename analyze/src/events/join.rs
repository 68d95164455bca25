//! Joins one thread's start and stop records to calls, by their nesting ([`Joiner`]), as records arrive.

use std::collections::VecDeque;
use taut_schemas::{EventCode, Opcode};
use taut_traces::Joiner;

/// Location of a record's fields: its block, and its index among the block's records of its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Number of the block, in order of reading.
    pub part: u64,
    /// Index among the records of its code.
    pub row: u32,
}

/// A call or a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined {
    /// Code of its start record, or of the mark.
    pub code: EventCode,
    /// Stamp of that record.
    pub stamp: u64,
    /// Location of its fields.
    pub place: Place,
    /// Stamp and location of the stop record; `None` for a mark, or for a call that never returned.
    pub stop: Option<(u64, Place)>,
    /// True if it was made inside an API call.
    pub in_api: bool,
}

/// Roles of records, by code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnSelection {
    /// Starts of calls that are made inside no other call: API calls and inputs of the machine.
    pub outermost: Vec<bool>,
    /// Starts of API calls.
    pub api: Vec<bool>,
    /// Starts and marks that are selected; API calls always are.
    pub wanted: Vec<bool>,
}

/// The calls and marks of one thread that have not been emitted.
#[derive(Debug, Default)]
pub(super) struct ThreadJoin {
    /// Calls and marks in order of their starts; a call is followed by the calls that are nested in it.
    pub waiting: VecDeque<Joined>,
    /// Calls of `waiting` that have not returned, by their number in the thread.
    open: Joiner<u64>,
    /// Number of calls and marks emitted so far.
    pub taken: u64,
}

impl ThreadJoin {
    /// Processes the thread's next record.
    pub fn record(&mut self, selected: &ColumnSelection, code: EventCode, stamp: u64, place: Place) {
        let is = |list: &[bool], code: EventCode| list.get(usize::from(code.0)) == Some(&true);
        match code.opcode() {
            Some(Opcode::Start) => {
                if is(&selected.outermost, code) {
                    // An outermost call ends open calls even if it is not selected itself.
                    self.gap();
                }
                if is(&selected.api, code) || is(&selected.wanted, code) {
                    let in_api = self.is_in_api(selected);
                    self.open.start(code, false, self.taken + self.waiting.len() as u64, drop);
                    self.waiting.push_back(Joined { code, stamp, place, stop: None, in_api });
                }
            }
            Some(Opcode::Stop) => {
                let call = self.open.stop(code, drop).and_then(|number| number.checked_sub(self.taken));
                if let Some(call) = call.and_then(|index| self.waiting.get_mut(index as usize)) {
                    call.stop = Some((stamp, place));
                }
            }
            Some(Opcode::Info) | None => {
                if is(&selected.wanted, code) {
                    let in_api = self.is_in_api(selected);
                    self.waiting.push_back(Joined { code, stamp, place, stop: None, in_api });
                }
            }
        }
    }

    /// Closes open calls where records are missing: they may have returned in the missing records.
    pub fn gap(&mut self) {
        self.open.gap().for_each(drop);
    }

    /// Returns the stamp before which all calls and marks can be emitted. `next` is the stamp of the next record,
    /// `None` at the end.
    pub fn floor(&self, next: Option<u64>) -> Option<u64> {
        let open = self.open.open().next().and_then(|number| self.at(*number));
        next.map(|next| open.map_or(next, |open| open.stamp.min(next)))
    }

    fn at(&self, number: u64) -> Option<&Joined> {
        self.waiting.get(number.checked_sub(self.taken)? as usize)
    }

    fn is_in_api(&self, selected: &ColumnSelection) -> bool {
        let first = self.open.open().next().and_then(|number| self.at(*number));
        first.is_some_and(|first| selected.api.get(usize::from(first.code.0)) == Some(&true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines below 256 are outermost.
    fn selected() -> ColumnSelection {
        let outermost: Vec<bool> = (0..1 << 16).map(|code| EventCode(code as u16).id() < 256).collect();
        ColumnSelection { api: outermost.clone(), outermost, wanted: vec![true; 1 << 16] }
    }

    fn joined(codes: &[EventCode]) -> ThreadJoin {
        let (selected, mut thread) = (selected(), ThreadJoin::default());
        for (stamp, code) in (0..).zip(codes) {
            thread.record(&selected, *code, stamp, Place { part: 0, row: stamp as u32 });
        }
        thread
    }

    fn events(events: &[(u16, Opcode)]) -> ThreadJoin {
        joined(&events.iter().map(|(id, opcode)| EventCode::new(*id, *opcode)).collect::<Vec<_>>())
    }

    fn stops(thread: &ThreadJoin) -> Vec<Option<u64>> {
        thread.waiting.iter().map(|call| call.stop.map(|(stamp, _)| stamp)).collect()
    }

    #[test]
    fn a_call_is_joined_to_its_stop_and_its_inner_calls() {
        use Opcode::{Info, Start, Stop as End};
        let thread = events(&[(1, Start), (256, Start), (256, End), (512, Info), (256, Start), (256, End), (1, End)]);
        assert_eq!(stops(&thread), [Some(6), Some(2), None, Some(5)]);
        assert_eq!(thread.waiting.iter().map(|call| call.in_api).collect::<Vec<_>>(), [false, true, true, true]);
        assert_eq!(thread.floor(Some(7)), Some(7));
    }

    #[test]
    fn a_lost_stop_leaves_its_call_open_and_a_lost_start_has_no_effect() {
        use Opcode::{Start, Stop as End};
        let thread = events(&[(1, Start), (256, Start), (1, End), (257, End), (2, Start), (2, End)]);
        assert_eq!(stops(&thread), [Some(2), None, Some(5)]);
        assert!(!thread.waiting[2].in_api);
    }

    #[test]
    fn an_outermost_call_is_never_inside_one_whose_stop_was_lost() {
        use Opcode::{Start, Stop as End};
        let thread = events(&[(1, Start), (256, Start), (2, Start), (256, Start), (256, End), (2, End)]);
        assert_eq!(stops(&thread), [None, None, Some(5), Some(4)]);
        assert!(!thread.waiting[2].in_api && thread.waiting[3].in_api);
    }

    #[test]
    fn calls_after_an_open_call_wait_for_it() {
        use Opcode::{Start, Stop as End};
        let mut thread = events(&[(1, Start), (1, End), (2, Start), (256, Start), (256, End)]);
        assert_eq!((thread.floor(Some(9)), thread.floor(None)), (Some(2), None));
        thread.gap();
        assert_eq!(thread.floor(Some(9)), Some(9));
    }

    proptest! {
        #[test]
        fn every_start_and_mark_waits_in_order_and_no_stop_is_used_twice(
            raw in prop::collection::vec((254_u16..258, 0_u16..4), 0..60),
        ) {
            let codes: Vec<_> = raw.iter().map(|(id, opcode)| EventCode(id << 2 | opcode)).collect();
            let thread = joined(&codes);
            let stops = codes.iter().filter(|code| code.opcode() == Some(Opcode::Stop)).count();
            prop_assert_eq!(thread.waiting.len(), codes.len() - stops);
            prop_assert!(thread.waiting.iter().is_sorted_by_key(|call| call.stamp));
            let mut used: Vec<u64> = thread.waiting.iter().filter_map(|call| Some(call.stop?.0)).collect();
            let count = used.len();
            used.sort_unstable();
            used.dedup();
            prop_assert_eq!(used.len(), count);
        }
    }
}

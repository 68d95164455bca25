//! Joins one thread's start and stop records to calls, by their nesting ([`Joiner`]), while records come in.

use std::collections::VecDeque;
use taut_schemas::{EventCode, Opcode};
use taut_traces::Joiner;

/// Where a record's fields are: a block, counted in the order of reading, and the record's place among those of its
/// code in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The block.
    pub part: u64,
    /// The place among the records of its code.
    pub row: u32,
}

/// A call, or a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined {
    /// Code of its start record, or of the mark.
    pub code: EventCode,
    /// Stamp of that record.
    pub stamp: u64,
    /// Where its fields are.
    pub place: Place,
    /// Stamp and place of the stop record; none of a mark, or of a call that never returned.
    pub stop: Option<(u64, Place)>,
    /// It was made in an API call.
    pub in_api: bool,
}

/// What to do with records, by their codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Starts of calls that are made in no other call: those of the API, and what the machine does by itself.
    pub outermost: Vec<bool>,
    /// Starts of API calls.
    pub api: Vec<bool>,
    /// Starts and marks that are asked for; API calls always are.
    pub wanted: Vec<bool>,
}

/// One thread's calls and marks that have not been taken.
#[derive(Debug, Default)]
pub(super) struct ThreadJoin {
    /// In order of their starts; a call is followed by the calls made in it.
    pub waiting: VecDeque<Joined>,
    /// Of `waiting`, calls that have not returned, counted from the thread's first.
    open: Joiner<u64>,
    /// How many have been taken.
    pub taken: u64,
}

impl ThreadJoin {
    /// The thread's next record.
    pub fn record(&mut self, asked: &Asked, code: EventCode, stamp: u64, place: Place) {
        let is = |list: &[bool], code: EventCode| list.get(usize::from(code.0)) == Some(&true);
        match code.opcode() {
            Some(Opcode::Start) => {
                if is(&asked.outermost, code) {
                    // It ends what is open even if it is not asked for itself.
                    self.gap();
                }
                if is(&asked.api, code) || is(&asked.wanted, code) {
                    let in_api = self.is_in_api(asked);
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
                if is(&asked.wanted, code) {
                    let in_api = self.is_in_api(asked);
                    self.waiting.push_back(Joined { code, stamp, place, stop: None, in_api });
                }
            }
        }
    }

    /// Records are missing from here on: calls that are open may have returned in them.
    pub fn gap(&mut self) {
        self.open.gap().for_each(drop);
    }

    /// The stamp before which everything can be taken; `next` is that of the next record, none if there is no more.
    pub fn floor(&self, next: Option<u64>) -> Option<u64> {
        let open = self.open.open().next().and_then(|number| self.at(*number));
        next.map(|next| open.map_or(next, |open| open.stamp.min(next)))
    }

    fn at(&self, number: u64) -> Option<&Joined> {
        self.waiting.get(number.checked_sub(self.taken)? as usize)
    }

    fn is_in_api(&self, asked: &Asked) -> bool {
        let first = self.open.open().next().and_then(|number| self.at(*number));
        first.is_some_and(|first| asked.api.get(usize::from(first.code.0)) == Some(&true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines below 256 are outermost.
    fn asked() -> Asked {
        let outermost: Vec<bool> = (0..1 << 16).map(|code| EventCode(code as u16).id() < 256).collect();
        Asked { api: outermost.clone(), outermost, wanted: vec![true; 1 << 16] }
    }

    fn joined(codes: &[EventCode]) -> ThreadJoin {
        let (asked, mut thread) = (asked(), ThreadJoin::default());
        for (stamp, code) in (0..).zip(codes) {
            thread.record(&asked, *code, stamp, Place { part: 0, row: stamp as u32 });
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
    fn a_call_is_joined_to_its_stop_and_to_the_calls_made_in_it() {
        use Opcode::{Info, Start, Stop as End};
        let thread = events(&[(1, Start), (256, Start), (256, End), (512, Info), (256, Start), (256, End), (1, End)]);
        assert_eq!(stops(&thread), [Some(6), Some(2), None, Some(5)]);
        assert_eq!(thread.waiting.iter().map(|call| call.in_api).collect::<Vec<_>>(), [false, true, true, true]);
        assert_eq!(thread.floor(Some(7)), Some(7));
    }

    #[test]
    fn a_lost_stop_leaves_its_call_open_and_a_lost_start_is_nothing() {
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
    fn what_began_after_an_open_call_waits_for_it() {
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

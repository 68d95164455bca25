//! Pairing of stops with the starts of their calls, where records may be missing.

use taut_schemas::EventCode;

/// Pairs one thread's stops with its starts by their nesting.
///
/// After a loss of records, a stop ends the innermost open call of its own line. The calls nested in it lost their stops
/// and end without a stop. An input is never nested in another call, so it ends all open calls. A known gap ends all open
/// calls, because they may have returned in the gap. A stop without an open call has no start.
#[derive(Debug, Clone)]
pub struct Joiner<T> {
    /// Line and caller's data of each call that has not returned, outermost first.
    open: Vec<(u16, T)>,
}

impl<T> Default for Joiner<T> {
    fn default() -> Self {
        Joiner { open: Vec::new() }
    }
}

impl<T> Joiner<T> {
    /// Adds a started call. If `is_outermost`, the calls still open end and are passed to `cut`, outermost first.
    #[inline]
    pub fn start(&mut self, start: EventCode, is_outermost: bool, call: T, mut cut: impl FnMut(T)) {
        if is_outermost && !self.open.is_empty() {
            self.open.drain(..).for_each(|(_, call)| cut(call));
        }
        self.open.push((start.id(), call));
    }

    /// Returns the call that a stop ends, if its start is known. The unreturned calls inside it are passed to `cut`,
    /// outermost first.
    #[inline]
    pub fn stop(&mut self, stop: EventCode, mut cut: impl FnMut(T)) -> Option<T> {
        // In nearly all cases the innermost call returns.
        if let Some((_, call)) = self.open.pop_if(|(line, _)| *line == stop.id()) {
            return Some(call);
        }
        let depth = self.open.iter().rposition(|(line, _)| *line == stop.id())?;
        self.open.drain(depth + 1..).for_each(|(_, call)| cut(call));
        self.open.pop().map(|(_, call)| call)
    }

    /// Ends the open calls at a gap or at the end of the records, outermost first.
    pub fn gap(&mut self) -> impl Iterator<Item = T> {
        self.open.drain(..).map(|(_, call)| call)
    }

    /// Calls that have not returned, outermost first.
    pub fn open(&self) -> impl ExactSizeIterator<Item = &T> + DoubleEndedIterator {
        self.open.iter().map(|(_, call)| call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use taut_schemas::Opcode;

    /// Records of a well nested thread: calls within calls, with the depth as line.
    fn nested(depths: &[u8]) -> Vec<(EventCode, bool)> {
        let (mut records, mut open) = (Vec::new(), 0);
        let record = |depth: u16, opcode| (EventCode::new(depth, opcode), depth == 1);
        for depth in depths.iter().map(|depth| u16::from(*depth % 4) + 1) {
            let depth = depth.min(open + 1);
            while open >= depth {
                records.push(record(open, Opcode::Stop));
                open -= 1;
            }
            records.push(record(depth, Opcode::Start));
            open = depth;
        }
        (1..=open).rev().for_each(|depth| records.push(record(depth, Opcode::Stop)));
        records
    }

    /// Pairs of start and stop, by index, and the starts that were cut.
    fn joined(records: &[(EventCode, bool)]) -> (Vec<(usize, usize)>, Vec<usize>) {
        let (mut joiner, mut pairs, mut cut) = (Joiner::default(), Vec::new(), Vec::new());
        for (place, (code, outermost)) in records.iter().enumerate() {
            match code.opcode() {
                Some(Opcode::Start) => joiner.start(*code, *outermost, place, |call| cut.push(call)),
                _ => pairs.extend(joiner.stop(*code, |call| cut.push(call)).map(|start| (start, place))),
            }
        }
        cut.extend(joiner.gap());
        (pairs, cut)
    }

    proptest! {
        #[test]
        fn nothing_is_cut_without_losses(depths in prop::collection::vec(any::<u8>(), 0..40)) {
            let records = nested(&depths);
            let (pairs, cut) = joined(&records);
            prop_assert_eq!(pairs.len(), records.len() / 2);
            prop_assert!(cut.is_empty());
            prop_assert!(pairs.iter().all(|(start, stop)| records[*start].0.id() == records[*stop].0.id()));
        }

        #[test]
        fn after_losses_every_start_is_joined_or_cut_and_no_stop_is_reused(
            depths in prop::collection::vec(any::<u8>(), 0..40),
            lost in prop::collection::vec(any::<bool>(), 200),
        ) {
            let left: Vec<_> = nested(&depths).into_iter().zip(&lost).filter(|(_, lost)| !**lost).map(|(one, _)| one).collect();
            let (pairs, cut) = joined(&left);
            let mut starts: Vec<usize> = pairs.iter().map(|(start, _)| *start).chain(cut).collect();
            starts.sort_unstable();
            let begun = left.iter().enumerate().filter(|(_, (code, _))| code.opcode() == Some(Opcode::Start));
            prop_assert_eq!(starts, begun.map(|(place, _)| place).collect::<Vec<_>>());
            prop_assert!(pairs.is_sorted_by_key(|(_, stop)| *stop));
        }
    }
}

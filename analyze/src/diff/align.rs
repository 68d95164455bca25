//! Aligns the calls of one thread in two runs.
//!
//! Calls are aligned in three levels, each less strict: by all arguments; the remaining ones by the call and the names
//! of its objects; the remaining ones by the call only. The rest is unmatched. On each level, calls that occur once in
//! both runs are matched first, as far as their order agrees; between them the longest common subsequence is matched,
//! in windows, so that time grows linearly with the number of calls, not with its square.
//! longest common subsequence is, in windows, so that time grows with the calls and not with their square.

use foldhash::fast::FixedState;
use similar::Algorithm;
use similar::algorithms::{DiffHook, diff};
use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::Range;

/// Calls per window in each run. An inserted sequence longer than half a window is detected only with the help of calls
/// that occur once.
const WINDOW: usize = 1024;

/// Hashes of a call, from the strictest level to the loosest.
pub(super) type CallKey = [u64; 3];

/// A sequence of calls with the same alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Calls that are matched pairwise.
    Both(usize),
    /// Calls of the first run without a match.
    OnlyA(usize),
    /// Calls of the second run without a match.
    OnlyB(usize),
}

/// Aligns the calls of a thread in two runs.
pub(super) fn align(a: &[CallKey], b: &[CallKey]) -> Vec<Step> {
    let mut alignment = Alignment { a, b, steps: Vec::new() };
    alignment.level(0, 0..a.len(), 0..b.len());
    alignment.steps
}

struct Alignment<'k> {
    a: &'k [CallKey],
    b: &'k [CallKey],
    steps: Vec<Step>,
}

impl Alignment<'_> {
    fn push(&mut self, step: Step) {
        match (self.steps.last_mut(), step) {
            (_, Step::Both(0) | Step::OnlyA(0) | Step::OnlyB(0)) => {}
            (Some(Step::Both(count)), Step::Both(more))
            | (Some(Step::OnlyA(count)), Step::OnlyA(more))
            | (Some(Step::OnlyB(count)), Step::OnlyB(more)) => *count += more,
            _ => self.steps.push(step),
        }
    }

    /// Aligns ranges on a level, and the unmatched calls on the levels after it.
    fn level(&mut self, level: usize, mut a: Range<usize>, mut b: Range<usize>) {
        if level == 3 || a.is_empty() || b.is_empty() {
            self.push(Step::OnlyA(a.len()));
            self.push(Step::OnlyB(b.len()));
            return;
        }
        let same = |(one, other): &(&CallKey, &CallKey)| one[level] == other[level];
        // Common prefixes and suffixes need no search.
        let front = self.a[a.clone()].iter().zip(&self.b[b.clone()]).take_while(same).count();
        self.push(Step::Both(front));
        (a.start, b.start) = (a.start + front, b.start + front);
        let back = self.a[a.clone()].iter().rev().zip(self.b[b.clone()].iter().rev()).take_while(same).count();
        (a.end, b.end) = (a.end - back, b.end - back);
        let (mut from_a, mut from_b) = (a.start, b.start);
        for (at_a, at_b) in self.anchors(level, a.clone(), b.clone()) {
            self.windows(level, from_a..at_a, from_b..at_b);
            self.push(Step::Both(1));
            (from_a, from_b) = (at_a + 1, at_b + 1);
        }
        self.windows(level, from_a..a.end, from_b..b.end);
        self.push(Step::Both(back));
    }

    /// Calls that occur once in both ranges; the longest sequence of them whose order agrees.
    fn anchors(&self, level: usize, a: Range<usize>, b: Range<usize>) -> Vec<(usize, usize)> {
        let once = |keys: &[CallKey], range: Range<usize>| {
            let mut places: HashMap<u64, Option<usize>, FixedState> = HashMap::default();
            range.for_each(|at| {
                places.entry(keys[at][level]).and_modify(|place| *place = None).or_insert(Some(at));
            });
            places
        };
        let places = once(self.b, b);
        let in_a = once(self.a, a.clone());
        let of_a = a.filter(|at| in_a.get(&self.a[*at][level]) == Some(&Some(*at)));
        let pairs: Vec<(usize, usize)> =
            of_a.filter_map(|at| Some((at, (*places.get(&self.a[at][level])?)?))).collect();
        longest_rising(&pairs)
    }

    /// Aligns ranges by longest common subsequences, a window at a time.
    fn windows(&mut self, level: usize, mut a: Range<usize>, mut b: Range<usize>) {
        while !a.is_empty() && !b.is_empty() {
            let (end_a, end_b) = (a.end.min(a.start + WINDOW), b.end.min(b.start + WINDOW));
            let whole = end_a == a.end && end_b == b.end;
            let keys = |keys: &[CallKey]| keys.iter().map(|key| key[level]).collect::<Vec<u64>>();
            let (window_a, window_b) = (keys(&self.a[a.start..end_a]), keys(&self.b[b.start..end_b]));
            let mut runs = EqualRuns::default();
            let (all_a, all_b) = (0..window_a.len(), 0..window_b.len());
            // Collecting runs cannot fail.
            let Ok(()) = diff(Algorithm::Myers, &mut runs, &window_a, all_a, &window_b, all_b);
            // Calls after the last run of a window may have their match after the window.
            let max_index = if whole { usize::MAX } else { WINDOW / 4 * 3 };
            let accepted = runs.0.iter().take_while(|(in_a, in_b, _)| *in_a.max(in_b) <= max_index).count();
            if accepted == 0 {
                break;
            }
            let (begin_a, begin_b) = (a.start, b.start);
            for (in_a, in_b, length) in &runs.0[..accepted] {
                let (from_a, from_b) = (begin_a + in_a, begin_b + in_b);
                self.level(level + 1, a.start..from_a, b.start..from_b);
                self.push(Step::Both(*length));
                (a.start, b.start) = (from_a + length, from_b + length);
            }
            if whole {
                break;
            }
        }
        self.level(level + 1, a, b);
    }
}

/// Runs of equal keys in two sequences, in order: the index in each, and the length.
#[derive(Default)]
struct EqualRuns(Vec<(usize, usize, usize)>);

impl DiffHook for EqualRuns {
    type Error = Infallible;

    fn equal(&mut self, old_index: usize, new_index: usize, length: usize) -> Result<(), Infallible> {
        self.0.push((old_index, new_index, length));
        Ok(())
    }
}

/// The longest subsequence of pairs whose second numbers increase; the first ones increase already.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Per length, the last pair of an increasing sequence with the min last number; and per pair the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *second);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut row: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |index| before[*index]).map(|index| pairs[index]).collect();
    row.reverse();
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(calls: &[u64]) -> Vec<CallKey> {
        calls.iter().map(|call| [*call, *call, call % 7]).collect()
    }

    fn counts(steps: &[Step]) -> [usize; 3] {
        steps.iter().fold([0; 3], |[both, a, b], step| match step {
            Step::Both(count) => [both + count, a, b],
            Step::OnlyA(count) => [both, a + count, b],
            Step::OnlyB(count) => [both, a, b + count],
        })
    }

    #[test]
    fn a_call_dropped_from_equal_calls_is_one_edit() {
        let a: Vec<u64> = (0..50_000).map(|call| call % 3).collect();
        let mut b = a.clone();
        b.remove(20_000);
        assert_eq!(counts(&align(&keys(&a), &keys(&b))), [49_999, 1, 0]);
    }

    #[test]
    fn a_sequence_longer_than_a_window_is_found_by_unique_calls() {
        let a: Vec<u64> = (0..20_000).collect();
        let b: Vec<u64> = a.iter().copied().filter(|call| !(3000..9000).contains(call)).collect();
        assert_eq!(align(&keys(&a), &keys(&b)), [Step::Both(3000), Step::OnlyA(6000), Step::Both(11_000)]);
    }

    #[test]
    fn calls_with_other_arguments_are_matched_by_name() {
        let (a, b) = (keys(&[1, 2, 3]), keys(&[1, 9, 3]));
        assert_eq!(align(&a, &b), [Step::Both(3)]);
        assert_eq!(align(&a, &keys(&[1, 10, 3])), [Step::Both(1), Step::OnlyA(1), Step::OnlyB(1), Step::Both(1)]);
    }

    proptest! {
        #[test]
        fn every_call_is_in_one_step_and_matches_are_equal_calls(
            a in prop::collection::vec(0_u64..30, 0..300),
            b in prop::collection::vec(0_u64..30, 0..300),
        ) {
            let (a, b) = (keys(&a), keys(&b));
            let steps = align(&a, &b);
            let (mut at_a, mut at_b) = (0, 0);
            for step in &steps {
                match *step {
                    Step::Both(count) => {
                        for (one, other) in a[at_a..at_a + count].iter().zip(&b[at_b..at_b + count]) {
                            prop_assert_eq!(one[2], other[2]);
                        }
                        (at_a, at_b) = (at_a + count, at_b + count);
                    }
                    Step::OnlyA(count) => at_a += count,
                    Step::OnlyB(count) => at_b += count,
                }
            }
            prop_assert_eq!((at_a, at_b), (a.len(), b.len()));
        }

        #[test]
        fn edits_of_unique_calls_are_found_exactly(
            edits in prop::collection::btree_map(0_usize..5000, 0_u8..3, 0..200),
        ) {
            let a: Vec<u64> = (0..5000).map(|call| call * 7).collect();
            let mut b = Vec::new();
            let mut expected = [5000, 0, 0];
            for (at, call) in a.iter().enumerate() {
                match edits.get(&at) {
                    Some(0) => expected = [expected[0] - 1, expected[1] + 1, expected[2]],
                    // An unrelated call before it.
                    Some(1) => {
                        b.extend([1_000_000 * 7 + at as u64 * 7 + 1, *call]);
                        expected[2] += 1;
                    }
                    // The same call with other arguments.
                    Some(_) => b.push(call + 7_000_000),
                    None => b.push(*call),
                }
            }
            prop_assert_eq!(counts(&align(&keys(&a), &keys(&b))), expected);
        }
    }
}

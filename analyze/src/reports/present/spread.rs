//! Distributions of times in memory that does not grow with their number.

use serde::Serialize;

/// A distribution of times, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// Half are at most this.
    pub median_ns: u64,
    /// 95 of 100 are.
    pub p95_ns: u64,
    /// 99 of 100 are.
    pub p99_ns: u64,
    /// All are.
    pub worst_ns: u64,
    /// Their sum by their number.
    pub mean_ns: f64,
}

/// So many are kept as they are; of more, percentiles are exact to one part in 2 to the power of [`BITS`].
const EXACT: usize = 1 << 16;
/// Significant bits of a time that are kept.
const BITS: u32 = 14;

/// Times as they come.
#[derive(Debug, Clone, Default)]
pub(super) struct Times {
    count: u64,
    sum_ns: u128,
    worst_ns: u64,
    exact: Vec<u64>,
    /// By the power of two that a time begins with, and the bits behind it, how many there were.
    counted: Vec<Vec<u64>>,
}

impl Times {
    pub fn add(&mut self, ns: u64) {
        self.count += 1;
        self.sum_ns += u128::from(ns);
        self.worst_ns = self.worst_ns.max(ns);
        if self.counted.is_empty() && self.exact.len() < EXACT {
            return self.exact.push(ns);
        }
        for ns in std::mem::take(&mut self.exact) {
            self.tally(ns);
        }
        self.tally(ns);
    }

    fn tally(&mut self, ns: u64) {
        let (power, place) = bucket(ns);
        if self.counted.len() <= power {
            self.counted.resize_with(power + 1, Vec::new);
        }
        let places = &mut self.counted[power];
        if places.is_empty() {
            places.resize(1 << BITS, 0);
        }
        places[place] += 1;
    }

    /// What the times come to; none without any.
    pub fn spread(&self) -> Option<Spread> {
        if self.count == 0 {
            return None;
        }
        let mut sorted = self.exact.clone();
        sorted.sort_unstable();
        let at = |percent: u64| {
            let rank = (u128::from(self.count) * u128::from(percent)).div_ceil(100).max(1) as u64;
            match self.counted.is_empty() {
                true => sorted.get(rank as usize - 1).copied().unwrap_or_default(),
                false => self.counted_at(rank),
            }
        };
        Some(Spread {
            median_ns: at(50),
            p95_ns: at(95),
            p99_ns: at(99),
            worst_ns: self.worst_ns,
            mean_ns: self.sum_ns as f64 / self.count as f64,
        })
    }

    /// What the first so many are at most.
    fn counted_at(&self, rank: u64) -> u64 {
        let mut before = 0;
        for (power, places) in self.counted.iter().enumerate() {
            for (place, count) in places.iter().enumerate() {
                before += count;
                if before >= rank {
                    return last_of(power, place).min(self.worst_ns);
                }
            }
        }
        self.worst_ns
    }
}

/// The power of two that a time begins with, beyond those that are kept whole, and the bits behind it.
fn bucket(ns: u64) -> (usize, usize) {
    let shift = (u64::BITS - ns.leading_zeros()).saturating_sub(BITS + 1);
    let kept = ns >> shift;
    // Up to the first power all bits are kept; behind it the first is always set.
    match kept >> BITS {
        0 => (0, kept as usize),
        _ => (shift as usize + 1, (kept & ((1 << BITS) - 1)) as usize),
    }
}

/// The greatest time of a bucket.
fn last_of(power: usize, place: usize) -> u64 {
    match power.checked_sub(1) {
        None => place as u64,
        Some(shift) => {
            let first = u128::from((1_u64 << BITS) | place as u64) << shift;
            u64::try_from(first + (1_u128 << shift) - 1).unwrap_or(u64::MAX)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_bucket_holds_its_times_to_one_part_in_its_precision(ns in any::<u64>(), bits in 0_u32..64) {
            let ns = ns >> bits;
            let (power, place) = bucket(ns);
            let last = last_of(power, place);
            prop_assert!(ns <= last && last - ns <= ns >> BITS, "{ns} {last}");
            prop_assert_eq!(bucket(last), (power, place));
        }
    }

    #[test]
    fn percentiles_of_many_times_are_those_of_all_to_the_precision_told() {
        let mut times = Times::default();
        let mut all: Vec<u64> = (0..200_000_u64).map(|number| 4_000_000 + number * 7919 % 9_000_000).collect();
        all.iter().for_each(|ns| times.add(*ns));
        all.sort_unstable();
        let exact = |percent: usize| all[(all.len() * percent).div_ceil(100) - 1];
        let spread = times.spread().unwrap();
        for (found, expected) in [(spread.median_ns, exact(50)), (spread.p95_ns, exact(95)), (spread.p99_ns, exact(99))]
        {
            assert!(expected <= found && found - expected <= expected >> BITS, "{found} {expected}");
        }
        assert_eq!(spread.worst_ns, exact(100));
        assert!(times.exact.is_empty(), "what was counted is not kept");
    }
}

//! Distributions of durations with bounded memory use.

use crate::reports::figures::figures;

figures! {
    /// Distribution of durations in nanoseconds.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Spread {
        p50_ns: u64, Nanoseconds, "50th percentile, in nanoseconds of simulated time. Percentiles of more than 65,536 times are exact to one part in 16,384.", after refresh_wait;
        p95_ns: u64, Nanoseconds, "95th percentile.", after p50_ns;
        p99_ns: u64, Nanoseconds, "99th percentile.", after p95_ns;
        max_ns: u64, Nanoseconds, "Maximum.", after p99_ns;
        mean_ns: f64, Nanoseconds, "Mean.", after max_ns;
    }
}

/// Number of durations stored exactly. Beyond it a histogram is used, whose percentiles have a relative error of at
/// most 1/2^[`BITS`].
const EXACT: usize = 1 << 16;
/// Bits of a duration after its leading 1 that a histogram bucket distinguishes.
const BITS: u32 = 14;

/// Accumulates durations.
#[derive(Debug, Clone, Default)]
pub(super) struct Times {
    count: u64,
    sum_ns: u128,
    max_ns: u64,
    exact: Vec<u64>,
    /// Counts by bucket: the outer index is the exponent, the inner one the mantissa (see [`bucket`]).
    counted: Vec<Vec<u64>>,
}

impl Times {
    pub fn add(&mut self, ns: u64) {
        self.count += 1;
        self.sum_ns += u128::from(ns);
        self.max_ns = self.max_ns.max(ns);
        // Once the histogram is in use, the exact list remains empty.
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

    /// Computes the distribution; `None` without durations.
    pub fn spread(&self) -> Option<Spread> {
        if self.count == 0 {
            return None;
        }
        let mut sorted = self.exact.clone();
        sorted.sort_unstable();
        let at = |percent: u64| {
            // Nearest-rank percentile; the product may exceed 64 bits.
            let rank = (u128::from(self.count) * u128::from(percent)).div_ceil(100).max(1) as u64;
            match self.counted.is_empty() {
                true => sorted.get(rank as usize - 1).copied().unwrap_or_default(),
                false => self.counted_at(rank),
            }
        };
        Some(Spread {
            p50_ns: at(50),
            p95_ns: at(95),
            p99_ns: at(99),
            max_ns: self.max_ns,
            mean_ns: self.sum_ns as f64 / self.count as f64,
        })
    }

    /// Mean of the longest `permille` of the durations; `None` if that is less than one duration.
    pub fn mean_of_longest(&self, permille: u64) -> Option<f64> {
        let count = (u128::from(self.count) * u128::from(permille) / 1000) as u64;
        if count == 0 {
            return None;
        }
        let mut sum_ns = 0.0;
        if self.counted.is_empty() {
            let mut sorted = self.exact.clone();
            sorted.sort_unstable();
            sum_ns = sorted.iter().rev().take(count as usize).map(|ns| *ns as f64).sum();
        } else {
            let mut left = count;
            for (power, places) in self.counted.iter().enumerate().rev() {
                for (place, number) in places.iter().enumerate().rev() {
                    let taken = left.min(*number);
                    sum_ns += taken as f64 * last_of(power, place).min(self.max_ns) as f64;
                    left -= taken;
                }
            }
        }
        Some(sum_ns / count as f64)
    }

    /// Upper bound of the duration with the given 1-based rank.
    fn counted_at(&self, rank: u64) -> u64 {
        let mut before = 0;
        for (power, places) in self.counted.iter().enumerate() {
            for (place, count) in places.iter().enumerate() {
                before += count;
                if before >= rank {
                    // The upper bound of a bucket may exceed the maximum.
                    return last_of(power, place).min(self.max_ns);
                }
            }
        }
        self.max_ns
    }
}

/// Bucket of a duration as exponent and mantissa: values below 2^[`BITS`] have exponent 0 and are exact.
fn bucket(ns: u64) -> (usize, usize) {
    let shift = (u64::BITS - ns.leading_zeros()).saturating_sub(BITS + 1);
    let significant = ns >> shift;
    // Exponent 0 stores all bits; above it the leading bit is always set and therefore not stored.
    match significant >> BITS {
        0 => (0, significant as usize),
        _ => (shift as usize + 1, (significant & ((1 << BITS) - 1)) as usize),
    }
}

/// Largest duration of a bucket.
fn last_of(power: usize, place: usize) -> u64 {
    match power.checked_sub(1) {
        None => place as u64,
        Some(shift) => {
            let first = u128::from((1_u64 << BITS) | place as u64) << shift;
            // The sum for the last bucket is 2^64 before the subtraction.
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
    fn percentiles_of_many_times_are_exact_to_the_stated_precision() {
        let mut times = Times::default();
        let mut all: Vec<u64> = (0..200_000_u64).map(|number| 4_000_000 + number * 7919 % 9_000_000).collect();
        all.iter().for_each(|ns| times.add(*ns));
        all.sort_unstable();
        let exact = |percent: usize| all[(all.len() * percent).div_ceil(100) - 1];
        let spread = times.spread().unwrap();
        for (found, expected) in [(spread.p50_ns, exact(50)), (spread.p95_ns, exact(95)), (spread.p99_ns, exact(99))] {
            assert!(expected <= found && found - expected <= expected >> BITS, "{found} {expected}");
        }
        assert_eq!(spread.max_ns, exact(100));
        let longest: f64 = all[198_000..].iter().map(|ns| *ns as f64).sum::<f64>() / 2_000.0;
        let found = times.mean_of_longest(10).unwrap();
        assert!(longest <= found && found - longest <= longest / f64::from(1 << BITS), "{found} {longest}");
        assert!(times.exact.is_empty(), "what was counted is not kept");
    }
}

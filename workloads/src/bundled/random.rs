//! Pseudorandom numbers.

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// Creates the generator of `seed` for application thread `thread`.
    pub(crate) fn new(seed: u64, thread: u32) -> Random {
        let mut random = Random { state: seed };
        // The seed is mixed first: otherwise seed 1 on thread 2 would equal seed 2 on thread 1.
        random.state = random.next() ^ u64::from(thread);
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `end` - 1, or 0 if `end` is 0. The bias of the remainder is negligible for workloads.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next().checked_rem(end).unwrap_or(0)
    }

    /// Returns a number from `min` to `max`, with all magnitudes about equally likely.
    pub(crate) fn magnitude(&mut self, min: u64, max: u64) -> u64 {
        let magnitudes = u64::from(max.max(1).ilog2() - min.max(1).ilog2());
        let scale = self.below(magnitudes + 1);
        (min << scale).saturating_add(self.below(min << scale)).min(max)
    }

    /// Returns true with probability 1 / `count`.
    pub(crate) fn once_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// Returns one of the choices.
    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T; 4]) -> T {
        choices[self.below(4) as usize % 4]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_numbers() {
        let mut random = Random { state: 1_234_567 };
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.next(), random.next(), random.next()], expected);
    }

    #[test]
    fn magnitudes_stay_within_their_bounds() {
        let mut random = Random::new(7, 0);
        for _ in 0..1000 {
            assert!((200..=48_000).contains(&random.magnitude(200, 48_000)));
        }
    }
}

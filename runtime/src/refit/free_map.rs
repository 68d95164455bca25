//! Free ranges in order of offset, and first fit among them.

use std::collections::BTreeMap;

/// The free bytes of a heap whose size is not known yet: everything from 0 on.
#[derive(Debug, Clone)]
pub struct FreeMap {
    /// Begin and end of each free range; ranges neither overlap nor touch.
    ranges: BTreeMap<u64, u64>,
    high_water_bytes: u64,
}

impl Default for FreeMap {
    fn default() -> Self {
        FreeMap { ranges: BTreeMap::from([(0, u64::MAX)]), high_water_bytes: 0 }
    }
}

impl FreeMap {
    /// Takes the lowest `size_bytes` that begin at a multiple of `alignment_bytes` (0 counts as 1, as does no size);
    /// `None` if 64 bits do not hold them.
    pub fn allocate(&mut self, size_bytes: u64, alignment_bytes: u64) -> Option<u64> {
        let (size_bytes, alignment_bytes) = (size_bytes.max(1), alignment_bytes.max(1));
        let fits = |(begin, end): (&u64, &u64)| {
            let offset = begin.checked_next_multiple_of(alignment_bytes)?;
            (offset.checked_add(size_bytes)? <= *end).then_some((*begin, *end, offset))
        };
        let (begin, end, offset) = self.ranges.iter().find_map(fits)?;
        self.ranges.remove(&begin);
        if begin < offset {
            self.ranges.insert(begin, offset);
        }
        let taken_end = offset + size_bytes;
        if taken_end < end {
            self.ranges.insert(taken_end, end);
        }
        self.high_water_bytes = self.high_water_bytes.max(taken_end);
        Some(offset)
    }

    /// Gives back what [`FreeMap::allocate`] took.
    pub fn free(&mut self, offset_bytes: u64, size_bytes: u64) {
        let (mut begin, mut end) = (offset_bytes, offset_bytes.saturating_add(size_bytes.max(1)));
        if let Some(next_end) = self.ranges.remove(&end) {
            end = next_end;
        }
        if let Some((before, before_end)) = self.ranges.range(..begin).next_back()
            && *before_end == begin
        {
            begin = *before;
        }
        self.ranges.insert(begin, end);
    }

    /// End of the highest range ever taken.
    pub fn high_water_bytes(&self) -> u64 {
        self.high_water_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn first_fit_takes_the_lowest_hole_that_is_large_enough() {
        let mut map = FreeMap::default();
        let taken: Vec<_> = (0..4).filter_map(|_| map.allocate(100, 256)).collect();
        assert_eq!(taken, [0, 256, 512, 768]);
        map.free(256, 100);
        assert_eq!(map.allocate(50, 4), Some(100), "the gap before 256 and the hole are one range");
        assert_eq!(map.allocate(500, 256), Some(1024));
        assert_eq!(map.high_water_bytes(), 1524);
    }

    #[test]
    fn what_64_bits_do_not_hold_is_refused() {
        let mut map = FreeMap::default();
        assert_eq!(map.allocate(u64::MAX, 1), Some(0));
        assert_eq!(map.allocate(1, 1), None);
        map.free(0, u64::MAX);
        assert_eq!(map.allocate(1, 1), Some(0));
        assert_eq!(map.allocate(u64::MAX, 4096), None);
    }

    proptest! {
        #[test]
        fn placements_are_aligned_and_never_overlap(
            steps in prop::collection::vec((1_u64..5000, 0_u32..13, any::<bool>()), 1..200)
        ) {
            let mut map = FreeMap::default();
            let mut live: Vec<(u64, u64)> = Vec::new();
            for (size, shift, free) in steps {
                if free && !live.is_empty() {
                    let (offset, size) = live.swap_remove(size as usize % live.len());
                    map.free(offset, size);
                    continue;
                }
                let offset = map.allocate(size, 1 << shift).expect("there is room");
                prop_assert_eq!(offset % (1 << shift), 0);
                prop_assert!(offset + size <= map.high_water_bytes());
                let overlap = live.iter().find(|(other, length)| offset < other + length && *other < offset + size);
                prop_assert_eq!(overlap, None);
                live.push((offset, size));
            }
            for (offset, size) in live {
                map.free(offset, size);
            }
            prop_assert_eq!(map.ranges, BTreeMap::from([(0, u64::MAX)]));
        }
    }
}

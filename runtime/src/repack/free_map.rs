//! Free bytes of a heap, with first-fit allocation.

use crate::memory::free_ranges::FreeRanges;

/// Size in bytes of a heap whose size is not known yet. `u64::MAX` is left out, because the end of a range must fit
/// into 64 bits.
const UNKNOWN_BYTES: u64 = u64::MAX - 1;

/// Free bytes of a heap. By default, the size of the heap is unknown, and all bytes from 0 on are free.
#[derive(Debug)]
pub struct FreeMap {
    ranges: FreeRanges,
    high_water_bytes: u64,
}

impl Default for FreeMap {
    fn default() -> Self {
        FreeMap::of(UNKNOWN_BYTES)
    }
}

impl FreeMap {
    /// Creates the free bytes of an empty heap of this size.
    pub fn of(size_bytes: u64) -> FreeMap {
        FreeMap { ranges: FreeRanges::new(0, size_bytes), high_water_bytes: 0 }
    }

    /// Allocates the lowest `size_bytes` at a multiple of `alignment_bytes`, a power of two (0 counts as 1 for both).
    /// `None` if there is no such range.
    pub fn allocate(&mut self, size_bytes: u64, alignment_bytes: u64) -> Option<u64> {
        let size_bytes = size_bytes.max(1);
        let offset_bytes = self.ranges.take(size_bytes, alignment_bytes.max(1))?;
        self.high_water_bytes = self.high_water_bytes.max(offset_bytes + size_bytes);
        Some(offset_bytes)
    }

    /// Frees a range of [`FreeMap::allocate`].
    pub fn free(&mut self, offset_bytes: u64, size_bytes: u64) {
        self.ranges.free_pages(offset_bytes, size_bytes.max(1));
    }

    /// Returns the end of the highest range ever allocated, in bytes.
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
        assert_eq!(map.allocate(UNKNOWN_BYTES, 1), Some(0));
        assert_eq!(map.allocate(1, 1), None);
        map.free(0, UNKNOWN_BYTES);
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
            prop_assert_eq!(map.allocate(UNKNOWN_BYTES, 1), Some(0), "all is free again, in one piece");
        }
    }
}

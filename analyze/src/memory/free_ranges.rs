//! The free ranges of a heap: the space for further resources.

use super::layout::Extent;
use serde::Serialize;

/// Upper bounds of the size classes of free ranges, in bytes; a last class holds larger ranges.
pub const FREE_RANGE_BOUNDS: [u64; 5] = [256, 4 << 10, 64 << 10, 1 << 20, 16 << 20];

/// Free ranges of one size class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FreeClass {
    /// Number of ranges.
    pub ranges: u64,
    /// Sum of their sizes in bytes.
    pub bytes: u64,
}

/// The free ranges of one or several heaps: padding, holes and tails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FreeRanges {
    /// Number of ranges.
    pub fragments: u64,
    /// Size of the largest range, in bytes.
    pub largest_bytes: u64,
    /// Ranges by [size class](FREE_RANGE_BOUNDS).
    pub classes: [FreeClass; FREE_RANGE_BOUNDS.len() + 1],
}

impl FreeRanges {
    /// Collects the free ranges of a heap of `size_bytes` with these resources, in order of their offsets.
    pub fn new(size_bytes: u64, extents: &[Extent]) -> FreeRanges {
        let mut free = FreeRanges::default();
        let mut end_bytes = 0_u64;
        for extent in extents {
            free.add(extent.offset_bytes.saturating_sub(end_bytes));
            end_bytes = end_bytes.max(extent.end_bytes());
        }
        free.add(size_bytes.saturating_sub(end_bytes));
        free
    }

    fn add(&mut self, bytes: u64) {
        if bytes == 0 {
            return;
        }
        self.fragments += 1;
        self.largest_bytes = self.largest_bytes.max(bytes);
        let class = FREE_RANGE_BOUNDS.iter().take_while(|bound| bytes >= **bound).count();
        self.classes[class].ranges += 1;
        self.classes[class].bytes = self.classes[class].bytes.saturating_add(bytes);
    }

    /// Adds the ranges of two heaps.
    pub fn plus(mut self, other: FreeRanges) -> FreeRanges {
        self.fragments += other.fragments;
        self.largest_bytes = self.largest_bytes.max(other.largest_bytes);
        for (class, other) in self.classes.iter_mut().zip(other.classes) {
            class.ranges += other.ranges;
            class.bytes = class.bytes.saturating_add(other.bytes);
        }
        self
    }

    /// Sum of the sizes in bytes.
    pub fn bytes(&self) -> u64 {
        self.classes.iter().fold(0, |sum, class| sum.saturating_add(class.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gap_and_the_tail_is_a_free_range_of_its_class() {
        let extent = |offset_bytes, size_bytes| Extent { offset_bytes, size_bytes, alignment_bytes: 1 };
        let free = FreeRanges::new(1 << 20, &[extent(0, 100), extent(200, 56), extent(250, 6), extent(4352, 4096)]);
        assert_eq!((free.fragments, free.largest_bytes, free.bytes()), (3, (1 << 20) - 8448, (1 << 20) - 156 - 4096));
        assert_eq!(free.classes.map(|class| class.ranges), [1, 0, 1, 1, 0, 0]);
        assert_eq!(FreeRanges::new(64, &[]).fragments, 1);
    }
}

//! The ranges of a heap that no resource lies in: what is left to place others in.

use super::layout::Extent;
use serde::Serialize;

/// Free ranges are counted by size below each of these bounds, in bytes, and those that are no smaller than the last.
pub const FREE_RANGE_BOUNDS: [u64; 5] = [256, 4 << 10, 64 << 10, 1 << 20, 16 << 20];

/// Free ranges of one class of sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FreeClass {
    /// How many.
    pub ranges: u64,
    /// Their bytes together.
    pub bytes: u64,
}

/// The free ranges of one or several heaps: padding, holes and tails alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FreeRanges {
    /// How many.
    pub fragments: u64,
    /// The largest, in bytes.
    pub largest_bytes: u64,
    /// By [size](FREE_RANGE_BOUNDS).
    pub classes: [FreeClass; FREE_RANGE_BOUNDS.len() + 1],
}

impl FreeRanges {
    /// The free ranges of a heap of `size_bytes` with these resources, in order of their offsets.
    pub fn of(size_bytes: u64, extents: &[Extent]) -> FreeRanges {
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

    /// Those of both heaps.
    pub fn plus(mut self, other: FreeRanges) -> FreeRanges {
        self.fragments += other.fragments;
        self.largest_bytes = self.largest_bytes.max(other.largest_bytes);
        for (class, other) in self.classes.iter_mut().zip(other.classes) {
            class.ranges += other.ranges;
            class.bytes = class.bytes.saturating_add(other.bytes);
        }
        self
    }

    /// Their bytes together.
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
        let free = FreeRanges::of(1 << 20, &[extent(0, 100), extent(200, 56), extent(250, 6), extent(4352, 4096)]);
        assert_eq!((free.fragments, free.largest_bytes, free.bytes()), (3, (1 << 20) - 8448, (1 << 20) - 156 - 4096));
        assert_eq!(free.classes.map(|class| class.ranges), [1, 0, 1, 1, 0, 0]);
        assert_eq!(FreeRanges::of(64, &[]).fragments, 1);
    }
}

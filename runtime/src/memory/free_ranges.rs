//! Free blocks of an address space, indexed by address and by length, so that the lowest fit is found quickly.

use std::collections::{BTreeMap, BTreeSet};

/// Each length below this has its own size class; larger lengths have [`FINE_CLASSES`] classes per power of two.
const EXACT_CLASSES: u64 = 64;
const FINE_CLASSES: u64 = 16;
const FINE_BITS: u32 = FINE_CLASSES.ilog2();
const EXACT_BITS: u32 = EXACT_CLASSES.ilog2();
const CLASSES: usize = (EXACT_CLASSES + (u64::BITS - EXACT_BITS) as u64 * FINE_CLASSES) as usize;

/// Free blocks, in pages; adjacent blocks are always merged. The key of a block is its end, which stays the same when
/// pages are taken from the start of the block, as is nearly always the case.
#[derive(Debug)]
pub(crate) struct FreeRanges {
    /// First page of each block, by end.
    blocks: BTreeMap<u64, u64>,
    /// Ends of the blocks in each size class.
    classes: Vec<BTreeSet<u64>>,
    /// Lowest end in each size class; `u64::MAX` if the class is empty.
    lowest: Vec<u64>,
    /// Bit set of the size classes that are not empty.
    used: [u64; CLASSES.div_ceil(64)],
}

impl FreeRanges {
    /// Creates one free block.
    pub fn new(start: u64, len: u64) -> FreeRanges {
        FreeRanges::from_blocks(&[(start, start + len)])
    }

    /// Creates free blocks from pairs of first page and end; the blocks must not touch each other.
    pub fn from_blocks(blocks: &[(u64, u64)]) -> FreeRanges {
        let mut map = FreeRanges {
            blocks: BTreeMap::new(),
            classes: vec![BTreeSet::new(); CLASSES],
            lowest: vec![u64::MAX; CLASSES],
            used: [0; CLASSES.div_ceil(64)],
        };
        blocks.iter().for_each(|(start, end)| map.add(*start, *end));
        map
    }

    /// Returns the free blocks, ascending, in the form of the argument of [`FreeRanges::from_blocks`]. Later
    /// allocations depend on nothing else.
    pub fn blocks(&self) -> impl Iterator<Item = (u64, u64)> {
        self.blocks.iter().map(|(end, start)| (*start, *end))
    }

    /// True if a page is free.
    pub fn contains(&self, page: u64) -> bool {
        self.blocks.range(page + 1..).next().is_some_and(|(_, start)| *start <= page)
    }

    /// Takes `len` pages at the lowest free multiple of `alignment` (a power of two); `None` if no block fits.
    pub fn take(&mut self, len: u64, alignment: u64) -> Option<u64> {
        let (mut best_end, mut best) = (u64::MAX, None);
        let mut next = self.next_used(class_of(len));
        while let Some(class) = next {
            let lowest = self.lowest[class];
            // A class whose lowest block is above the best fit cannot improve it.
            if lowest < best_end {
                // In all but the lowest few classes the lowest block fits regardless of alignment.
                let found = self.fit(lowest, len, alignment).map(|first| (lowest, first)).or_else(|| {
                    let mut others = self.classes[class].range(lowest + 1..best_end);
                    others.find_map(|&end| Some((end, self.fit(end, len, alignment)?)))
                });
                if let Some((end, first)) = found {
                    (best_end, best) = (end, Some(first));
                }
            }
            next = self.next_used(class + 1);
        }
        let first = best?;
        let start = *self.blocks.get(&best_end)?;
        if first + len == best_end {
            self.remove(best_end);
        } else {
            self.move_start(best_end, first + len);
        }
        if start < first {
            self.add(start, first);
        }
        Some(first)
    }

    /// Frees pages that were taken.
    pub fn free_pages(&mut self, start: u64, len: u64) {
        let end = start + len;
        // Merges with the block before, then with the block after.
        let first = self.remove(start).unwrap_or(start);
        match self.blocks.range(end + 1..).next() {
            Some((&next_end, &next_start)) if next_start == end => self.move_start(next_end, first),
            _ => self.add(first, end),
        }
    }

    /// The first page of a fit in a block, if the block is large enough.
    fn fit(&self, end: u64, len: u64, alignment: u64) -> Option<u64> {
        let first = self.blocks.get(&end)?.checked_next_multiple_of(alignment)?;
        (first.checked_add(len)? <= end).then_some(first)
    }

    fn add(&mut self, start: u64, end: u64) {
        self.blocks.insert(end, start);
        self.enter(class_of(end - start), end);
    }

    /// Removes the block that ends at `end`, and returns its start; `None` if there is no such block.
    fn remove(&mut self, end: u64) -> Option<u64> {
        let start = self.blocks.remove(&end)?;
        self.leave(class_of(end - start), end);
        Some(start)
    }

    fn move_start(&mut self, end: u64, start: u64) {
        if let Some(old) = self.blocks.get_mut(&end) {
            let (before, after) = (class_of(end - *old), class_of(end - start));
            *old = start;
            if before != after {
                self.leave(before, end);
                self.enter(after, end);
            }
        }
    }

    fn enter(&mut self, class: usize, end: u64) {
        self.classes[class].insert(end);
        self.lowest[class] = self.lowest[class].min(end);
        self.used[class / 64] |= 1 << (class % 64);
    }

    fn leave(&mut self, class: usize, end: u64) {
        self.classes[class].remove(&end);
        if self.lowest[class] == end {
            self.lowest[class] = self.classes[class].first().copied().unwrap_or(u64::MAX);
        }
        if self.classes[class].is_empty() {
            self.used[class / 64] &= !(1 << (class % 64));
        }
    }

    /// The first non-empty class from `class` on.
    fn next_used(&self, class: usize) -> Option<usize> {
        let word = class / 64;
        let first = self.used.get(word)? & (u64::MAX << (class % 64));
        let words = std::iter::once(first).chain(self.used[word + 1..].iter().copied());
        let (at, bits) = words.enumerate().find(|(_, bits)| *bits != 0)?;
        Some((word + at) * 64 + bits.trailing_zeros() as usize)
    }
}

fn class_of(len: u64) -> usize {
    if len < EXACT_CLASSES {
        return len as usize;
    }
    let doubling = len.ilog2();
    let fine = (len >> (doubling - FINE_BITS)) - FINE_CLASSES;
    (EXACT_CLASSES + u64::from(doubling - EXACT_BITS) * FINE_CLASSES + fine) as usize
}

/// Min length of a class.
#[cfg(test)]
fn min_len(class: usize) -> u64 {
    let Some(above) = (class as u64).checked_sub(EXACT_CLASSES) else { return class as u64 };
    (FINE_CLASSES + above % FINE_CLASSES) << (above / FINE_CLASSES + u64::from(EXACT_BITS - FINE_BITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn classes_are_ordered_and_start_at_their_min() {
        for class in 1..CLASSES - 1 {
            assert_eq!(class_of(min_len(class)), class);
            assert_eq!(class_of(min_len(class + 1) - 1), class);
        }
        assert_eq!(class_of(u64::MAX), CLASSES - 1);
    }

    /// First fit over a plain map of the taken ranges.
    fn lowest(taken: &BTreeMap<u64, u64>, pages: u64, len: u64, alignment: u64) -> Option<u64> {
        let mut first = 0_u64;
        for (&start, &taken_len) in taken {
            if first + len <= start {
                break;
            }
            first = (start + taken_len).next_multiple_of(alignment);
        }
        (first + len <= pages).then_some(first)
    }

    proptest! {
        #[test]
        fn take_returns_the_lowest_fit(
            steps in prop::collection::vec((1_u64..200, 0_u32..6, any::<prop::sample::Index>(), 0_u8..3), 1..200),
        ) {
            let (mut map, mut taken) = (FreeRanges::new(0, 4096), BTreeMap::new());
            for (len, alignment, which, step) in steps {
                if step == 0 && !taken.is_empty() {
                    let (&start, &len) = taken.iter().nth(which.index(taken.len())).unwrap();
                    taken.remove(&start);
                    map.free_pages(start, len);
                } else {
                    let first = map.take(len, 1 << alignment);
                    prop_assert_eq!(first, lowest(&taken, 4096, len, 1 << alignment));
                    taken.extend(first.map(|first| (first, len)));
                }
            }
            for (start, len) in taken {
                map.free_pages(start, len);
            }
            prop_assert_eq!(map.blocks, BTreeMap::from([(4096, 0)]));
        }
    }
}

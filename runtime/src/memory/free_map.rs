//! The free blocks of an address space, by address and by length, so that the lowest that fits is found quickly.

use std::collections::{BTreeMap, BTreeSet};

/// Lengths below this have a class each; from here on, every doubling is cut into as many classes as
/// [`FINE_CLASSES`] says.
const EXACT_CLASSES: u64 = 64;
const FINE_CLASSES: u64 = 16;
const FINE_BITS: u32 = FINE_CLASSES.ilog2();
const EXACT_BITS: u32 = EXACT_CLASSES.ilog2();
const CLASSES: usize = (EXACT_CLASSES + (u64::BITS - EXACT_BITS) as u64 * FINE_CLASSES) as usize;

/// Free blocks, in pages; neighbours are always joined.
#[derive(Debug)]
pub(crate) struct FreeMap {
    /// Length by first page.
    blocks: BTreeMap<u64, u64>,
    /// First pages of the blocks of each class of lengths.
    classes: Vec<BTreeSet<u64>>,
    /// Which classes have a block, a bit each.
    used: [u64; CLASSES.div_ceil(64)],
}

impl FreeMap {
    /// One free block.
    pub fn new(start: u64, len: u64) -> FreeMap {
        let mut map = FreeMap {
            blocks: BTreeMap::new(),
            classes: vec![BTreeSet::new(); CLASSES],
            used: [0; CLASSES.div_ceil(64)],
        };
        map.add(start, len);
        map
    }

    /// Takes `len` pages at the lowest multiple of `alignment` (a power of two) that is free; `None` if none is.
    pub fn take(&mut self, len: u64, alignment: u64) -> Option<u64> {
        let mut best: Option<(u64, u64)> = None;
        // From `sure` on, a block fits wherever it begins: its class's lowest is all there is to look at.
        let sure = len.saturating_add(alignment - 1);
        let mut class = class_of(len);
        while let Some(at) = self.next_used(class) {
            let below = best.map_or(u64::MAX, |(start, _)| start);
            for &start in self.classes[at].range(..below) {
                if let Some(first) = fit(start, self.blocks[&start], len, alignment) {
                    best = Some((start, first));
                    break;
                }
                debug_assert!(least_of(at) < sure, "a block that surely fits does not");
            }
            class = at + 1;
        }
        let (start, first) = best?;
        let block_len = self.remove(start);
        self.add(start, first - start);
        self.add(first + len, start + block_len - first - len);
        Some(first)
    }

    /// Frees pages that were taken.
    pub fn give(&mut self, start: u64, len: u64) {
        let (mut first, mut end) = (start, start + len);
        if let Some((&before, &before_len)) = self.blocks.range(..start).next_back()
            && before + before_len == start
        {
            self.remove(before);
            first = before;
        }
        if let Some(&after_len) = self.blocks.get(&end) {
            self.remove(end);
            end += after_len;
        }
        self.add(first, end - first);
    }

    fn add(&mut self, start: u64, len: u64) {
        if len > 0 {
            let class = class_of(len);
            self.blocks.insert(start, len);
            self.classes[class].insert(start);
            self.used[class / 64] |= 1 << (class % 64);
        }
    }

    fn remove(&mut self, start: u64) -> u64 {
        let Some(len) = self.blocks.remove(&start) else { return 0 };
        let class = class_of(len);
        self.classes[class].remove(&start);
        if self.classes[class].is_empty() {
            self.used[class / 64] &= !(1 << (class % 64));
        }
        len
    }

    /// The first class from `class` on that has a block.
    fn next_used(&self, class: usize) -> Option<usize> {
        let word = class / 64;
        let first = self.used.get(word)? & (u64::MAX << (class % 64));
        let words = std::iter::once(first).chain(self.used[word + 1..].iter().copied());
        let (at, bits) = words.enumerate().find(|(_, bits)| *bits != 0)?;
        Some((word + at) * 64 + bits.trailing_zeros() as usize)
    }
}

/// Where in a block the pages begin, if it holds them.
fn fit(start: u64, block_len: u64, len: u64, alignment: u64) -> Option<u64> {
    let first = start.checked_next_multiple_of(alignment)?;
    (first.checked_add(len)? <= start + block_len).then_some(first)
}

fn class_of(len: u64) -> usize {
    if len < EXACT_CLASSES {
        return len as usize;
    }
    let doubling = len.ilog2();
    let fine = (len >> (doubling - FINE_BITS)) - FINE_CLASSES;
    (EXACT_CLASSES + u64::from(doubling - EXACT_BITS) * FINE_CLASSES + fine) as usize
}

/// The least length of a class.
fn least_of(class: usize) -> u64 {
    let Some(above) = (class as u64).checked_sub(EXACT_CLASSES) else { return class as u64 };
    (FINE_CLASSES + above % FINE_CLASSES) << (above / FINE_CLASSES + u64::from(EXACT_BITS - FINE_BITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn classes_are_ordered_and_begin_at_their_least() {
        for class in 1..CLASSES - 1 {
            assert_eq!(class_of(least_of(class)), class);
            assert_eq!(class_of(least_of(class + 1) - 1), class);
        }
        assert_eq!(class_of(u64::MAX), CLASSES - 1);
    }

    /// First fit over a plain map of what is taken.
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
        fn the_lowest_address_that_fits_is_taken(
            steps in prop::collection::vec((1_u64..200, 0_u32..6, any::<prop::sample::Index>(), 0_u8..3), 1..200),
        ) {
            let (mut map, mut taken) = (FreeMap::new(0, 4096), BTreeMap::new());
            for (len, alignment, which, step) in steps {
                if step == 0 && !taken.is_empty() {
                    let (&start, &len) = taken.iter().nth(which.index(taken.len())).unwrap();
                    taken.remove(&start);
                    map.give(start, len);
                } else {
                    let first = map.take(len, 1 << alignment);
                    prop_assert_eq!(first, lowest(&taken, 4096, len, 1 << alignment));
                    taken.extend(first.map(|first| (first, len)));
                }
            }
            for (start, len) in taken {
                map.give(start, len);
            }
            prop_assert_eq!(map.blocks, BTreeMap::from([(0, 4096)]));
        }
    }
}

//! The layout of a heap, updated as resources are created and released.

use super::layout::{Extent, Layout};
use std::collections::BTreeSet;

/// The live resources of a heap in order of their offsets, and their layout.
///
/// While no two resources overlap, a change affects only its neighbours. Otherwise the layout is recomputed after every
/// change.
#[derive(Debug)]
pub(super) struct IncrementalLayout {
    size_bytes: u64,
    /// Extents, each with a number, so that equal ones are distinct.
    extents: BTreeSet<(Extent, u32)>,
    layout: Layout,
    /// Number of extents without bytes, or whose size is no multiple of their alignment; rare in practice.
    irregular: u64,
}

impl IncrementalLayout {
    pub fn new(size_bytes: u64) -> IncrementalLayout {
        let layout = Layout { tail_bytes: size_bytes, ..Default::default() };
        IncrementalLayout { size_bytes, extents: BTreeSet::new(), layout, irregular: 0 }
    }

    /// The current layout.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Adds a placed resource; returns the padding before it.
    pub fn insert(&mut self, extent: Extent, number: u32) -> u64 {
        self.irregular += u64::from(is_irregular(extent));
        let alone = self.is_simple() && self.fits(extent, number);
        let end_bytes = if alone { self.end_before(extent, number) } else { self.reach_before(extent, number) };
        if alone {
            self.turn(extent, number, end_bytes, true);
        }
        self.extents.insert((extent, number));
        self.finish(alone);
        extent.gap_before(end_bytes).padding_bytes
    }

    /// Removes a resource.
    pub fn remove(&mut self, extent: Extent, number: u32) {
        if !self.extents.remove(&(extent, number)) {
            return;
        }
        let alone = self.is_simple();
        self.irregular -= u64::from(is_irregular(extent));
        if alone {
            let end_bytes = self.end_before(extent, number);
            self.turn(extent, number, end_bytes, false);
        }
        self.finish(alone);
    }

    /// True if a change affects only its neighbours.
    fn is_simple(&self) -> bool {
        self.layout.overlap_bytes == 0 && self.irregular == 0
    }

    /// True if an extent overlaps none of its neighbours.
    fn fits(&self, extent: Extent, number: u32) -> bool {
        let next = self.next(extent, number);
        self.end_before(extent, number) <= extent.offset_bytes
            && next.is_none_or(|next| extent.end_bytes() <= next.offset_bytes)
            && extent.offset_bytes.checked_add(extent.size_bytes).is_some()
    }

    fn next(&self, extent: Extent, number: u32) -> Option<&Extent> {
        self.extents.range((extent, number)..).map(|(next, _)| next).next()
    }

    /// End of the preceding extent.
    fn end_before(&self, extent: Extent, number: u32) -> u64 {
        self.extents.range(..(extent, number)).next_back().map_or(0, |(before, _)| before.end_bytes())
    }

    /// Max end of all preceding extents.
    fn reach_before(&self, extent: Extent, number: u32) -> u64 {
        self.extents.range(..(extent, number)).map(|(before, _)| before.end_bytes()).max().unwrap_or_default()
    }

    /// Updates the sums for an extent that is added or removed; it must not be in `extents`.
    fn turn(&mut self, extent: Extent, number: u32, end_bytes: u64, comes: bool) {
        let next = self.next(extent, number).copied();
        let apart = [
            extent.gap_before(end_bytes),
            next.map_or_else(Default::default, |next| next.gap_before(extent.end_bytes())),
        ];
        let joined = next.map_or_else(Default::default, |next| next.gap_before(end_bytes));
        let layout = &mut self.layout;
        let padding_bytes = apart[0].padding_bytes + apart[1].padding_bytes;
        let hole_bytes = apart[0].hole_bytes + apart[1].hole_bytes;
        // Subtracted first: the sum of old and new gaps of a heap of 2^64 bytes overflows.
        if comes {
            layout.covered_bytes += extent.size_bytes;
            layout.padding_bytes = layout.padding_bytes - joined.padding_bytes + padding_bytes;
            layout.hole_bytes = layout.hole_bytes - joined.hole_bytes + hole_bytes;
        } else {
            layout.covered_bytes -= extent.size_bytes;
            layout.padding_bytes = layout.padding_bytes - padding_bytes + joined.padding_bytes;
            layout.hole_bytes = layout.hole_bytes - hole_bytes + joined.hole_bytes;
        }
    }

    fn finish(&mut self, alone: bool) {
        if !alone {
            self.layout = Layout::new(self.size_bytes, self.extents.iter().map(|(extent, _)| *extent).collect());
            return;
        }
        let end_bytes = self.extents.last().map_or(0, |(last, _)| last.end_bytes());
        self.layout.tail_bytes = self.size_bytes.saturating_sub(end_bytes);
        self.layout.best_order_saving_bytes = self.layout.padding_bytes;
    }
}

fn is_irregular(extent: Extent) -> bool {
    extent.size_bytes == 0 || !extent.is_whole()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gaps_of_a_heap_of_all_addresses_do_not_overflow() {
        let extent = |offset_bytes| Extent { offset_bytes, size_bytes: 1, alignment_bytes: 1 };
        let (first, second) = (extent(u64::MAX - 16), extent(1 << 62));
        let mut layout = IncrementalLayout::new(u64::MAX);
        layout.insert(first, 0);
        layout.insert(second, 1);
        assert_eq!(layout.layout(), Layout::new(u64::MAX, vec![second, first]));
        layout.remove(second, 1);
        assert_eq!(layout.layout(), Layout::new(u64::MAX, vec![first]));
    }

    proptest! {
        #[test]
        fn the_incremental_layout_equals_the_recomputed_one(
            steps in prop::collection::vec((0_u64..64, 0_u64..9, 0_u32..4, any::<bool>()), 0..40),
        ) {
            let mut incremental_layout = IncrementalLayout::new(300);
            let mut live: Vec<(Extent, u32)> = Vec::new();
            for (number, (place, size, log, remove)) in (0..).zip(steps) {
                if remove && !live.is_empty() {
                    let (extent, number) = live.swap_remove(place as usize % live.len());
                    incremental_layout.remove(extent, number);
                } else {
                    let alignment_bytes = 1 << log;
                    let offset_bytes = (place * 4).next_multiple_of(alignment_bytes);
                    // Mostly regular sizes.
                    let size_bytes = if size < 2 { size } else { (size * 4).next_multiple_of(alignment_bytes) };
                    let extent = Extent { offset_bytes, size_bytes, alignment_bytes };
                    let padding_bytes = incremental_layout.insert(extent, number);
                    live.push((extent, number));
                    prop_assert!(padding_bytes <= offset_bytes);
                }
                prop_assert_eq!(incremental_layout.layout(), Layout::new(300, live.iter().map(|(extent, _)| *extent).collect()));
            }
        }
    }
}

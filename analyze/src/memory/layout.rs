//! The layout of a heap's resources at a moment.

use super::round_up;
use serde::Serialize;

/// A placed resource of a heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    /// HeapOffset.
    pub offset_bytes: u64,
    /// SizeInBytes.
    pub size_bytes: u64,
    /// Alignment.
    pub alignment_bytes: u64,
}

impl Extent {
    /// End of the resource. Saturates.
    pub fn end_bytes(&self) -> u64 {
        self.offset_bytes.saturating_add(self.size_bytes)
    }

    /// The padding in a gap that begins at `end_bytes` and ends at this resource; 0 if the gap is a hole.
    pub fn padding_before(&self, end_bytes: u64) -> u64 {
        self.gap_before(end_bytes).padding_bytes
    }

    /// True if the size is a multiple of the alignment.
    pub(super) fn is_whole(&self) -> bool {
        self.size_bytes.is_multiple_of(self.alignment_bytes.max(1))
    }

    /// Classifies a gap that begins at `end_bytes` and ends at this resource: it is padding if rounding its begin up to
    /// the resource's alignment gives exactly the resource's offset.
    pub(super) fn gap_before(&self, end_bytes: u64) -> Gap {
        let gap_bytes = self.offset_bytes.saturating_sub(end_bytes);
        if gap_bytes > 0 && round_up(end_bytes, self.alignment_bytes) == self.offset_bytes {
            Gap { padding_bytes: gap_bytes, hole_bytes: 0 }
        } else {
            Gap { padding_bytes: 0, hole_bytes: gap_bytes }
        }
    }
}

/// Free bytes before a resource, all of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Gap {
    pub padding_bytes: u64,
    pub hole_bytes: u64,
}

/// Use of a heap's bytes. For resources inside the heap,
/// `size_bytes = covered_bytes + padding_bytes + hole_bytes + tail_bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Layout {
    /// Bytes that belong to at least one resource.
    pub covered_bytes: u64,
    /// Sum of the resources' sizes minus `covered_bytes`: memory shared by aliasing.
    pub overlap_bytes: u64,
    /// Gaps before a resource whose begin, rounded up to that resource's alignment, is exactly its offset.
    pub padding_bytes: u64,
    /// Other gaps between resources.
    pub hole_bytes: u64,
    /// Bytes from the end of the last resource to the end of the heap; the whole heap if it is empty.
    pub tail_bytes: u64,
    /// Part of `padding_bytes` that sorting the resources by descending alignment would avoid.
    pub best_order_saving_bytes: u64,
}

impl Layout {
    /// Computes the layout of a heap of `size_bytes` with these resources, in any order.
    pub fn new(size_bytes: u64, mut extents: Vec<Extent>) -> Layout {
        extents.sort_unstable();
        let mut layout = Layout::default();
        let mut end_bytes = 0_u64;
        for extent in &extents {
            let gap = extent.gap_before(end_bytes);
            layout.padding_bytes = layout.padding_bytes.saturating_add(gap.padding_bytes);
            layout.hole_bytes = layout.hole_bytes.saturating_add(gap.hole_bytes);
            let new_bytes = extent.end_bytes().saturating_sub(end_bytes.max(extent.offset_bytes));
            layout.covered_bytes = layout.covered_bytes.saturating_add(new_bytes);
            layout.overlap_bytes = layout.overlap_bytes.saturating_add(extent.size_bytes.saturating_sub(new_bytes));
            end_bytes = end_bytes.max(extent.end_bytes());
        }
        layout.best_order_saving_bytes = layout.padding_bytes.saturating_sub(best_order_padding(&mut extents));
        layout.tail_bytes = size_bytes.saturating_sub(end_bytes);
        layout
    }

    /// Adds the layouts of two heaps. Saturates.
    pub fn plus(self, other: Layout) -> Layout {
        Layout {
            covered_bytes: self.covered_bytes.saturating_add(other.covered_bytes),
            overlap_bytes: self.overlap_bytes.saturating_add(other.overlap_bytes),
            padding_bytes: self.padding_bytes.saturating_add(other.padding_bytes),
            hole_bytes: self.hole_bytes.saturating_add(other.hole_bytes),
            tail_bytes: self.tail_bytes.saturating_add(other.tail_bytes),
            best_order_saving_bytes: self.best_order_saving_bytes.saturating_add(other.best_order_saving_bytes),
        }
    }
}

/// Padding of consecutive resources in order of descending alignment. 0 if each size is a multiple of its alignment, as
/// SizeInBytes is.
pub(super) fn best_order_padding(extents: &mut [Extent]) -> u64 {
    if extents.iter().all(Extent::is_whole) {
        return 0;
    }
    extents.sort_unstable_by_key(|extent| std::cmp::Reverse((extent.alignment_bytes, extent.size_bytes)));
    let (mut end_bytes, mut padding_bytes) = (0_u64, 0_u64);
    for extent in extents {
        let offset_bytes = round_up(end_bytes, extent.alignment_bytes);
        padding_bytes = padding_bytes.saturating_add(offset_bytes - end_bytes);
        end_bytes = offset_bytes.saturating_add(extent.size_bytes);
    }
    padding_bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn extent(offset_bytes: u64, size_bytes: u64, alignment_bytes: u64) -> Extent {
        Extent { offset_bytes, size_bytes, alignment_bytes }
    }

    #[test]
    fn a_gap_is_padding_if_rounding_its_start_up_gives_the_offset() {
        let layout = Layout::new(1024, vec![extent(0, 100, 4), extent(256, 256, 256), extent(768, 16, 16)]);
        let expected =
            Layout { covered_bytes: 372, padding_bytes: 156, hole_bytes: 256, tail_bytes: 240, ..Default::default() };
        // In the best order the 256 bytes come first, then 16, then 100: no padding.
        assert_eq!(layout, Layout { best_order_saving_bytes: 156, ..expected });
    }

    #[test]
    fn an_empty_heap_is_all_tail() {
        assert_eq!(Layout::new(64, Vec::new()), Layout { tail_bytes: 64, ..Default::default() });
    }

    #[test]
    fn aliasing_is_overlap_and_covers_once() {
        let layout = Layout::new(100, vec![extent(0, 50, 1), extent(10, 20, 1), extent(40, 30, 1)]);
        assert_eq!((layout.covered_bytes, layout.overlap_bytes, layout.tail_bytes), (70, 30, 30));
    }

    /// The definition, evaluated byte by byte.
    fn naive(size_bytes: u64, extents: &[Extent]) -> Layout {
        let mut extents = extents.to_vec();
        extents.sort_unstable();
        let covers = |byte: u64| extents.iter().any(|e| e.offset_bytes <= byte && byte < e.offset_bytes + e.size_bytes);
        let mut layout = Layout::default();
        let sum_bytes: u64 = extents.iter().map(|e| e.size_bytes).sum();
        let mut gap_start = None;
        for byte in 0..size_bytes {
            if covers(byte) {
                layout.covered_bytes += 1;
                gap_start = None;
                continue;
            }
            let start = *gap_start.get_or_insert(byte);
            match extents.iter().find(|e| e.offset_bytes > byte) {
                None => layout.tail_bytes += 1,
                Some(next) if round_up(start, next.alignment_bytes) == next.offset_bytes => layout.padding_bytes += 1,
                Some(_) => layout.hole_bytes += 1,
            }
        }
        layout.overlap_bytes = sum_bytes - layout.covered_bytes;
        layout.best_order_saving_bytes = layout.padding_bytes.saturating_sub(best_order_padding(&mut extents));
        layout
    }

    proptest! {
        #[test]
        fn the_walk_agrees_with_the_definition_byte_by_byte(
            size_bytes in 1_u64..300,
            raw in prop::collection::vec((0_u64..300, 1_u64..60, 0_u32..7), 0..12),
        ) {
            let fits = raw.into_iter().filter_map(|(offset, size, log)| {
                let alignment = 1 << log;
                let extent = extent(offset / alignment * alignment, size, alignment);
                (extent.offset_bytes + extent.size_bytes <= size_bytes).then_some(extent)
            });
            let extents: Vec<_> = fits.collect();
            let layout = Layout::new(size_bytes, extents.clone());
            prop_assert_eq!(layout, naive(size_bytes, &extents));
            let used = layout.covered_bytes + layout.padding_bytes + layout.hole_bytes + layout.tail_bytes;
            prop_assert_eq!(used, size_bytes);
        }

        #[test]
        fn any_extents_are_taken_without_a_panic(
            size_bytes in any::<u64>(),
            raw in prop::collection::vec((any::<u64>(), any::<u64>(), any::<u64>()), 0..6),
        ) {
            let extents = raw.into_iter().map(|(offset, size, alignment)| extent(offset, size, alignment)).collect();
            Layout::new(size_bytes, extents);
        }
    }
}

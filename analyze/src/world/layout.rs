//! How the resources of a heap lie in it at a moment.

use super::round_up;
use serde::Serialize;

/// One placed resource of a heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    /// HeapOffset.
    pub offset_bytes: u64,
    /// SizeInBytes.
    pub size_bytes: u64,
    /// Alignment.
    pub alignment_bytes: u64,
}

/// What a heap's bytes are used for. Always
/// `size_bytes = covered_bytes + padding_bytes + hole_bytes + tail_bytes` for resources that lie inside the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Layout {
    /// Bytes that lie under at least one resource.
    pub covered_bytes: u64,
    /// Sum of the resources' sizes less `covered_bytes`: memory shared by aliasing.
    pub overlap_bytes: u64,
    /// Gaps before a resource whose start, rounded up to that resource's alignment, is exactly its offset.
    pub padding_bytes: u64,
    /// Other gaps between resources.
    pub hole_bytes: u64,
    /// From the end of the last resource to the end of the heap; of an empty heap, all of it.
    pub tail_bytes: u64,
}

impl Layout {
    /// The layout of a heap of `size_bytes` with these resources, in any order.
    pub fn of(size_bytes: u64, mut extents: Vec<Extent>) -> Layout {
        extents.sort_unstable();
        let mut layout = Layout::default();
        let mut end_bytes = 0_u64;
        for extent in extents {
            let gap_bytes = extent.offset_bytes.saturating_sub(end_bytes);
            if gap_bytes > 0 && round_up(end_bytes, extent.alignment_bytes) == extent.offset_bytes {
                layout.padding_bytes += gap_bytes;
            } else {
                layout.hole_bytes += gap_bytes;
            }
            let extent_end_bytes = extent.offset_bytes.saturating_add(extent.size_bytes);
            let new_bytes = extent_end_bytes.saturating_sub(end_bytes.max(extent.offset_bytes));
            layout.covered_bytes += new_bytes;
            layout.overlap_bytes = layout.overlap_bytes.saturating_add(extent.size_bytes.saturating_sub(new_bytes));
            end_bytes = end_bytes.max(extent_end_bytes);
        }
        layout.tail_bytes = size_bytes.saturating_sub(end_bytes);
        layout
    }

    /// The sum over two heaps. Saturates.
    pub fn plus(self, other: Layout) -> Layout {
        Layout {
            covered_bytes: self.covered_bytes.saturating_add(other.covered_bytes),
            overlap_bytes: self.overlap_bytes.saturating_add(other.overlap_bytes),
            padding_bytes: self.padding_bytes.saturating_add(other.padding_bytes),
            hole_bytes: self.hole_bytes.saturating_add(other.hole_bytes),
            tail_bytes: self.tail_bytes.saturating_add(other.tail_bytes),
        }
    }
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
        let layout = Layout::of(1024, vec![extent(0, 100, 4), extent(256, 256, 256), extent(768, 16, 16)]);
        let expected =
            Layout { covered_bytes: 372, overlap_bytes: 0, padding_bytes: 156, hole_bytes: 256, tail_bytes: 240 };
        assert_eq!(layout, expected);
    }

    #[test]
    fn an_empty_heap_is_all_tail() {
        assert_eq!(Layout::of(64, Vec::new()), Layout { tail_bytes: 64, ..Default::default() });
    }

    #[test]
    fn aliasing_is_overlap_and_covers_once() {
        let layout = Layout::of(100, vec![extent(0, 50, 1), extent(10, 20, 1), extent(40, 30, 1)]);
        assert_eq!((layout.covered_bytes, layout.overlap_bytes, layout.tail_bytes), (70, 30, 30));
    }

    /// The definition, byte by byte.
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
            let layout = Layout::of(size_bytes, extents.clone());
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
            Layout::of(size_bytes, extents);
        }
    }
}

//! Free bytes of a heap, and savings by other positions of its resources.

use crate::memory::{Extent, Heap, Layout, Resource, Turn, World, round_up};

/// Granularity of heap sizes: D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT.
pub(in crate::reports::alignment) const HEAP_STEP_BYTES: u64 = 64 << 10;

/// Free bytes of a heap at a moment.
pub(super) struct HeapWaste {
    pub layout: Layout,
    /// Number of paddings.
    pub paddings: u64,
    pub holes: u64,
    /// Reduction of the heap's used extent if its resources are compacted in their current order.
    pub moved_saving_bytes: u64,
    /// Reduction of the heap's size to what is ever placed in it.
    pub fitted_saving_bytes: u64,
}

impl HeapWaste {
    /// Computes the free bytes right after `turn`.
    pub fn of(world: &World, heap: &Heap, turn: Turn) -> HeapWaste {
        let mut extents: Vec<Extent> = world.placed_after(heap, turn).filter_map(Resource::extent).collect();
        extents.sort_unstable();
        let (mut paddings, mut holes, mut end_bytes) = (0, 0, 0_u64);
        for extent in &extents {
            if extent.offset_bytes > end_bytes {
                let is_padding = extent.padding_before(end_bytes) > 0;
                paddings += u64::from(is_padding);
                holes += u64::from(!is_padding);
            }
            end_bytes = end_bytes.max(extent.end_bytes());
        }
        let ever = heap.placed.iter().filter_map(|index| world.resource(*index).extent());
        let highest_bytes = ever.map(|extent| extent.end_bytes()).max().unwrap_or_default();
        HeapWaste {
            moved_saving_bytes: end_bytes.saturating_sub(moved_end_bytes(&extents)),
            fitted_saving_bytes: heap.size_bytes.saturating_sub(round_up(highest_bytes, HEAP_STEP_BYTES)),
            layout: Layout::new(heap.size_bytes, extents),
            paddings,
            holes,
        }
    }

    /// True if no resource is in the heap.
    pub fn is_empty(&self) -> bool {
        self.layout.covered_bytes == 0
    }

    /// Combined saving of descending order of alignment and of compaction.
    pub fn ordered_and_moved_saving_bytes(&self) -> u64 {
        let alone = self.layout.best_order_saving_bytes.saturating_add(self.moved_saving_bytes);
        // The combined saving cannot exceed all padding and holes.
        alone.min(self.layout.padding_bytes.saturating_add(self.layout.hole_bytes))
    }
}

/// End of the resources after compaction, which moves each to the lowest possible offset after the previous one.
/// Overlapping resources move as one group.
fn moved_end_bytes(extents: &[Extent]) -> u64 {
    let (mut moved_end_bytes, mut rest) = (0_u64, extents);
    while let Some(first) = rest.first() {
        let (mut end_bytes, mut alignment_bytes, mut members) = (first.end_bytes(), first.alignment_bytes.max(1), 1);
        while let Some(next) = rest.get(members).filter(|next| next.offset_bytes < end_bytes) {
            end_bytes = end_bytes.max(next.end_bytes());
            alignment_bytes = alignment_bytes.max(next.alignment_bytes);
            members += 1;
        }
        // Moving the group by a multiple of its largest alignment preserves the alignment of all members.
        let gap_bytes = first.offset_bytes.saturating_sub(moved_end_bytes);
        let begin_bytes = first.offset_bytes - gap_bytes / alignment_bytes * alignment_bytes;
        moved_end_bytes = begin_bytes.saturating_add(end_bytes - first.offset_bytes);
        rest = &rest[members..];
    }
    moved_end_bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn compaction_moves_each_resource_down_as_far_as_possible(
            raw in prop::collection::vec((0_u64..40, 1_u64..6, 0_u32..4), 0..12),
        ) {
            let mut extents = Vec::new();
            let mut end_bytes = 0_u64;
            for (gap, size, log) in raw {
                let alignment_bytes = 1_u64 << log;
                let offset_bytes = (end_bytes + gap).next_multiple_of(alignment_bytes);
                let size_bytes = size * alignment_bytes;
                extents.push(Extent { offset_bytes, size_bytes, alignment_bytes });
                end_bytes = offset_bytes + size_bytes;
            }
            let mut moved = 0_u64;
            for extent in &extents {
                let mut at = extent.offset_bytes;
                while at >= extent.alignment_bytes && at - extent.alignment_bytes >= moved {
                    at -= extent.alignment_bytes;
                }
                moved = at + extent.size_bytes;
            }
            prop_assert_eq!(moved_end_bytes(&extents), moved);
        }
    }
}

//! Assignment of a phase's resources to heaps and offsets.

use taut_runtime::repack::FreeMap;
use taut_schemas::AllocationInfo;

/// Granularity of heap sizes in bytes (d3d12.h: D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const HEAP_GRANULARITY_BYTES: u64 = 64 << 10;

/// Minimum number of the largest resources for which a heap has space, so that only a small part of it can remain
/// unused.
const MIN_PER_HEAP: u64 = 8;

/// Rules for the layout of heaps.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeapRules {
    /// Size in bytes of each heap but the last.
    pub heap_bytes: u64,
    /// True if a heap's resources are in order of decreasing alignment.
    pub falling_alignment: bool,
    /// True if heaps end with their last resource.
    pub fitted: bool,
}

/// Heaps of a phase.
#[derive(Debug, Default)]
pub(super) struct HeapLayout {
    /// Size of each heap, in bytes.
    pub heap_bytes: Vec<u64>,
    /// Heap index and offset in bytes of each resource.
    pub places: Vec<(usize, u64)>,
}

impl HeapLayout {
    /// Places resources first-fit. No heap is larger than the resources that remain to be placed.
    pub(super) fn of(infos: &[AllocationInfo], rules: HeapRules) -> HeapLayout {
        let largest_bytes = infos.iter().map(max_space).max().unwrap_or(0);
        let heap_bytes = rules.heap_bytes.max(largest_bytes.saturating_mul(MIN_PER_HEAP));
        let mut remaining_bytes = infos.iter().map(max_space).fold(0, u64::saturating_add);
        let mut layout = HeapLayout::default();
        let mut open: Vec<FreeMap> = Vec::new();
        for info in infos {
            let place = match first_fit(&mut open, info) {
                Some(place) => place,
                None => {
                    let size_bytes = round_up(info.size_bytes.max(heap_bytes.min(remaining_bytes)));
                    layout.heap_bytes.push(size_bytes);
                    open.push(FreeMap::of(size_bytes));
                    // The new heap is at least as large as the resource, which is placed at its start.
                    first_fit(&mut open, info).unwrap_or((open.len() - 1, 0))
                }
            };
            layout.places.push(place);
            remaining_bytes = remaining_bytes.saturating_sub(max_space(info));
        }
        if rules.falling_alignment {
            layout.order(infos);
        }
        if rules.fitted {
            layout.fit(infos);
        }
        layout
    }

    /// Reorders each heap's resources by decreasing alignment, unless that needs more space.
    fn order(&mut self, infos: &[AllocationInfo]) {
        for heap in 0..self.heap_bytes.len() {
            let mut members: Vec<usize> =
                (0..infos.len()).filter(|resource| self.places[*resource].0 == heap).collect();
            members.sort_by_key(|resource| std::cmp::Reverse(infos[*resource].alignment_bytes));
            let (mut end_bytes, mut offsets) = (0_u64, Vec::with_capacity(members.len()));
            for info in members.iter().map(|resource| &infos[*resource]) {
                let begin = end_bytes.next_multiple_of(info.alignment_bytes.max(1));
                offsets.push(begin);
                end_bytes = begin.saturating_add(info.size_bytes);
            }
            if end_bytes <= self.end_bytes(heap, infos) {
                members.into_iter().zip(offsets).for_each(|(resource, offset)| self.places[resource].1 = offset);
            }
        }
    }

    fn fit(&mut self, infos: &[AllocationInfo]) {
        for heap in 0..self.heap_bytes.len() {
            self.heap_bytes[heap] = round_up(self.end_bytes(heap, infos));
        }
    }

    fn end_bytes(&self, heap: usize, infos: &[AllocationInfo]) -> u64 {
        let in_heap = self.places.iter().zip(infos).filter(|((of, _), _)| *of == heap);
        in_heap.map(|((_, offset), info)| offset.saturating_add(info.size_bytes)).max().unwrap_or_default()
    }
}

/// Returns the maximum space in a heap that a resource takes, alignment included.
fn max_space(info: &AllocationInfo) -> u64 {
    info.size_bytes.checked_next_multiple_of(info.alignment_bytes.max(1)).unwrap_or(u64::MAX)
}

/// Rounds a size up to the granularity. A size that overflows stays, and CreateHeap rejects it.
fn round_up(size_bytes: u64) -> u64 {
    size_bytes.checked_next_multiple_of(HEAP_GRANULARITY_BYTES).unwrap_or(size_bytes)
}

/// Allocates the lowest free offset in the first heap with space.
fn first_fit(open: &mut [FreeMap], info: &AllocationInfo) -> Option<(usize, u64)> {
    open.iter_mut().enumerate().find_map(|(heap, free)| {
        let offset = free.allocate(info.size_bytes, info.alignment_bytes)?;
        Some((heap, offset))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn resources_lie_aligned_within_their_heaps_and_apart(
            raw in prop::collection::vec((1_u64..300_000, prop::sample::select(vec![8_u32, 12, 16])), 0..40),
            falling_alignment in any::<bool>(),
            fitted in any::<bool>(),
        ) {
            let infos: Vec<_> = raw.iter().map(|(size, log)| AllocationInfo {
                size_bytes: size.next_multiple_of(1 << log), alignment_bytes: 1 << log,
            }).collect();
            let rules = HeapRules { heap_bytes: 1 << 20, falling_alignment, fitted };
            let layout = HeapLayout::of(&infos, rules);
            let mut taken: Vec<(usize, u64, u64)> = Vec::new();
            for ((heap, offset), info) in layout.places.iter().zip(&infos) {
                prop_assert_eq!(offset % info.alignment_bytes, 0);
                prop_assert!(offset + info.size_bytes <= layout.heap_bytes[*heap]);
                taken.push((*heap, *offset, offset + info.size_bytes));
            }
            taken.sort_unstable();
            prop_assert!(taken.windows(2).all(|two| two[0].0 < two[1].0 || two[0].2 <= two[1].1));
            if fitted {
                for (heap, size_bytes) in layout.heap_bytes.iter().enumerate() {
                    prop_assert_eq!(*size_bytes, round_up(layout.end_bytes(heap, &infos)));
                }
            }
        }
    }
}

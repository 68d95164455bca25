//! Which heaps hold the resources of a phase, and what lies where in them.

use taut_runtime::refit::FreeMap;
use taut_schemas::AllocationInfo;

/// Heap sizes are multiples of this (d3d12.h: D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const HEAP_GRANULARITY_BYTES: u64 = 64 << 10;

/// A heap has room for at least so many of the largest resources, so that no more than a small part of it stays empty.
const LEAST_PER_HEAP: u64 = 8;

/// How heaps are laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeapRules {
    /// Size of a heap that is not the last.
    pub heap_bytes: u64,
    /// The resources of a heap lie in order of falling alignment.
    pub falling_alignment: bool,
    /// Heaps are no larger than what lies in them.
    pub fitted: bool,
}

/// The heaps of a phase.
#[derive(Debug, Default)]
pub(super) struct HeapLayout {
    /// Their sizes.
    pub heap_bytes: Vec<u64>,
    /// Number of the heap and offset of each resource.
    pub places: Vec<(usize, u64)>,
}

impl HeapLayout {
    /// Places resources by first fit. No heap is larger than what is still to come.
    pub(super) fn of(infos: &[AllocationInfo], rules: HeapRules) -> HeapLayout {
        let largest_bytes = infos.iter().map(room).max().unwrap_or(0);
        let heap_bytes = rules.heap_bytes.max(largest_bytes.saturating_mul(LEAST_PER_HEAP));
        let mut to_come_bytes = infos.iter().map(room).fold(0, u64::saturating_add);
        let mut layout = HeapLayout::default();
        let mut open: Vec<FreeMap> = Vec::new();
        for info in infos {
            let place = match first_fit(&mut open, info) {
                Some(place) => place,
                None => {
                    let size_bytes = in_steps(info.size_bytes.max(heap_bytes.min(to_come_bytes)));
                    layout.heap_bytes.push(size_bytes);
                    open.push(FreeMap::of(size_bytes));
                    // The new heap is at least as large as the resource, which lies at its beginning.
                    first_fit(&mut open, info).unwrap_or((open.len() - 1, 0))
                }
            };
            layout.places.push(place);
            to_come_bytes = to_come_bytes.saturating_sub(room(info));
        }
        if rules.falling_alignment {
            layout.order(infos);
        }
        if rules.fitted {
            layout.fit(infos);
        }
        layout
    }

    /// Lays each heap's resources in order of falling alignment, where they end earlier so.
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
            self.heap_bytes[heap] = in_steps(self.end_bytes(heap, infos));
        }
    }

    fn end_bytes(&self, heap: usize, infos: &[AllocationInfo]) -> u64 {
        let in_heap = self.places.iter().zip(infos).filter(|((of, _), _)| *of == heap);
        in_heap.map(|((_, offset), info)| offset.saturating_add(info.size_bytes)).max().unwrap_or_default()
    }
}

/// The most that a resource takes of a heap, alignment included.
fn room(info: &AllocationInfo) -> u64 {
    info.size_bytes.checked_next_multiple_of(info.alignment_bytes.max(1)).unwrap_or(u64::MAX)
}

/// A size that cannot be rounded is one that CreateHeap refuses.
fn in_steps(size_bytes: u64) -> u64 {
    size_bytes.checked_next_multiple_of(HEAP_GRANULARITY_BYTES).unwrap_or(size_bytes)
}

/// The lowest offset in the oldest heap that has room.
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
                    prop_assert_eq!(*size_bytes, in_steps(layout.end_bytes(heap, &infos)));
                }
            }
        }
    }
}

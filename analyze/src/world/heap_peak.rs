//! A heap at the moment it is fullest.

use super::change::Turn;
use super::layout::{Extent, Layout};
use super::resource::{Backing, Resource};
use super::{HeapIndex, World};

/// A heap right after the first change at which the sizes of its live placed resources sum up to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapPeak {
    /// The heap.
    pub heap: HeapIndex,
    /// The change.
    pub turn: Turn,
    /// Resources placed in it then.
    pub placed: u64,
    /// Sum of their SizeInBytes.
    pub placed_bytes: u128,
    /// What their SizeInBytes exceeds the requests by.
    pub rounding_bytes: i128,
    /// How they lie.
    pub layout: Layout,
}

impl Resource {
    /// Its place in its heap; `None` if it is not placed or its size is not known.
    pub fn extent(&self) -> Option<Extent> {
        let (Backing::Placed { heap_offset_bytes, .. }, Some(allocation)) = (self.backing, self.allocation) else {
            return None;
        };
        let (size_bytes, alignment_bytes) = (allocation.size_bytes, allocation.alignment_bytes);
        Some(Extent { offset_bytes: heap_offset_bytes, size_bytes, alignment_bytes })
    }
}

impl World {
    /// The layout of a heap right after `turn`.
    pub fn layout_after(&self, heap: HeapIndex, turn: Turn) -> Layout {
        let heap = self.heap(heap);
        Layout::of(heap.size_bytes, self.placed_after(heap, turn).filter_map(Resource::extent).collect())
    }

    /// Resources of a heap that live right after `turn`.
    fn placed_after(&self, heap: &super::Heap, turn: Turn) -> impl Iterator<Item = &Resource> {
        heap.placed.iter().map(|index| self.resource(*index)).filter(move |resource| resource.lives_after(turn))
    }

    /// The peak of one heap; `None` if it never holds a resource of known size.
    pub fn heap_peak(&self, index: HeapIndex) -> Option<HeapPeak> {
        let heap = self.heap(index);
        let mut changes = Vec::with_capacity(heap.placed.len() * 2);
        for resource in heap.placed.iter().map(|resource| self.resource(*resource)) {
            let Some(extent) = resource.extent() else { continue };
            changes.push((resource.created, i128::from(extent.size_bytes)));
            changes.extend(resource.released.map(|released| (released, -i128::from(extent.size_bytes))));
        }
        changes.sort_unstable();
        let (mut bytes, mut most_bytes, mut at) = (0, -1, None);
        for (turn, change_bytes) in changes {
            bytes += change_bytes;
            if bytes > most_bytes {
                (most_bytes, at) = (bytes, Some(turn));
            }
        }
        let turn = at?;
        let live = || self.placed_after(heap, turn).filter(|resource| resource.allocation.is_some());
        Some(HeapPeak {
            heap: index,
            turn,
            placed: live().count() as u64,
            placed_bytes: most_bytes.unsigned_abs(),
            rounding_bytes: live().map(Resource::rounding_bytes).sum(),
            layout: self.layout_after(index, turn),
        })
    }

    /// The peaks of all heaps that ever hold a resource, in order of the heaps' creation.
    pub fn heap_peaks(&self) -> Vec<HeapPeak> {
        (0..self.heaps.len() as u32).filter_map(|heap| self.heap_peak(HeapIndex(heap))).collect()
    }
}

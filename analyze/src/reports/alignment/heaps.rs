//! Heaps, each at its own peak.

use super::figures::{narrow, narrow_signed};
use crate::memory::{Extent, FreeRanges, HeapPeak, Layout, Resource, World};
use crate::reports::figures::figures;

figures! {
    /// A heap at its own peak: right after the first change at which the sum of its live placed resources is largest.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct HeapFigures {
        at_stamp: u64, Stamp, same;
        #[serde(skip_serializing_if = "Option::is_none")] at_seq: Option<u64>, Id, same;
        heap_bytes: u64, Bytes, same;
        placed: u64, Count, same;
        placed_bytes: u64, Bytes, same;
        rounding_bytes: i64, Bytes, same, unless snapshot;
        #[serde(flatten)] layout: Layout, Group, flat;
        fragments: u64, Count, same;
        largest_free_range_bytes: u64, Bytes, same;
        name: String, Text, same;
        heap: u64, Id, "Handle of a heap; null for a committed resource.", after heaps_at_own_peak;
    }
}

impl HeapFigures {
    /// Computes the figures of a heap's peak.
    pub fn of(world: &World, peak: &HeapPeak) -> HeapFigures {
        let (heap, at) = (world.heap(peak.heap), world.moment(peak.turn));
        let mut extents: Vec<Extent> = world.placed_after(heap, peak.turn).filter_map(Resource::extent).collect();
        extents.sort_unstable();
        let free = FreeRanges::new(heap.size_bytes, &extents);
        HeapFigures {
            heap: heap.id.0,
            name: world.heap_name(peak.heap).to_owned(),
            heap_bytes: heap.size_bytes,
            at_stamp: at.stamp,
            at_seq: at.seq,
            placed: peak.placed,
            placed_bytes: narrow(peak.placed_bytes),
            rounding_bytes: narrow_signed(peak.rounding_bytes),
            layout: peak.layout,
            fragments: free.fragments,
            largest_free_range_bytes: free.largest_bytes,
        }
    }

    /// Bytes that alignment wastes in the heap: rounding and padding.
    pub fn waste_bytes(&self) -> i64 {
        self.rounding_bytes.saturating_add(i64::try_from(self.layout.padding_bytes).unwrap_or(i64::MAX))
    }

    /// Unused bytes that are not due to alignment: holes and tail.
    pub fn unused_bytes(&self) -> u64 {
        self.layout.hole_bytes.saturating_add(self.layout.tail_bytes)
    }
}

figures! {
    /// Sums over heaps that ever contain a resource, each at its own peak.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct HeapsAtPeak {
        heaps: u64, Count, same;
        heap_bytes: u64, Bytes, same;
        placed: u64, Count, same;
        placed_bytes: u64, Bytes, same;
        rounding_bytes: i64, Bytes, same, unless snapshot;
        #[serde(flatten)] layout: Layout, Group, flat;
    }
}

impl HeapsAtPeak {
    /// Computes the sums.
    pub fn of(heaps: &[HeapFigures]) -> HeapsAtPeak {
        heaps.iter().fold(HeapsAtPeak::default(), |sums, heap| HeapsAtPeak {
            heaps: sums.heaps + 1,
            heap_bytes: sums.heap_bytes.saturating_add(heap.heap_bytes),
            placed: sums.placed + heap.placed,
            placed_bytes: sums.placed_bytes.saturating_add(heap.placed_bytes),
            rounding_bytes: sums.rounding_bytes.saturating_add(heap.rounding_bytes),
            layout: sums.layout.plus(heap.layout),
        })
    }
}

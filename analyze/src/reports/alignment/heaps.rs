//! Heaps one by one, each at the moment it is fullest.

use super::figures::{narrow, narrow_signed};
use crate::world::{Extent, FreeRanges, HeapPeak, Layout, Resource, World};
use serde::Serialize;

/// A heap at its own peak: right after the first change at which its live placed resources sum up to most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeapFigures {
    /// Handle of the heap.
    pub heap: u64,
    /// Name it was last given; empty if none.
    pub name: String,
    /// D3D12_HEAP_DESC::SizeInBytes.
    pub heap_bytes: u64,
    /// Stamp of the API call after which this is so.
    pub at_stamp: u64,
    /// Line of the call log that the call is; left out where the workload follows no log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_seq: Option<u64>,
    /// Resources placed in it then.
    pub placed: u64,
    /// Sum of their SizeInBytes.
    pub placed_bytes: u64,
    /// What their SizeInBytes exceeds the requests by.
    pub rounding_bytes: i64,
    /// How they lie.
    #[serde(flatten)]
    pub layout: Layout,
    /// Free ranges between and behind them.
    pub fragments: u64,
    /// The largest of these.
    pub largest_free_range_bytes: u64,
}

impl HeapFigures {
    /// The figures of a heap's peak.
    pub fn of(world: &World, peak: &HeapPeak) -> HeapFigures {
        let (heap, at) = (world.heap(peak.heap), world.moment(peak.turn));
        let mut extents: Vec<Extent> = world.placed_after(heap, peak.turn).filter_map(Resource::extent).collect();
        extents.sort_unstable();
        let free = FreeRanges::of(heap.size_bytes, &extents);
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

    /// What alignment wastes in it: rounding and padding.
    pub fn waste_bytes(&self) -> i64 {
        self.rounding_bytes.saturating_add(i64::try_from(self.layout.padding_bytes).unwrap_or(i64::MAX))
    }

    /// What no resource lies in and alignment is not the reason for.
    pub fn unused_bytes(&self) -> u64 {
        self.layout.hole_bytes.saturating_add(self.layout.tail_bytes)
    }
}

/// Sums over heaps that ever hold a resource, each at its own peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct HeapsAtPeak {
    /// Heaps.
    pub heaps: u64,
    /// Their sizes together.
    pub heap_bytes: u64,
    /// Resources placed in them.
    pub placed: u64,
    /// Sum of the resources' SizeInBytes.
    pub placed_bytes: u64,
    /// What the SizeInBytes exceed the requests by.
    pub rounding_bytes: i64,
    /// The layouts together.
    #[serde(flatten)]
    pub layout: Layout,
}

impl HeapsAtPeak {
    /// The sums.
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

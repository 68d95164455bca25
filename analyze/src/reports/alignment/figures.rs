//! Sums in the report, as 64-bit numbers.

use super::amounts;
use super::free::FreeFigures;
use crate::memory::{Layout, Live, Resource, ResourceSums};
use crate::reports::figures::{Parts, figures};

/// Converts a sum to 64 bits. Larger sums, which occur only for damaged files, saturate.
pub(super) fn narrow(sum: u128) -> u64 {
    u64::try_from(sum).unwrap_or(u64::MAX)
}

/// Converts a difference to 64 bits, with saturation.
pub(super) fn narrow_signed(difference: i128) -> i64 {
    let bounds = (i64::MIN.into(), i64::MAX.into());
    difference.clamp(bounds.0, bounds.1) as i64
}

figures! {
    /// Sums over resources.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ResourceFigures {
        in_use_bytes: u64, Bytes, "Memory in use by resources: SizeInBytes of placed ones, implicit heaps of committed ones. Equals `allocated_bytes` + `granularity_bytes`.", parts = Parts::resources(amounts::in_use_bytes);
        resources: u64, Count, "Placed and committed resources. Reserved resources have no memory; only `reserved` counts them.", parts = Parts::resources(|_| 1);
        placed: u64, Count, "Resources placed in heaps.", parts = Parts::resources(amounts::placed);
        committed: u64, Count, "Committed resources, each with its own implicit heap.", parts = Parts::resources(amounts::committed);
        placed_bytes: u64, Bytes, "Sum of SizeInBytes over placed resources.", parts = Parts::resources(amounts::placed_bytes);
        committed_bytes: u64, Bytes, "Sum of SizeInBytes over committed resources.", parts = Parts::resources(amounts::committed_bytes);
        requested_bytes: u64, Bytes, "Requested size: the width of a buffer; the texels of all mips, slices and samples of a texture, in packed rows.", parts = Parts::resources(amounts::requested_bytes), unless snapshot;
        allocated_bytes: u64, Bytes, "Sum of SizeInBytes from GetResourceAllocationInfo: the driver's size rounded up to its alignment.", parts = Parts::resources(amounts::allocated_bytes);
        rounding_bytes: i64, Bytes, "`allocated_bytes` - `requested_bytes`.", parts = Parts::waste(Resource::rounding_bytes), unless snapshot;
        padded_64k_bytes: u64, Bytes, "Size of the buffers at 64 KiB alignment, as without tight alignment; textures count 0.", parts = Parts::resources(amounts::padded_64k_bytes), unless snapshot;
        granularity_bytes: i64, Bytes, "Size of the implicit heaps of committed resources, in whole pages, beyond SizeInBytes.", parts = Parts::waste(Resource::granularity_bytes);
        guaranteed_saving_bytes: u64, Bytes, "Saving of tight alignment that every driver guarantees: a buffer without the flag is assumed at its specified maximum, a multiple of 256 bytes if placed and of 4 KiB if committed; textures are unchanged; buffers that have the flag, or ignore it because they are cross-adapter, save nothing more.", parts = Parts::resources(amounts::guaranteed_saving_bytes), unless snapshot;
    }
}

impl From<ResourceSums> for ResourceFigures {
    fn from(sums: ResourceSums) -> Self {
        let allocated = sums.allocated();
        ResourceFigures {
            resources: allocated.count,
            placed: sums.placed.count,
            committed: sums.committed.count,
            placed_bytes: narrow(sums.placed.bytes),
            committed_bytes: narrow(sums.committed.bytes),
            requested_bytes: narrow(sums.requested_bytes),
            in_use_bytes: narrow(sums.in_use_bytes()),
            allocated_bytes: narrow(allocated.bytes),
            rounding_bytes: narrow_signed(sums.rounding_bytes()),
            padded_64k_bytes: narrow(sums.padded_64k_bytes),
            granularity_bytes: narrow_signed(sums.granularity_bytes),
            guaranteed_saving_bytes: narrow(sums.guaranteed_saving_bytes),
        }
    }
}

impl ResourceFigures {
    /// Share of the memory that alignment wastes, with the given padding between resources: (rounding + padding +
    /// granularity) / (allocated + padding + granularity); 0 without memory.
    pub fn waste_ratio(&self, padding_bytes: u64) -> f64 {
        let added = padding_bytes as f64 + self.granularity_bytes as f64;
        let whole = self.allocated_bytes as f64 + added;
        if whole > 0.0 { (self.rounding_bytes as f64 + added) / whole } else { 0.0 }
    }

    /// Bytes that alignment wastes, with the given padding between resources.
    pub fn waste_bytes(&self, padding_bytes: u64) -> i64 {
        let padding_bytes = i64::try_from(padding_bytes).unwrap_or(i64::MAX);
        self.rounding_bytes.saturating_add(self.granularity_bytes).saturating_add(padding_bytes)
    }
}

figures! {
    /// Sums over everything ever created, each object counted once.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Totals {
        buffers: ResourceFigures, Group, "The same sums for buffers only; in `buffer_uses`, the number of buffers.";
        textures: ResourceFigures, Group, "The same sums for all resources except buffers.", after buffers;
        heaps: u64, Count, "Live heaps; in `totals`, heaps ever created; at the top level of the report, all heaps that ever contain a resource, each at the peak of its resources' size; in `peaks`, the measure.", parts = Parts::heaps(|_| 1), after at_seq;
        heap_bytes: u64, Bytes, "Sum of D3D12_HEAP_DESC::SizeInBytes over the heaps.", parts = Parts::heaps(|heap| heap.size_bytes.into()), after heaps;
        #[serde(flatten)] all: ResourceFigures, Group, flat;
        reserved: u64, Count, "Reserved resources ever created.", after committed;
        waste_ratio: f64, Ratio, "Share of memory that alignment wastes: (rounding + padding + granularity) / (allocated + padding + granularity); 0 without memory. `totals` and `phases` exclude the padding, which changes over time.", parts = Parts::padding(Some(amounts::waste_bytes)), unless snapshot, after bytes;
    }
}

figures! {
    impl Layout {
        covered_bytes: u64, Bytes, "Bytes of heaps covered by at least one resource.", parts = Parts::heaps(|heap| heap.layout.covered_bytes.into());
        overlap_bytes: u64, Bytes, "SizeInBytes of placed resources minus `covered_bytes`: memory shared by aliasing.", parts = Parts::heaps(|heap| heap.layout.overlap_bytes.into());
        padding_bytes: u64, Bytes, "Gaps before a resource whose offset is the start of the gap, rounded up to the resource's alignment. Of one resource: the padding before it at its placement.", parts = Parts::padding(None);
        hole_bytes: u64, Bytes, "Other free gaps between resources of a heap, left by releases.", parts = Parts::heaps(|heap| heap.layout.hole_bytes.into());
        tail_bytes: u64, Bytes, "Unused tails: from the end of a heap's last resource to the end of the heap; all of an empty heap.", parts = Parts::heaps(|heap| heap.layout.tail_bytes.into());
        best_order_saving_bytes: u64, Bytes, "Part of `padding_bytes` that the same resources would not need in order of decreasing alignment, per heap.", parts = Parts::heaps(|heap| heap.layout.best_order_saving_bytes.into());
    }
}

impl Totals {
    /// Computes the totals of the created objects.
    pub fn of(created: &Live, reserved: u64) -> Totals {
        let all = ResourceFigures::from(created.resources());
        Totals {
            heaps: created.heaps.count,
            heap_bytes: narrow(created.heaps.bytes),
            all,
            reserved,
            waste_ratio: all.waste_ratio(0),
            buffers: created.buffers.into(),
            textures: created.textures.into(),
        }
    }
}

figures! {
    /// Live resources and heaps at a moment, with the layout of the heaps.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Snapshot {
        buffers: ResourceFigures, Group, same;
        textures: ResourceFigures, Group, same;
        at_stamp: u64, Stamp, "Stamp of the API call after which the figures apply, in ticks of the trace's clock.", after span_ticks;
        #[serde(skip_serializing_if = "Option::is_none")] at_seq: Option<u64>, Id, "Number (`seq`) of the API call in the call log, two less than its line of the file; absent without a call log.", after at_stamp;
        heaps: u64, Count, same;
        heap_bytes: u64, Bytes, same;
        empty_heaps: u64, Count, "Live heaps without resources.", parts = Parts::heaps(|heap| heap.is_empty().into()), after heap_bytes;
        empty_heap_bytes: u64, Bytes, "Size of the empty heaps; tails include it.", parts = Parts::heaps(|heap| if heap.is_empty() { heap.size_bytes.into() } else { 0 }), after empty_heaps;
        real_bytes: u64, Bytes, "Memory that the application holds: heaps, and implicit heaps of committed resources in whole pages. Equals `total_bytes` + `granularity_bytes`.", parts = Parts::both(amounts::implicit_heap_bytes, |heap| heap.size_bytes.into()), after empty_heap_bytes;
        total_bytes: u64, Bytes, "Size of heaps, and SizeInBytes of committed resources without the rounding of implicit heaps.", parts = Parts::both(amounts::committed_bytes, |heap| heap.size_bytes.into()), after real_bytes;
        #[serde(flatten)] all: ResourceFigures, Group, flat;
        #[serde(flatten)] layout: Layout, Group, flat;
        #[serde(flatten)] free: FreeFigures, Group, flat;
        waste_ratio: f64, Ratio, same, unless snapshot;
    }
}

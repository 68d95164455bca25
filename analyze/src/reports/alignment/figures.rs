//! Sums as the report gives them out: 64-bit numbers under stable names.

use super::free::FreeFigures;
use crate::world::{Layout, Live, ResourceSums};
use serde::Serialize;

/// A sum as 64 bits; a sum that does not fit, which only a damaged file can have, saturates.
pub(super) fn narrow(sum: u128) -> u64 {
    u64::try_from(sum).unwrap_or(u64::MAX)
}

/// A difference as 64 bits.
pub(super) fn narrow_signed(difference: i128) -> i64 {
    let bounds = (i64::MIN.into(), i64::MAX.into());
    difference.clamp(bounds.0, bounds.1) as i64
}

/// Sums over resources of one sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ResourceFigures {
    /// Placed and committed resources.
    pub resources: u64,
    /// Placed resources.
    pub placed: u64,
    /// Committed resources.
    pub committed: u64,
    /// SizeInBytes of the placed ones.
    pub placed_bytes: u64,
    /// SizeInBytes of the committed ones.
    pub committed_bytes: u64,
    /// What the application asked for: widths of buffers, texels of textures.
    pub requested_bytes: u64,
    /// What they really take: SizeInBytes of the placed ones, the implicit heaps of the committed ones.
    pub taken_bytes: u64,
    /// SizeInBytes of all.
    pub allocated_bytes: u64,
    /// `allocated_bytes - requested_bytes`.
    pub rounding_bytes: i64,
    /// What the buffers would take if each were a multiple of 64 KiB.
    pub padded_64k_bytes: u64,
    /// What implicit heaps of committed resources take beyond the resources' SizeInBytes.
    pub granularity_bytes: i64,
    /// What tight alignment would save for certain: see
    /// [`Resource::guaranteed_saving_bytes`](crate::world::Resource::guaranteed_saving_bytes).
    pub guaranteed_saving_bytes: u64,
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
            taken_bytes: narrow(sums.taken_bytes()),
            allocated_bytes: narrow(allocated.bytes),
            rounding_bytes: narrow_signed(sums.rounding_bytes()),
            padded_64k_bytes: narrow(sums.padded_64k_bytes),
            granularity_bytes: narrow_signed(sums.granularity_bytes),
            guaranteed_saving_bytes: narrow(sums.guaranteed_saving_bytes),
        }
    }
}

impl ResourceFigures {
    /// The part of the memory that alignment wastes, given the padding between resources:
    /// (rounding + padding + granularity) / (allocated + padding + granularity); 0 where there is no memory.
    pub fn waste_ratio(&self, padding_bytes: u64) -> f64 {
        let added = padding_bytes as f64 + self.granularity_bytes as f64;
        let whole = self.allocated_bytes as f64 + added;
        if whole > 0.0 { (self.rounding_bytes as f64 + added) / whole } else { 0.0 }
    }

    /// What alignment wastes, given the padding between resources.
    pub fn waste_bytes(&self, padding_bytes: u64) -> i64 {
        let padding_bytes = i64::try_from(padding_bytes).unwrap_or(i64::MAX);
        self.rounding_bytes.saturating_add(self.granularity_bytes).saturating_add(padding_bytes)
    }
}

/// Everything ever created, once each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Totals {
    /// Heaps.
    pub heaps: u64,
    /// Their sizes together.
    pub heap_bytes: u64,
    /// Sums over all resources.
    #[serde(flatten)]
    pub all: ResourceFigures,
    /// Reserved resources, which have no memory and count in no sum.
    pub reserved: u64,
    /// The part that alignment wastes, without the padding between resources, which changes with time.
    pub waste_ratio: f64,
    /// Sums over buffers.
    pub buffers: ResourceFigures,
    /// Sums over textures.
    pub textures: ResourceFigures,
}

impl Totals {
    /// The totals of everything created.
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

/// What lives at a moment, and how it lies in its heaps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Snapshot {
    /// Stamp of the API call after which this is so, in ticks of the trace's clock.
    pub at_stamp: u64,
    /// Line of the call log that the call is; left out where the workload follows no log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_seq: Option<u64>,
    /// Live heaps.
    pub heaps: u64,
    /// Their sizes together.
    pub heap_bytes: u64,
    /// Live heaps without a resource in them.
    pub empty_heaps: u64,
    /// Their sizes together.
    pub empty_heap_bytes: u64,
    /// Heaps, implicit ones among them: what the application really holds.
    pub real_bytes: u64,
    /// Heaps, and committed resources at their SizeInBytes.
    pub total_bytes: u64,
    /// Sums over all live resources.
    #[serde(flatten)]
    pub all: ResourceFigures,
    /// Layouts of all live heaps together. Resources whose heap has been released before them lie in none.
    #[serde(flatten)]
    pub layout: Layout,
    /// What is left between and behind the resources of all live heaps.
    #[serde(flatten)]
    pub free: FreeFigures,
    /// (rounding + padding + granularity) / (allocated + padding + granularity).
    pub waste_ratio: f64,
    /// Sums over live buffers.
    pub buffers: ResourceFigures,
    /// Sums over live textures.
    pub textures: ResourceFigures,
}

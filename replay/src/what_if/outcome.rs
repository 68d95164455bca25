//! Result of a what-if replay.

use crate::outcome::Outcome;
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::{Dimension, HeapId, ResourceId};

/// Result of a what-if replay. Sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct WhatIfOutcome {
    /// Result of the second pass. It has no divergences, because changed calls are expected to have different results.
    #[serde(skip)]
    pub replayed: Outcome,
    /// Creations whose description gained the tight flag.
    pub flags_added: u64,
    /// Creations whose description lost the tight flag.
    pub flags_dropped: u64,
    /// Resources that were placed again.
    pub resources_repacked: u64,
    /// Heaps created larger than recorded.
    pub heaps_grown: u64,
    /// Total growth of these heaps.
    pub heap_growth_bytes: u64,
    /// Re-placed heaps that would also grow if the recorded sizes were placed first-fit. This growth is due to
    /// placement, not to the changed sizes.
    pub heaps_grown_by_first_fit: u64,
    /// Total growth of these heaps with the recorded sizes.
    pub first_fit_growth_bytes: u64,
    /// Heaps created at a larger alignment than recorded.
    pub heaps_realigned: u64,
    /// Creations that succeeded when recorded.
    pub creations: u64,
    /// Creations that succeeded when recorded and create no object in the what-if: they fail, or are skipped because an
    /// object such as their heap is missing.
    pub failed_creations: u64,
    /// Creations that succeeded when recorded, and are executed and fail in the what-if.
    pub newly_failing_creations: u64,
    /// Creations that failed when recorded and succeed in the what-if.
    pub new_creations: u64,
    /// Calls on objects that the what-if did not create; written as `SkippedCall` marks.
    pub skipped_calls: u64,
    /// Number of calls whose results differ from the recorded ones, by name of the call.
    pub changed_results: BTreeMap<String, u64>,
    /// Heaps whose resources were placed again, in order of creation.
    pub heaps: Vec<HeapChange>,
    /// Resources whose size, alignment or offset differs, in order of creation.
    pub resources: Vec<ResourceChange>,
    /// Total size of all created resources as recorded, regardless of lifetime.
    pub recorded_bytes: u64,
    /// Total size of the same resources in the what-if; resources that the driver rejects count as 0.
    pub live_bytes: u64,
    /// Total recorded size of the resources that are created in both worlds.
    pub recorded_in_both_bytes: u64,
    /// Total size of the same resources in the what-if.
    pub live_in_both_bytes: u64,
    /// Total recorded size of the heaps that are created in both worlds, regardless of lifetime.
    pub recorded_heap_bytes: u64,
    /// Total size of the same heaps in the what-if.
    pub live_heap_bytes: u64,
}

/// Heap whose resources were placed again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeapChange {
    /// Recorded handle.
    pub heap: HeapId,
    /// Last name set; empty if there is none.
    pub name: String,
    /// Number of resources placed in the heap.
    pub resources: u64,
    /// Recorded size.
    pub recorded_bytes: u64,
    /// Size in the what-if.
    pub live_bytes: u64,
    /// End of the highest byte in use over the recording.
    pub recorded_high_water_bytes: u64,
    /// End of the highest byte in use when the recorded sizes are placed first-fit.
    pub first_fit_high_water_bytes: u64,
    /// End of the highest byte in use in the what-if.
    pub high_water_bytes: u64,
}

/// Size, alignment and offset of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Size; UINT64_MAX if the description is rejected.
    pub size_bytes: u64,
    pub alignment_bytes: u64,
    /// Offset in the heap; `None` for a committed or reserved resource.
    pub offset_bytes: Option<u64>,
}

/// Resource whose size, alignment or offset differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResourceChange {
    /// Recorded handle.
    pub resource: ResourceId,
    /// Last name set; empty if there is none.
    pub name: String,
    pub dimension: Dimension,
    /// Recorded handle of the heap; `None` for a committed or reserved resource.
    pub heap: Option<HeapId>,
    /// Allocation as recorded.
    pub recorded: Place,
    /// Allocation in the what-if.
    pub live: Place,
}

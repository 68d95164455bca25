//! What a what-if replay found.

use crate::outcome::Outcome;
use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::{Dimension, HeapId, ResourceId};

/// What a what-if replay found. Sizes are bytes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct WhatIfOutcome {
    /// The replay; it has no divergences: calls are changed, so others are expected to answer differently.
    #[serde(skip)]
    pub replayed: Outcome,
    /// Descriptions that got the tight flag, in creations.
    pub flags_added: u64,
    /// Descriptions that lost it, in creations.
    pub flags_dropped: u64,
    /// Resources placed anew.
    pub placements_redone: u64,
    /// Heaps created larger than recorded.
    pub heaps_grown: u64,
    /// What they grew by, all together.
    pub heap_growth_bytes: u64,
    /// Of the heaps placed anew, those that first fit of the recorded sizes would have to grow: what the other sizes are not
    /// to blame for.
    pub heaps_grown_by_first_fit: u64,
    /// What it would grow them by, all together.
    pub first_fit_growth_bytes: u64,
    /// Heaps created at a larger alignment than recorded.
    pub heaps_realigned: u64,
    /// Creations that succeeded when recorded.
    pub creations: u64,
    /// Of those, the ones that give no object now: refused, or skipped for want of an object such as their heap.
    pub failed_creations: u64,
    /// Creations that succeeded when recorded, are made now and fail.
    pub refused_creations: u64,
    /// Creations that failed when recorded and succeed now.
    pub new_creations: u64,
    /// Calls on objects that were never created now; written as `SkippedCall` marks.
    pub skipped_calls: u64,
    /// Calls whose results are others than recorded, by call.
    pub changed_results: BTreeMap<String, u64>,
    /// Every heap whose resources were placed anew, in order of creation.
    pub heaps: Vec<HeapChange>,
    /// Every resource whose size, alignment or place is another, in order of creation.
    pub resources: Vec<ResourceChange>,
    /// What all resources took when recorded, one after another as if alive together.
    pub recorded_bytes: u64,
    /// What the driver says that they take now; those it refuses count as nothing.
    pub live_bytes: u64,
    /// What the resources that are created in both worlds took when recorded.
    pub recorded_in_both_bytes: u64,
    /// What the same resources take now.
    pub live_in_both_bytes: u64,
    /// Sizes of the heaps that are created in both worlds, when recorded; one after another as if alive together.
    pub recorded_heap_bytes: u64,
    /// Sizes of the same heaps now.
    pub live_heap_bytes: u64,
}

/// A heap whose resources were placed anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeapChange {
    /// Its recorded handle.
    pub heap: HeapId,
    /// Its last name; empty if it has none.
    pub name: String,
    /// Resources placed in it.
    pub resources: u64,
    /// Its recorded size.
    pub recorded_bytes: u64,
    /// Its size now.
    pub live_bytes: u64,
    /// End of the highest byte ever used when recorded.
    pub recorded_high_water_bytes: u64,
    /// End of the highest byte that first fit of the recorded sizes ever uses.
    pub first_fit_high_water_bytes: u64,
    /// End of the highest byte ever used now.
    pub high_water_bytes: u64,
}

/// What a resource takes and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Size; UINT64_MAX if it is refused.
    pub size_bytes: u64,
    /// Alignment.
    pub alignment_bytes: u64,
    /// Offset in its heap; `None` for a committed or reserved resource.
    pub offset_bytes: Option<u64>,
}

/// A resource whose size, alignment or place is another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResourceChange {
    /// Its recorded handle.
    pub resource: ResourceId,
    /// Its last name; empty if it has none.
    pub name: String,
    /// What it is.
    pub dimension: Dimension,
    /// Its heap's recorded handle; `None` for a committed or reserved resource.
    pub heap: Option<HeapId>,
    /// As recorded.
    pub recorded: Place,
    /// As it is now.
    pub live: Place,
}

//! Lifetime of a heap with its placements.

use std::ops::Range;
use taut_schemas::{AllocationInfo, HeapDesc, HeapId, ResourceId};

/// A resource placed in a heap.
#[derive(Debug, Clone)]
pub struct HeapPlacement {
    /// Recorded handle of the resource.
    pub resource: ResourceId,
    /// Recorded byte range; never empty.
    pub recorded: Range<u64>,
    /// Recorded size and alignment.
    pub known: AllocationInfo,
    /// Size and alignment that the current driver requires.
    pub live: AllocationInfo,
}

/// Event in a heap, with the index of a placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeapEvent {
    /// A resource is placed.
    Create(usize),
    /// The memory of a resource is freed.
    Release(usize),
}

/// Lifetime of a heap.
#[derive(Debug, Clone)]
pub struct HeapLifetime {
    /// Recorded handle of the heap.
    pub heap: HeapId,
    /// Recorded description.
    pub desc: HeapDesc,
    /// Placements in order of creation, without placements that the driver rejects.
    pub placements: Vec<HeapPlacement>,
    /// Events in order.
    pub events: Vec<HeapEvent>,
    /// True if the driver's answers for all placements equal the recorded answers.
    pub agrees: bool,
}

impl HeapLifetime {
    /// Returns the lifetime with the recorded sizes instead of the driver's: the baseline that isolates the effect of
    /// repacking.
    pub(super) fn as_recorded(&self) -> HeapLifetime {
        let known = |placement: &HeapPlacement| HeapPlacement { live: placement.known, ..placement.clone() };
        HeapLifetime { placements: self.placements.iter().map(known).collect(), agrees: true, ..self.clone() }
    }
}

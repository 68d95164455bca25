//! The life of a heap: what is placed in it, and when.

use std::ops::Range;
use taut_schemas::{AllocationInfo, HeapDesc, HeapId, ResourceId};

/// A resource placed in a heap.
#[derive(Debug, Clone)]
pub struct HeapPlacement {
    /// The resource, by its recorded handle.
    pub resource: ResourceId,
    /// The bytes it was recorded at; never empty.
    pub recorded: Range<u64>,
    /// What it was recorded to take.
    pub known: AllocationInfo,
    /// What the driver at hand needs for it.
    pub live: AllocationInfo,
}

/// What happens in a heap; each names one of its placements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeapEvent {
    /// A resource is placed.
    Create(usize),
    /// Its memory is free again.
    Release(usize),
}

/// A heap's life.
#[derive(Debug, Clone)]
pub struct HeapLife {
    /// The heap, by its recorded handle.
    pub heap: HeapId,
    /// As recorded.
    pub desc: HeapDesc,
    /// In order of creation, but for those that the driver refuses.
    pub placements: Vec<HeapPlacement>,
    /// In order.
    pub events: Vec<HeapEvent>,
    /// The driver's answers for all placements are the recorded ones.
    pub agrees: bool,
}

impl HeapLife {
    /// The same life with what was recorded in place of the driver's answers: what placing anew does by itself.
    pub(super) fn as_recorded(&self) -> HeapLife {
        let known = |placement: &HeapPlacement| HeapPlacement { live: placement.known, ..placement.clone() };
        HeapLife { placements: self.placements.iter().map(known).collect(), agrees: true, ..self.clone() }
    }
}

//! The world of a trace: heaps and resources with their lifetimes, in the order of events.
//!
//! A [`World`] does not depend on trace files: [`Analysis`](crate::Analysis) builds one from a trace, a test from any
//! events.

mod builder;
mod change;
mod free_ranges;
mod heap;
mod heap_types;
mod heap_walk;
mod incremental_layout;
mod layout;
mod names;
mod phase;
mod resource;
mod sums;

pub use builder::{Description, NewResource, WorldBuilder};
pub use change::{Change, ChangeKind, HeapIndex, Moment, ResourceIndex, Turn};
pub use free_ranges::{FREE_RANGE_BOUNDS, FreeClass, FreeRanges};
pub use heap::Heap;
pub use heap_walk::{HeapPeak, HeapWalk, LayoutTime};
pub use layout::{Extent, Layout};
pub use names::{NameIndex, Names};
pub use phase::{Phase, PhaseIndex};
pub use resource::{Allocation, Backing, Resource};
pub use sums::{Live, ResourceSums, Tally};
pub use taut_schemas::requested_bytes;

use serde::Serialize;
use std::collections::BTreeMap;
use taut_schemas::HeapType;

/// Budgets of heaps by type, in bytes, implicit heaps included. A trace does not have them.
pub type HeapBudgets = BTreeMap<HeapType, u64>;

/// Rounds `value` up to a multiple of `alignment_bytes`; 0 stands for no alignment. Saturates.
pub fn round_up(value: u64, alignment_bytes: u64) -> u64 {
    value.checked_next_multiple_of(alignment_bytes.max(1)).unwrap_or(u64::MAX)
}

/// Counts of unknown facts about the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Gaps {
    /// Resources whose creation is recorded without a driver's answer to CheckResourceAllocationInfo. They are left out
    /// of every sum.
    pub resources_without_size: u64,
    /// Textures of a format with unknown texel size. Their allocated size counts as payload.
    pub resources_without_texel_size: u64,
    /// Resources of a snapshot. Their allocated size counts as payload, and their alignment is the max that size and
    /// offset allow.
    pub resources_of_snapshot: u64,
    /// Placed resources whose heap's creation is not recorded. They are part of no heap's layout.
    pub resources_without_heap: u64,
    /// Releases of objects whose creation is not recorded.
    pub releases_of_unknown_objects: u64,
    /// Heaps and resources whose creation is not recorded, from a rundown.
    pub objects_of_rundown: u64,
}

/// Heaps and resources of a trace, and the changes that create and release them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct World {
    /// Every heap, in order of creation.
    pub heaps: Vec<Heap>,
    /// Every resource, in order of creation.
    pub resources: Vec<Resource>,
    /// Creations and releases, in order.
    pub changes: Vec<Change>,
    /// Phases of the workload, in order of their first begin.
    pub phases: Vec<Phase>,
    /// Names of heaps and resources (`SetName`).
    pub names: Names,
    /// The trace's first moment.
    pub start: Moment,
    /// The trace's last moment.
    pub end: Moment,
    pub gaps: Gaps,
    /// True if the objects are those of events of Windows, which have no requested alignments and no phases.
    pub is_imported: bool,
    /// The type of each resource's heap, by its index.
    heap_types: Vec<HeapType>,
}

impl World {
    /// True if the world is from a snapshot, in which payloads are unknown.
    pub fn is_snapshot(&self) -> bool {
        self.gaps.resources_of_snapshot > 0
    }

    /// The heap with this index.
    pub fn heap(&self, index: HeapIndex) -> &Heap {
        &self.heaps[index.0 as usize]
    }

    /// The resource with this index.
    pub fn resource(&self, index: ResourceIndex) -> &Resource {
        &self.resources[index.0 as usize]
    }

    /// The type of each resource's heap, by its index; `NONE` if the heap is unknown.
    pub fn heap_types(&self) -> &[HeapType] {
        &self.heap_types
    }

    /// Name of a resource; empty if there is none.
    pub fn resource_name(&self, index: ResourceIndex) -> &str {
        self.names.get(self.resource(index).name)
    }

    /// Name of a heap; empty if there is none.
    pub fn heap_name(&self, index: HeapIndex) -> &str {
        self.names.get(self.heap(index).name)
    }

    /// The moment of a turn.
    pub fn moment(&self, turn: Turn) -> Moment {
        self.changes[turn.0 as usize].moment
    }

    /// Sums over all objects that live right after `turn`; empty before the first change.
    pub fn live_after(&self, turn: Option<Turn>) -> Live {
        let mut live = Live::default();
        let Some(turn) = turn else { return live };
        self.resources.iter().filter(|resource| resource.lives_after(turn)).for_each(|resource| live.create(resource));
        self.heaps.iter().filter(|heap| heap.lives_after(turn)).for_each(|heap| live.heaps.add(heap.size_bytes));
        live
    }
}

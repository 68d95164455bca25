//! The world a trace tells of: heaps and resources with their lifetimes, in the order things happened.
//!
//! A [`World`] knows nothing of trace files: [`Analysis`](crate::Analysis) fills one from a trace, a test from anything
//! else.

mod builder;
mod change;
mod free_ranges;
mod heap;
mod heap_types;
mod heap_walk;
mod layout;
mod names;
mod phase;
mod resource;
mod shelf;
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

/// What heaps of a type may hold, in bytes, those of committed resources among them: what a trace does not know.
pub type HeapBudgets = BTreeMap<HeapType, u64>;

/// `value` rounded up to a multiple of `alignment_bytes`; 0 stands for no alignment. Saturates.
pub fn round_up(value: u64, alignment_bytes: u64) -> u64 {
    value.checked_next_multiple_of(alignment_bytes.max(1)).unwrap_or(u64::MAX)
}

/// What the records could not tell about the world, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Gaps {
    /// Resources whose creation is recorded without a driver's answer to CheckResourceAllocationInfo. They are left
    /// out of every sum.
    pub resources_without_size: u64,
    /// Textures of a format whose texel size is not known. They count as asking for what they were given.
    pub resources_without_texel_size: u64,
    /// Resources that a snapshot shows. They count as asking for what they take, and as aligned as far as their sizes and
    /// places allow.
    pub resources_of_snapshot: u64,
    /// Placed resources whose heap's creation is not recorded. They are part of no heap's layout.
    pub resources_without_heap: u64,
    /// Releases of objects whose creation is not recorded.
    pub releases_of_unknown_objects: u64,
    /// Heaps and resources whose creation is not recorded: a rundown says that they were there.
    pub objects_of_rundown: u64,
}

/// Heaps and resources of a trace, and the changes that create and release them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct World {
    /// Every heap, in order of creation.
    pub heaps: Vec<Heap>,
    /// Every resource, in order of creation.
    pub resources: Vec<Resource>,
    /// Creations and releases, in the order they happened.
    pub changes: Vec<Change>,
    /// Named parts of the workload, in the order they first begin.
    pub phases: Vec<Phase>,
    /// Names that heaps and resources were given (`SetName`).
    pub names: Names,
    /// The trace's first moment.
    pub start: Moment,
    /// The trace's last moment.
    pub end: Moment,
    /// What is not known.
    pub gaps: Gaps,
    /// The type of each resource's heap, by its index.
    heap_types: Vec<HeapType>,
}

impl World {
    /// It was made of a snapshot: what resources ask for is not known.
    pub fn is_snapshot(&self) -> bool {
        self.gaps.resources_of_snapshot > 0
    }

    /// The heap of an index that this world gave out.
    pub fn heap(&self, index: HeapIndex) -> &Heap {
        &self.heaps[index.0 as usize]
    }

    /// The resource of an index that this world gave out.
    pub fn resource(&self, index: ResourceIndex) -> &Resource {
        &self.resources[index.0 as usize]
    }

    /// The type of each resource's heap, by its index; `NONE` where the heap is not known.
    pub fn heap_types(&self) -> &[HeapType] {
        &self.heap_types
    }

    /// Name of a resource; empty if it was given none.
    pub fn resource_name(&self, index: ResourceIndex) -> &str {
        self.names.get(self.resource(index).name)
    }

    /// Name of a heap; empty if it was given none.
    pub fn heap_name(&self, index: HeapIndex) -> &str {
        self.names.get(self.heap(index).name)
    }

    /// When a turn was.
    pub fn moment(&self, turn: Turn) -> Moment {
        self.changes[turn.0 as usize].moment
    }

    /// Everything that lives right after `turn`; before the first change nothing does.
    pub fn live_after(&self, turn: Option<Turn>) -> Live {
        let mut live = Live::default();
        let Some(turn) = turn else { return live };
        self.resources.iter().filter(|resource| resource.lives_after(turn)).for_each(|resource| live.create(resource));
        self.heaps.iter().filter(|heap| heap.lives_after(turn)).for_each(|heap| live.heaps.add(heap.size_bytes));
        live
    }
}

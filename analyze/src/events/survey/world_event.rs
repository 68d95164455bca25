//! Changes of the world, as events of a thread.

use crate::memory::{Allocation, Backing, NameIndex};
use foldhash::HashMap;
use taut_schemas::{HeapDesc, HeapId, MipRegion, ResourceDesc, ResourceId};

/// A change of the world by a thread.
#[derive(Debug)]
pub(super) struct WorldEvent {
    /// Stamp of the call's start, or of the mark.
    pub stamp: u64,
    pub kind: WorldEventKind,
}

/// Kind of a change. Kept small, because a batch holds one per creation and release.
#[derive(Debug)]
pub(super) enum WorldEventKind {
    HeapCreated(HeapId, Box<HeapDesc>),
    HeapReleased(HeapId),
    ResourceCreated(Creation),
    /// A rundown begins, ends, or has a preexisting heap or resource.
    RundownBegan,
    RundownHeap(HeapId, Box<HeapDesc>),
    RundownResource(Creation),
    RundownEnded,
    /// No change.
    Nothing,
    /// A resource of an allocator's snapshot.
    SnapshotTaken(Creation),
    ResourceReleased(ResourceId),
    /// An object was named; with the index of the name among the names of the thread.
    Named(u64, NameIndex),
    /// The purpose of a resource, by its index among the names of the thread.
    ScenePath(ResourceId, NameIndex),
    PhaseBegan(Box<str>),
    PhaseEnded,
}

/// The creation of a resource.
#[derive(Debug)]
pub(super) struct Creation {
    pub id: ResourceId,
    /// Index of the description among the descriptions of the thread.
    pub desc: u32,
    pub backing: Backing,
    pub allocation: Option<Allocation>,
}

/// Deduplicated descriptions: applications use few of them for many resources.
#[derive(Debug, Default)]
pub(super) struct Descriptions {
    numbers: HashMap<(ResourceDesc, MipRegion), u32>,
    descs: Vec<(ResourceDesc, MipRegion)>,
}

impl Descriptions {
    /// Returns the index of a description, which is added if it is new.
    pub fn number(&mut self, desc: (ResourceDesc, MipRegion)) -> u32 {
        let next = self.descs.len() as u32;
        let number = *self.numbers.entry(desc).or_insert(next);
        if number == next {
            self.descs.push(desc);
        }
        number
    }

    /// Returns the description with this index.
    pub fn get(&self, number: u32) -> (ResourceDesc, MipRegion) {
        self.descs[number as usize]
    }
}

//! What a thread changes in the world, event by event.

use crate::world::{Allocation, Backing, NameIndex};
use foldhash::HashMap;
use taut_schemas::{HeapDesc, HeapId, MipRegion, ResourceDesc, ResourceId};

/// A change that a thread made.
#[derive(Debug)]
pub(super) struct WorldEvent {
    /// Stamp of the call's start, or of the mark.
    pub stamp: u64,
    pub kind: WorldEventKind,
}

/// What was changed. It is kept small: there are as many as creations and releases in the batches at hand.
#[derive(Debug)]
pub(super) enum WorldEventKind {
    HeapCreated(HeapId, Box<HeapDesc>),
    HeapReleased(HeapId),
    ResourceCreated(Creation),
    /// A rundown begins, ends, or has a heap or resource that is there.
    RundownBegan,
    HeapThere(HeapId, Box<HeapDesc>),
    ResourceThere(Creation),
    RundownEnded,
    /// Nothing is changed.
    Nothing,
    /// A resource that a snapshot shows.
    SnapshotTaken(Creation),
    ResourceReleased(ResourceId),
    /// An object was given a name, by its place among those of the thread.
    Named(u64, NameIndex),
    /// What a resource was created for, by its place among the names of the thread.
    UsedFrom(ResourceId, NameIndex),
    PhaseBegan(Box<str>),
    PhaseEnded,
}

/// The creation of a resource.
#[derive(Debug)]
pub(super) struct Creation {
    pub id: ResourceId,
    /// Its description's number among those of the thread.
    pub desc: u32,
    pub backing: Backing,
    pub allocation: Option<Allocation>,
}

/// Descriptions, each kept once: applications use few of them for many resources.
#[derive(Debug, Default)]
pub(super) struct Descriptions {
    numbers: HashMap<(ResourceDesc, MipRegion), u32>,
    descs: Vec<(ResourceDesc, MipRegion)>,
}

impl Descriptions {
    /// The number of a description.
    pub fn number(&mut self, desc: (ResourceDesc, MipRegion)) -> u32 {
        let next = self.descs.len() as u32;
        let number = *self.numbers.entry(desc).or_insert(next);
        if number == next {
            self.descs.push(desc);
        }
        number
    }

    /// The description of a number given out.
    pub fn get(&self, number: u32) -> (ResourceDesc, MipRegion) {
        self.descs[number as usize]
    }
}

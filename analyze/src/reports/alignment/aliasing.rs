//! What resources could share: memory of one heap type for those whose lives never overlap, by colouring of intervals.

use super::figures::narrow;
use crate::world::{Resource, ResourceIndex, World};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use taut_schemas::{AdapterId, Field, HeapType};

/// Pairs that are told.
const TOLD: usize = 5;

/// Two resources that could lie in the same memory, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharingPair {
    /// Name of the one released first.
    pub first: String,
    /// Handle of that one.
    pub resource: u64,
    /// Name of the one that is created after that.
    pub then: String,
    /// Handle of this one.
    pub then_resource: u64,
    /// What they share: the smaller of both.
    pub shared_bytes: u64,
}

/// What the transient resources of one heap type could share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AliasingFigures {
    /// D3D12_HEAP_TYPE without its prefix.
    pub name: String,
    /// Resources that are released before the trace ends.
    pub resources: u64,
    /// What they take, each in memory of its own.
    pub taken_bytes: u64,
    /// Pieces of memory that are enough for all of them.
    pub slots: u64,
    /// Their bytes together: each is as large as the largest that lies in it.
    pub slot_bytes: u64,
    /// The most that live at once: less memory than this is never enough.
    pub live_bytes: u64,
    /// Those that share most.
    pub pairs: Vec<SharingPair>,
}

/// A piece of memory and who lies in it, or did last.
struct Slot {
    bytes: u64,
    last: ResourceIndex,
}

/// Two that lie in one slot one after the other, those that share most first.
type Sharing = (Reverse<u64>, ResourceIndex, ResourceIndex);

/// A type of heap on an adapter, as its transient resources come and go.
#[derive(Default)]
struct Colouring {
    slots: Vec<Slot>,
    /// Slots that nobody lies in, by size.
    free: BTreeSet<(u64, usize)>,
    /// Slots by when they become free.
    ends: BinaryHeap<Reverse<(u32, usize)>>,
    /// The first few of all pairs, in order.
    pairs: Vec<Sharing>,
    resources: u64,
    taken_bytes: u128,
    live_bytes: u128,
    most_live_bytes: u128,
}

impl Colouring {
    /// A resource takes the smallest free slot that is large enough, else enlarges the largest that is free, else has a new
    /// one. What enlarges a slot costs no more than a new one.
    fn create(&mut self, world: &World, index: ResourceIndex, released: u32) {
        let resource = world.resource(index);
        while let Some(Reverse((_, slot))) =
            self.ends.peek().copied().filter(|Reverse((end, _))| *end < resource.created.0)
        {
            self.ends.pop();
            self.live_bytes -= u128::from(world.resource(self.slots[slot].last).taken_bytes());
            self.free.insert((self.slots[slot].bytes, slot));
        }
        let bytes = resource.taken_bytes();
        let found = self.free.range((bytes, 0)..).next().or_else(|| self.free.last()).copied();
        let slot = if let Some(found) = found {
            self.free.remove(&found);
            let slot = &mut self.slots[found.1];
            let shared_bytes = bytes.min(world.resource(slot.last).taken_bytes());
            let pair = (Reverse(shared_bytes), slot.last, index);
            *slot = Slot { bytes: slot.bytes.max(bytes), last: index };
            self.tell(pair);
            found.1
        } else {
            self.slots.push(Slot { bytes, last: index });
            self.slots.len() - 1
        };
        self.ends.push(Reverse((released, slot)));
        self.resources += 1;
        self.taken_bytes += u128::from(bytes);
        self.live_bytes += u128::from(bytes);
        self.most_live_bytes = self.most_live_bytes.max(self.live_bytes);
    }

    fn tell(&mut self, pair: Sharing) {
        if self.pairs.len() < TOLD || self.pairs.last().is_some_and(|last| pair < *last) {
            self.pairs.insert(self.pairs.partition_point(|known| *known < pair), pair);
            self.pairs.truncate(TOLD);
        }
    }
}

impl AliasingFigures {
    /// Those of a world, by type; none of types whose resources live to the end.
    pub fn all(world: &World) -> Vec<AliasingFigures> {
        let types = world.heap_types();
        let mut all: BTreeMap<(HeapType, AdapterId), Colouring> = BTreeMap::new();
        for (index, resource) in (0..).map(ResourceIndex).zip(&world.resources) {
            let Some(released) = resource.released.filter(|_| resource.taken_bytes() > 0) else { continue };
            let adapter = resource.id.adapter().unwrap_or(AdapterId::FIRST);
            let colouring = all.entry((types[index.0 as usize], adapter)).or_default();
            colouring.create(world, index, released.0);
        }
        all.into_iter().map(|((heap_type, _), colouring)| figures(world, heap_type, &colouring)).collect()
    }
}

fn figures(world: &World, heap_type: HeapType, colouring: &Colouring) -> AliasingFigures {
    let name = |index: ResourceIndex| match world.resource_name(index) {
        "" => Resource::what_it_is(world.resource(index)),
        name => name.to_owned(),
    };
    let pair = |(Reverse(shared_bytes), first, then): &Sharing| SharingPair {
        first: name(*first),
        resource: world.resource(*first).id.0,
        then: name(*then),
        then_resource: world.resource(*then).id.0,
        shared_bytes: *shared_bytes,
    };
    AliasingFigures {
        name: format!("{heap_type:?}"),
        resources: colouring.resources,
        taken_bytes: narrow(colouring.taken_bytes),
        slots: colouring.slots.len() as u64,
        slot_bytes: narrow(colouring.slots.iter().map(|slot| u128::from(slot.bytes)).sum()),
        live_bytes: narrow(colouring.most_live_bytes),
        pairs: colouring.pairs.iter().map(pair).collect(),
    }
}

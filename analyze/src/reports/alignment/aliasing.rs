//! Memory that transient resources of one heap type could share, by interval colouring of their lifetimes.

use super::figures::narrow;
use crate::memory::{Resource, ResourceIndex, World};
use crate::reports::figures::figures;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use taut_schemas::{AdapterId, Field, HeapType};

/// Maximum number of pairs listed per heap type.
const MAX_PAIRS: usize = 5;

figures! {
    /// Two resources that could use the same memory, one after the other.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SharingPair {
        first: String, Text, "Name of the resource that is created first.";
        then: String, Text, "Name of the resource that is created after the release of `first`.";
        then_resource: u64, Id, "Handle of the resource `then`.";
        shared_bytes: u64, Bytes, "Shared memory: the smaller of both sizes.";
        resource: u64, Id, same;
    }
}

figures! {
    /// Possible memory sharing of the transient resources of one heap type.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AliasingFigures {
        in_use_bytes: u64, Bytes, same;
        resources: u64, Count, same;
        name: String, Text, same;
        slots: u64, Count, "Memory ranges that suffice for all resources, each range for one after another.";
        slot_bytes: u64, Bytes, "Total size of the slots, each as large as its largest resource.";
        live_bytes: u64, Bytes, "Peak of live resources: the lower bound of `slot_bytes`.";
        pairs: Vec<SharingPair>, List, "Pairs of resources that could use the same memory in turn, largest shared size first, at most five.";
    }
}

/// A memory range with its current or last resource.
struct Slot {
    bytes: u64,
    last: ResourceIndex,
}

/// Two successive resources of a slot, ordered by descending shared size.
type Sharing = (Reverse<u64>, ResourceIndex, ResourceIndex);

/// Interval colouring of the transient resources of one heap type and adapter.
#[derive(Default)]
struct Colouring {
    slots: Vec<Slot>,
    /// Free slots by size.
    free: BTreeSet<(u64, usize)>,
    /// Occupied slots by release time.
    ends: BinaryHeap<Reverse<(u32, usize)>>,
    /// The largest pairs, in order.
    pairs: Vec<Sharing>,
    resources: u64,
    in_use_bytes: u128,
    live_bytes: u128,
    max_live_bytes: u128,
}

impl Colouring {
    /// Assigns a resource to the smallest free slot that is large enough, or else to the largest free slot, which
    /// grows, or else to a new slot. Growing a slot never costs more than a new one.
    fn create(&mut self, world: &World, index: ResourceIndex, released: u32) {
        let resource = world.resource(index);
        while let Some(Reverse((_, slot))) =
            self.ends.peek().copied().filter(|Reverse((end, _))| *end < resource.created.0)
        {
            self.ends.pop();
            self.live_bytes -= u128::from(world.resource(self.slots[slot].last).in_use_bytes());
            self.free.insert((self.slots[slot].bytes, slot));
        }
        let bytes = resource.in_use_bytes();
        let found = self.free.range((bytes, 0)..).next().or_else(|| self.free.last()).copied();
        let slot = if let Some(found) = found {
            self.free.remove(&found);
            let slot = &mut self.slots[found.1];
            let shared_bytes = bytes.min(world.resource(slot.last).in_use_bytes());
            let pair = (Reverse(shared_bytes), slot.last, index);
            *slot = Slot { bytes: slot.bytes.max(bytes), last: index };
            self.add_pair(pair);
            found.1
        } else {
            self.slots.push(Slot { bytes, last: index });
            self.slots.len() - 1
        };
        self.ends.push(Reverse((released, slot)));
        self.resources += 1;
        self.in_use_bytes += u128::from(bytes);
        self.live_bytes += u128::from(bytes);
        self.max_live_bytes = self.max_live_bytes.max(self.live_bytes);
    }

    fn add_pair(&mut self, pair: Sharing) {
        if self.pairs.len() < MAX_PAIRS || self.pairs.last().is_some_and(|last| pair < *last) {
            self.pairs.insert(self.pairs.partition_point(|known| *known < pair), pair);
            self.pairs.truncate(MAX_PAIRS);
        }
    }
}

impl AliasingFigures {
    /// Computes the figures of each heap type with transient resources.
    pub fn all(world: &World) -> Vec<AliasingFigures> {
        let types = world.heap_types();
        let mut all: BTreeMap<(HeapType, AdapterId), Colouring> = BTreeMap::new();
        for (index, resource) in (0..).map(ResourceIndex).zip(&world.resources) {
            let Some(released) = resource.released.filter(|_| resource.in_use_bytes() > 0) else { continue };
            let adapter = resource.id.adapter().unwrap_or(AdapterId::FIRST);
            let colouring = all.entry((types[index.0 as usize], adapter)).or_default();
            colouring.create(world, index, released.0);
        }
        all.into_iter().map(|((heap_type, _), colouring)| figures(world, heap_type, &colouring)).collect()
    }
}

fn figures(world: &World, heap_type: HeapType, colouring: &Colouring) -> AliasingFigures {
    let name = |index: ResourceIndex| match world.resource_name(index) {
        "" => Resource::short_description(world.resource(index)),
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
        in_use_bytes: narrow(colouring.in_use_bytes),
        slots: colouring.slots.len() as u64,
        slot_bytes: narrow(colouring.slots.iter().map(|slot| u128::from(slot.bytes)).sum()),
        live_bytes: narrow(colouring.max_live_bytes),
        pairs: colouring.pairs.iter().map(pair).collect(),
    }
}

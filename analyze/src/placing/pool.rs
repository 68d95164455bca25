//! The heaps of one kind that an allocator keeps.

use super::free_space::{FreeSpace, Spot};
use super::policy::Policy;
use super::slabs::{Slabs, class_of};

/// What an allocator is told beside its policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Size of its heaps.
    pub block_bytes: u64,
    /// What is larger than this has a heap of its own; so has what is larger than a heap.
    pub dedicated_above_bytes: u64,
}

/// Heaps of one adapter, type and alignment.
#[derive(Debug)]
pub(super) struct Pool {
    policy: Policy,
    block_bytes: u64,
    free: FreeSpace,
    slabs: Slabs,
    /// Resources in each heap; none of a heap that is gone.
    heaps: Vec<Option<u64>>,
    /// A heap that is kept although nothing lies in it.
    spare: Option<u32>,
}

/// Where a resource lies in a pool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub spot: Spot,
    /// What it holds of its heap: its slot, or itself.
    bytes: u64,
    is_slot: bool,
}

impl Pool {
    pub fn new(policy: Policy, limits: Limits) -> Pool {
        Pool {
            policy,
            block_bytes: limits.block_bytes,
            free: FreeSpace::new(policy),
            slabs: Slabs::default(),
            heaps: Vec::new(),
            spare: None,
        }
    }

    /// Places a resource that is no larger than a heap; gives whether that takes a new heap.
    pub fn place(&mut self, size_bytes: u64, alignment_bytes: u64) -> Option<(Place, bool)> {
        if let Some(place) = self.try_place(size_bytes, alignment_bytes) {
            return Some((self.counted(place), false));
        }
        self.free.add(self.block_bytes);
        self.heaps.push(Some(0));
        let place = self.try_place(size_bytes, alignment_bytes)?;
        Some((self.counted(place), true))
    }

    /// Makes a resource's room free; gives whether a heap is gone by that.
    pub fn release(&mut self, place: Place) -> bool {
        if place.is_slot {
            self.slabs.give(place.spot, &mut self.free);
        } else {
            self.free.give(place.spot, place.bytes);
        }
        let heap = place.spot.heap;
        let Some(resources) = self.heaps[heap as usize].as_mut() else { return false };
        *resources -= 1;
        if *resources > 0 {
            return false;
        }
        // One empty heap is kept, so that a resource that comes and goes does not make a heap each time.
        if self.spare.is_none() {
            self.spare = Some(heap);
            return false;
        }
        self.heaps[heap as usize] = None;
        self.free.remove(heap);
        true
    }

    fn try_place(&mut self, size_bytes: u64, alignment_bytes: u64) -> Option<Place> {
        if self.policy == Policy::SizeClasses
            && let Some(class) = class_of(size_bytes, alignment_bytes, self.block_bytes)
        {
            let slot = |spot| Place { spot, bytes: class.0, is_slot: true };
            return match self.slabs.take(class) {
                Some(spot) => Some(slot(spot)),
                None => {
                    self.slabs.grow(class, &mut self.free, self.block_bytes)?;
                    self.slabs.take(class).map(slot)
                }
            };
        }
        let spot = self.free.take(size_bytes, alignment_bytes)?;
        Some(Place { spot, bytes: size_bytes, is_slot: false })
    }

    fn counted(&mut self, place: Place) -> Place {
        if let Some(resources) = self.heaps[place.spot.heap as usize].as_mut() {
            *resources += 1;
        }
        if self.spare == Some(place.spot.heap) {
            self.spare = None;
        }
        place
    }
}

//! A pool of heaps of one kind.

use super::free_space::{FreeSpace, Spot};
use super::policy::Policy;
use super::slabs::{Slabs, class_of};

/// Limits of an allocator besides its policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Size of its heaps, in bytes.
    pub block_bytes: u64,
    /// Size above which a resource has a dedicated heap, in bytes; so has a resource larger than a heap.
    pub dedicated_above_bytes: u64,
}

/// Heaps of one adapter, type and alignment.
#[derive(Debug)]
pub(super) struct Pool {
    policy: Policy,
    block_bytes: u64,
    free: FreeSpace,
    slabs: Slabs,
    /// Number of resources in each heap; none for a destroyed heap.
    heaps: Vec<Option<u64>>,
    /// An empty heap that is retained.
    spare: Option<u32>,
}

/// Placement of a resource in a pool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub spot: Spot,
    /// Bytes taken from its heap: of its slot, or of itself.
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

    /// Places a resource that is no larger than a heap; returns true if a heap was created for it.
    pub fn place(&mut self, size_bytes: u64, alignment_bytes: u64) -> Option<(Place, bool)> {
        if let Some(place) = self.try_place(size_bytes, alignment_bytes) {
            return Some((self.counted(place), false));
        }
        self.free.add(self.block_bytes);
        self.heaps.push(Some(0));
        let place = self.try_place(size_bytes, alignment_bytes)?;
        Some((self.counted(place), true))
    }

    /// Frees a resource's range; returns true if a heap is destroyed.
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
        // One empty heap is retained, so that a short-lived resource does not create a heap each time.
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

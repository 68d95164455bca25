//! Slabs: parts of a heap divided into equal slots, for resources of one size class.

use super::free_space::{FreeSpace, Spot};
use super::policy::class_above;
use crate::memory::round_up;
use std::collections::{BTreeMap, BTreeSet};

/// Number of slots of a slab, if a heap has space for them.
const SLOTS: u64 = 16;
/// Divisor of a heap's size that gives the max size of a slab; larger resources have no slots.
const PART_OF_HEAP: u64 = 8;

/// Size and alignment of slots, in bytes.
type Class = (u64, u64);

#[derive(Debug)]
struct Slab {
    class: Class,
    spot: Spot,
    slots: u64,
    /// Offsets of free slots.
    free: BTreeSet<u64>,
}

/// The slabs of a pool.
#[derive(Debug, Default)]
pub(super) struct Slabs {
    slabs: BTreeMap<Spot, Slab>,
    /// Slabs with a free slot, by class.
    open: BTreeMap<Class, BTreeSet<Spot>>,
}

/// The class of slots for a request; `None` if it is too large.
pub(super) fn class_of(size_bytes: u64, alignment_bytes: u64, heap_bytes: u64) -> Option<Class> {
    let slot_bytes = round_up(class_above(size_bytes)?, alignment_bytes);
    (slot_bytes <= heap_bytes / PART_OF_HEAP).then_some((slot_bytes, alignment_bytes))
}

impl Slabs {
    /// Allocates a slot of an existing slab.
    pub fn take(&mut self, class: Class) -> Option<Spot> {
        let open = self.open.get_mut(&class)?;
        let slab = self.slabs.get_mut(open.first()?)?;
        let offset_bytes = slab.free.pop_first()?;
        if slab.free.is_empty() {
            open.remove(&slab.spot);
        }
        Some(Spot { offset_bytes, ..slab.spot })
    }

    /// Creates a slab, if there is space for one.
    pub fn grow(&mut self, class: Class, free: &mut FreeSpace, heap_bytes: u64) -> Option<()> {
        let (slot_bytes, alignment_bytes) = class;
        let slots = (heap_bytes / PART_OF_HEAP / slot_bytes).clamp(1, SLOTS);
        let spot = free.take(slot_bytes * slots, alignment_bytes)?;
        let offsets = (0..slots).map(|slot| spot.offset_bytes + slot * slot_bytes).collect();
        self.slabs.insert(spot, Slab { class, spot, slots, free: offsets });
        self.open.entry(class).or_default().insert(spot);
        Some(())
    }

    /// Frees a slot, and its slab if it was the last one; returns true if the slab is freed.
    pub fn give(&mut self, spot: Spot, free: &mut FreeSpace) -> bool {
        let Some((_, slab)) = self.slabs.range_mut(..=spot).next_back() else { return false };
        slab.free.insert(spot.offset_bytes);
        let (class, at, slots) = (slab.class, slab.spot, slab.slots);
        let open = self.open.entry(class).or_default();
        if slab.free.len() as u64 == slots {
            open.remove(&at);
            self.slabs.remove(&at);
            free.give(at, class.0 * slots);
            return true;
        }
        open.insert(at);
        false
    }
}

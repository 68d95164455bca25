//! The free bytes of several heaps, and a policy among them.

use super::policy::{Policy, class_above, class_below};
use crate::world::round_up;
use std::collections::{BTreeMap, BTreeSet};

/// A place in one of several heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub heap: u32,
    pub offset_bytes: u64,
}

/// The free ranges of heaps.
#[derive(Debug)]
pub(super) struct FreeSpace {
    policy: Policy,
    /// Sizes of free ranges by their places.
    ranges: BTreeMap<Spot, u64>,
    /// The same by what the policy looks for: the size, or its class.
    by_size: BTreeSet<(u64, Spot)>,
    /// Free bytes of each heap.
    free_bytes: Vec<u64>,
}

impl FreeSpace {
    /// No heaps yet.
    pub fn new(policy: Policy) -> FreeSpace {
        FreeSpace { policy, ranges: BTreeMap::new(), by_size: BTreeSet::new(), free_bytes: Vec::new() }
    }

    /// Adds a heap, all of it free; gives its number.
    pub fn add(&mut self, size_bytes: u64) -> u32 {
        let heap = self.free_bytes.len() as u32;
        self.free_bytes.push(0);
        self.insert(Spot { heap, offset_bytes: 0 }, size_bytes);
        heap
    }

    /// Takes a heap away, all of which is free.
    pub fn remove(&mut self, heap: u32) {
        let spot = Spot { heap, offset_bytes: 0 };
        if let Some(size_bytes) = self.ranges.get(&spot).copied() {
            self.take_out(spot, size_bytes);
        }
    }

    /// Takes room where the policy says; none if no heap has it.
    pub fn take(&mut self, size_bytes: u64, alignment_bytes: u64) -> Option<Spot> {
        let found = self.find(size_bytes, alignment_bytes)?;
        let free_bytes = self.ranges.get(&found).copied()?;
        self.take_out(found, free_bytes);
        let begin = round_up(found.offset_bytes, alignment_bytes);
        let (before, end) = (begin - found.offset_bytes, begin + size_bytes);
        self.insert(found, before);
        self.insert(Spot { offset_bytes: end, ..found }, found.offset_bytes + free_bytes - end);
        Some(Spot { offset_bytes: begin, ..found })
    }

    /// Gives room back.
    pub fn give(&mut self, spot: Spot, size_bytes: u64) {
        let (mut begin, mut end) = (spot.offset_bytes, spot.offset_bytes + size_bytes);
        let before = self.ranges.range(..spot).next_back().map(|(before, size)| (*before, *size));
        if let Some((before, size)) =
            before.filter(|(before, size)| before.heap == spot.heap && before.offset_bytes + size == begin)
        {
            self.take_out(before, size);
            begin = before.offset_bytes;
        }
        let behind = Spot { offset_bytes: end, ..spot };
        if let Some(size) = self.ranges.get(&behind).copied() {
            self.take_out(behind, size);
            end += size;
        }
        self.insert(Spot { offset_bytes: begin, ..spot }, end - begin);
    }

    fn key(&self, size_bytes: u64) -> Option<u64> {
        match self.policy {
            Policy::FirstFit | Policy::SizeClasses => None,
            Policy::BestFit => Some(size_bytes),
            Policy::Tlsf => Some(class_below(size_bytes)),
        }
    }

    fn insert(&mut self, spot: Spot, size_bytes: u64) {
        if size_bytes == 0 {
            return;
        }
        self.ranges.insert(spot, size_bytes);
        self.by_size.extend(self.key(size_bytes).map(|key| (key, spot)));
        self.free_bytes[spot.heap as usize] += size_bytes;
    }

    fn take_out(&mut self, spot: Spot, size_bytes: u64) {
        self.ranges.remove(&spot);
        if let Some(key) = self.key(size_bytes) {
            self.by_size.remove(&(key, spot));
        }
        self.free_bytes[spot.heap as usize] -= size_bytes;
    }

    /// The free range to take from.
    fn find(&self, size_bytes: u64, alignment_bytes: u64) -> Option<Spot> {
        let fits = |spot: &Spot, free_bytes: u64| {
            let padding = round_up(spot.offset_bytes, alignment_bytes) - spot.offset_bytes;
            padding.checked_add(size_bytes).is_some_and(|needed| needed <= free_bytes)
        };
        let least = match self.policy {
            Policy::FirstFit | Policy::SizeClasses => return self.first(size_bytes, &fits),
            Policy::BestFit => size_bytes,
            Policy::Tlsf => class_above(size_bytes)?,
        };
        let large = self.by_size.range((least, Spot { heap: 0, offset_bytes: 0 })..).map(|(_, spot)| spot);
        large.copied().find(|spot| self.ranges.get(spot).is_some_and(|free_bytes| fits(spot, *free_bytes)))
    }

    /// The lowest place of the oldest heap, those passed over that have too little room in all.
    fn first(&self, size_bytes: u64, fits: &dyn Fn(&Spot, u64) -> bool) -> Option<Spot> {
        let heaps = (0..).zip(&self.free_bytes).filter(|(_, free_bytes)| **free_bytes >= size_bytes);
        heaps.map(|(heap, _)| heap).find_map(|heap| {
            let (from, to) = (Spot { heap, offset_bytes: 0 }, Spot { heap, offset_bytes: u64::MAX });
            let mut ranges = self.ranges.range(from..=to);
            ranges.find(|(spot, free_bytes)| fits(spot, **free_bytes)).map(|(spot, _)| *spot)
        })
    }
}

//! The free ranges of several heaps, and their search by a policy.

use super::policy::{Policy, class_above, class_below};
use crate::memory::round_up;
use std::collections::{BTreeMap, BTreeSet};

/// A position in one of several heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub heap: u32,
    pub offset_bytes: u64,
}

/// The free ranges of heaps.
#[derive(Debug)]
pub(super) struct FreeSpace {
    policy: Policy,
    /// Sizes of free ranges by position.
    ranges: BTreeMap<Spot, u64>,
    /// Free ranges by the policy's search key: the size, or its class.
    by_size: BTreeSet<(u64, Spot)>,
    /// Free bytes of each heap.
    free_bytes: Vec<u64>,
}

impl FreeSpace {
    /// Creates a state without heaps.
    pub fn new(policy: Policy) -> FreeSpace {
        FreeSpace { policy, ranges: BTreeMap::new(), by_size: BTreeSet::new(), free_bytes: Vec::new() }
    }

    /// Adds an empty heap; returns its index.
    pub fn add(&mut self, size_bytes: u64) -> u32 {
        let heap = self.free_bytes.len() as u32;
        self.free_bytes.push(0);
        self.insert(Spot { heap, offset_bytes: 0 }, size_bytes);
        heap
    }

    /// Removes an empty heap.
    pub fn remove(&mut self, heap: u32) {
        let spot = Spot { heap, offset_bytes: 0 };
        if let Some(size_bytes) = self.ranges.get(&spot).copied() {
            self.take_out(spot, size_bytes);
        }
    }

    /// Allocates a range by the policy; `None` if no heap has a suitable one.
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

    /// Frees a range.
    pub fn give(&mut self, spot: Spot, size_bytes: u64) {
        let (mut begin, mut end) = (spot.offset_bytes, spot.offset_bytes + size_bytes);
        let before = self.ranges.range(..spot).next_back().map(|(before, size)| (*before, *size));
        if let Some((before, size)) =
            before.filter(|(before, size)| before.heap == spot.heap && before.offset_bytes + size == begin)
        {
            self.take_out(before, size);
            begin = before.offset_bytes;
        }
        let after = Spot { offset_bytes: end, ..spot };
        if let Some(size) = self.ranges.get(&after).copied() {
            self.take_out(after, size);
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

    /// Finds the free range to allocate from.
    fn find(&self, size_bytes: u64, alignment_bytes: u64) -> Option<Spot> {
        let fits = |spot: &Spot, free_bytes: u64| {
            let padding = round_up(spot.offset_bytes, alignment_bytes) - spot.offset_bytes;
            padding.checked_add(size_bytes).is_some_and(|needed| needed <= free_bytes)
        };
        let min_key = match self.policy {
            Policy::FirstFit | Policy::SizeClasses => return self.first(size_bytes, &fits),
            Policy::BestFit => size_bytes,
            Policy::Tlsf => class_above(size_bytes)?,
        };
        // A range with a sufficient key may still be too small for the alignment.
        let large = self.by_size.range((min_key, Spot { heap: 0, offset_bytes: 0 })..).map(|(_, spot)| spot);
        large.copied().find(|spot| self.ranges.get(spot).is_some_and(|free_bytes| fits(spot, *free_bytes)))
    }

    /// The lowest suitable range of the oldest heap; heaps with too few free bytes are skipped.
    fn first(&self, size_bytes: u64, fits: &dyn Fn(&Spot, u64) -> bool) -> Option<Spot> {
        let heaps = (0..).zip(&self.free_bytes).filter(|(_, free_bytes)| **free_bytes >= size_bytes);
        heaps.map(|(heap, _)| heap).find_map(|heap| {
            let (from, to) = (Spot { heap, offset_bytes: 0 }, Spot { heap, offset_bytes: u64::MAX });
            let mut ranges = self.ranges.range(from..=to);
            ranges.find(|(spot, free_bytes)| fits(spot, **free_bytes)).map(|(spot, _)| *spot)
        })
    }
}

//! Splits the waste at a moment into causes.

use super::cause::Cause;
use super::change::Change;
use super::in_heaps::HeapWaste;
use super::resource_groups::{self, GroupKey, ResourceGroups};
use crate::memory::{HeapIndex, Resource, ResourceIndex, Turn, World};
use crate::reports::alignment::Part;
use rayon::prelude::*;

/// Waste due to one cause.
#[derive(Debug, Clone, Default)]
pub(super) struct Share {
    /// Number of resources, gaps or heaps.
    pub count: u64,
    pub bytes: i128,
    pub first: Option<Part>,
    pub resource_groups: ResourceGroups,
}

impl Share {
    fn add(&mut self, part: Part, count: u64, bytes: i128) {
        self.count += count;
        self.bytes += bytes;
        self.first.get_or_insert(part);
    }
}

/// Savings by changes of heaps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HeapSavings {
    pub ordered: u128,
    pub moved: u128,
    pub ordered_and_moved: u128,
    pub fitted: u128,
    /// Bytes of empty heaps.
    pub empty: u128,
    /// Number of heaps changed by ordering, moving, fitting and destroying empty heaps.
    pub counts: [u64; 4],
}

/// Waste at a moment by cause.
#[derive(Debug, Clone, Default)]
pub(super) struct Split {
    shares: [Share; Cause::ALL.len()],
    pub heaps: HeapSavings,
}

impl Split {
    /// Splits the waste right after `turn`.
    pub fn after(world: &World, turn: Turn) -> Split {
        let mut split = Split::default();
        let heap_types = world.heap_types();
        for (index, resource) in (0..).map(ResourceIndex).zip(&world.resources) {
            if resource.lives_after(turn)
                && let Some(group_key) = GroupKey::of(resource, heap_types[index.0 as usize])
            {
                split.resource(index, resource, group_key);
            }
        }
        let all: Vec<HeapIndex> = (0..world.heaps.len() as u32).map(HeapIndex).collect();
        let wastes = all.par_iter().map(|index| {
            let heap = world.heap(*index);
            heap.lives_after(turn).then(|| HeapWaste::of(world, heap, turn))
        });
        let wastes: Vec<Option<HeapWaste>> = wastes.collect();
        for (index, waste) in all.into_iter().zip(wastes) {
            if let Some(waste) = waste {
                split.heap(index, &waste);
            }
        }
        split
    }

    /// The share of a cause.
    pub fn share(&self, cause: Cause) -> &Share {
        &self.shares[cause as usize]
    }

    fn resource(&mut self, index: ResourceIndex, resource: &Resource, group_key: GroupKey) {
        let parts = [
            (Cause::of_rounding(resource), resource.rounding_bytes()),
            (Cause::CommittedGranularity, resource.granularity_bytes()),
        ];
        for (cause, bytes) in parts.into_iter().filter(|(_, bytes)| *bytes != 0) {
            let share = &mut self.shares[cause as usize];
            share.add(Part::Resource(index), 1, bytes);
            resource_groups::add(&mut share.resource_groups, group_key, index);
        }
    }

    fn heap(&mut self, index: HeapIndex, waste: &HeapWaste) {
        let layout = waste.layout;
        let other_bytes = layout.padding_bytes - layout.best_order_saving_bytes;
        let tail = if waste.is_empty() { Cause::EmptyHeaps } else { Cause::Tails };
        let parts = [
            (Cause::OrderInHeaps, waste.paddings, layout.best_order_saving_bytes),
            (Cause::OtherPadding, waste.paddings, other_bytes),
            (Cause::Holes, waste.holes, layout.hole_bytes),
            (tail, 1, layout.tail_bytes),
        ];
        for (cause, count, bytes) in parts.into_iter().filter(|(.., bytes)| *bytes > 0) {
            self.shares[cause as usize].add(Part::Heap(index), count, bytes.into());
        }
        self.heaps.add(waste);
    }
}

impl HeapSavings {
    fn add(&mut self, waste: &HeapWaste) {
        let (ordered, moved) = (waste.layout.best_order_saving_bytes, waste.moved_saving_bytes);
        let (fitted, empty) = match waste.is_empty() {
            // The tail of an empty heap is the whole heap.
            true => (0, waste.layout.tail_bytes),
            false => (waste.fitted_saving_bytes, 0),
        };
        self.ordered += u128::from(ordered);
        self.moved += u128::from(moved);
        self.ordered_and_moved += u128::from(waste.ordered_and_moved_saving_bytes());
        self.fitted += u128::from(fitted);
        self.empty += u128::from(empty);
        for (count, saving) in self.counts.iter_mut().zip([ordered, moved, fitted, empty]) {
            *count += u64::from(saving > 0);
        }
    }

    /// The change that removes a cause in heaps, with the number of heaps changed and its saving; `None` if there is no
    /// saving.
    pub fn of(&self, cause: Cause) -> Option<(Change, u64, u128)> {
        let [ordered, moved, fitted, empty] = self.counts;
        let found = match cause {
            Cause::OrderInHeaps => (Change::FallingAlignment, ordered, self.ordered),
            Cause::Holes => (Change::MovedTogether, moved, self.moved),
            Cause::Tails => (Change::FittedHeaps, fitted, self.fitted),
            Cause::EmptyHeaps => (Change::NoEmptyHeaps, empty, self.empty),
            _ => return None,
        };
        (found.2 > 0).then_some(found)
    }
}

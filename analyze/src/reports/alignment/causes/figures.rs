//! Report figures of the causes, in the recommended order of the changes.

use super::cause::Cause;
use super::change::Change;
use super::resource_groups::{self, ChangedGroups, Saving};
use super::split::{Share, Split};
use crate::memory::{Turn, World};
use crate::reports::alignment::Part;
use crate::reports::alignment::figures::{narrow, narrow_signed};
use crate::reports::figures::figures;
use std::cmp::Reverse;
use taut_schemas::ResourceSizes;

figures! {
    /// Saving of a change if it is the only one.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ChangeFigures {
        change: &'static str, Text, "`tight`, `alignment_4_kib`, `alignment_64_kib`: another description; `placed`, `placed_tight`: placed instead of committed; `one_buffer`: buffers of one heap type and flags joined at multiples of 256 bytes, up to 16 MiB each; `falling_alignment`: another order in heaps; `moved_together`: heaps without holes; `fitted_heaps`: heaps shrunk to the maximum extent of their resources, rounded up to 64 KiB; `no_empty_heaps`: heaps live only while they contain resources.";
        recommendation: &'static str, Text, "The change in words.";
        reclaimed_bytes: u64, Bytes, "Part of `saving_bytes` that is no longer allocated; the rest becomes free inside heaps, which stay allocated until they shrink.";
        saving_bytes: u64, Bytes, same;
        count: u64, Count, "Number of occurrences. Of a cause: resources, gaps or heaps with this waste; of a change: changed ones.", after severity;
    }
}

figures! {
    /// Figures of one cause of waste.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CauseFigures {
        name: &'static str, Text, same;
        meaning: &'static str, Text, "Description of the cause.";
        example: String, Text, "Name of the first resource or heap with this waste, or of the first buffer with these bindings; its description if it has no name.";
        changes: Vec<ChangeFigures>, List, "Changes with a saving, as computed by the driver model and rules of the trace's header. The first one is recommended: the smallest change, unless another reclaims at least an eighth more, or saves at least an eighth more and reclaims as much. Empty if no change saves memory or there is no driver model.";
        cumulative_saving_bytes: u64, Bytes, "Saving of the first change after the first changes of all previous causes.";
        waste_bytes: i64, Bytes, same;
        count: u64, Count, same;
    }
}

impl CauseFigures {
    /// Causes of the waste right after `turn`, in the order in which their recommended changes are worth making: first by
    /// descending reclaimed bytes, then by descending saving. Their bytes add up to rounding, padding, holes, tails and
    /// granularity at that moment.
    pub fn all(world: &World, turn: Option<Turn>, sizes: Option<&dyn ResourceSizes>) -> Vec<CauseFigures> {
        let Some(turn) = turn else { return Vec::new() };
        let split = Split::after(world, turn);
        let found = Cause::ALL.into_iter().filter(|cause| split.share(*cause).count > 0);
        let mut causes: Vec<_> = found.map(|cause| (cause, changes(world, &split, cause, sizes))).collect();
        causes.sort_by_key(|(cause, changes)| {
            let first = changes.first().map(|(_, saving)| rank(saving));
            (Reverse(first.unwrap_or_default()), Reverse(split.share(*cause).bytes), *cause)
        });
        let mut cumulative = CumulativeChanges {
            world,
            split: &split,
            sizes,
            changed_groups: resource_groups::unchanged(),
            in_heaps: None,
        };
        let figures = causes.into_iter().map(|(cause, changes)| {
            let first = changes.first().map(|(change, _)| *change);
            let saving = first.map_or(0, |change| cumulative.saving(cause, change));
            of_cause(world, cause, split.share(cause), &changes, saving)
        });
        figures.collect()
    }
}

fn of_cause(
    world: &World,
    cause: Cause,
    share: &Share,
    changes: &[(Change, Saving)],
    with_before: u128,
) -> CauseFigures {
    let change = |(change, saving): &(Change, Saving)| ChangeFigures {
        change: change.name(),
        recommendation: change.recommendation(),
        count: saving.count,
        saving_bytes: narrow(saving.bytes),
        reclaimed_bytes: narrow(saving.reclaimed_bytes),
    };
    CauseFigures {
        name: cause.name(),
        meaning: cause.meaning(),
        count: share.count,
        waste_bytes: narrow_signed(share.bytes),
        example: share.first.map_or_else(String::new, |part| name_of(world, part)),
        changes: changes.iter().map(change).collect(),
        cumulative_saving_bytes: narrow(with_before),
    }
}

fn name_of(world: &World, part: Part) -> String {
    match part {
        Part::Resource(index) => match world.resource_name(index) {
            "" => world.resource(index).short_description(),
            name => name.to_owned(),
        },
        Part::Heap(index) => match world.heap_name(index) {
            "" => format!("heap {}", world.heap(index).id.0),
            name => name.to_owned(),
        },
    }
}

/// Changes with a saving, each evaluated on its own. The first one is recommended: the one with the least effort,
/// unless another is [clearly better](is_clearly_better).
fn changes(world: &World, split: &Split, cause: Cause, sizes: Option<&dyn ResourceSizes>) -> Vec<(Change, Saving)> {
    if let Some((change, count, bytes)) = split.heaps.of(cause) {
        let reclaimed_bytes = if is_reclaimed(change) { bytes } else { 0 };
        return vec![(change, Saving { count, bytes, reclaimed_bytes })];
    }
    let Some(sizes) = sizes else { return Vec::new() };
    let all = &split.share(cause).resource_groups;
    let evaluated = Change::candidates(cause).iter().map(|change| {
        (*change, resource_groups::apply_change(*change, world, all, sizes, &mut resource_groups::unchanged()))
    });
    let mut evaluated: Vec<(Change, Saving)> = evaluated.filter(|(_, saving)| saving.bytes > 0).collect();
    // Of changes with equal savings only the one with the least effort is listed.
    let mut known = Vec::new();
    evaluated.retain(|(_, saving)| {
        let is_new = !known.contains(&rank(saving));
        known.push(rank(saving));
        is_new
    });
    let best = (0..evaluated.len())
        .reduce(|best, other| if is_clearly_better(&evaluated[other].1, &evaluated[best].1) { other } else { best });
    if let Some(best) = best {
        let best = evaluated.remove(best);
        evaluated.sort_by_key(|(change, saving)| (Reverse(rank(saving)), *change));
        evaluated.insert(0, best);
    }
    evaluated
}

/// Rank of a saving: memory that is no longer allocated counts before memory that becomes free inside heaps.
fn rank(saving: &Saving) -> (u128, u128) {
    (saving.reclaimed_bytes, saving.bytes)
}

/// True if a saving reclaims at least an eighth more than another, or saves at least an eighth more and reclaims about
/// as much.
fn is_clearly_better(saving: &Saving, other: &Saving) -> bool {
    let exceeds = |bytes: u128, other_bytes: u128| bytes * 8 > other_bytes * 9;
    let (reclaimed, other_reclaimed) = (saving.reclaimed_bytes, other.reclaimed_bytes);
    exceeds(reclaimed, other_reclaimed) || (!exceeds(other_reclaimed, reclaimed) && exceeds(saving.bytes, other.bytes))
}

/// True if the memory saved by a change of heaps is reclaimed.
fn is_reclaimed(change: Change) -> bool {
    matches!(change, Change::FittedHeaps | Change::NoEmptyHeaps)
}

/// Cumulative evaluation of changes.
struct CumulativeChanges<'a> {
    world: &'a World,
    split: &'a Split,
    sizes: Option<&'a dyn ResourceSizes>,
    changed_groups: ChangedGroups,
    /// Saving of the first change of positions in heaps. A second one can only save what remains of their combined
    /// saving.
    in_heaps: Option<u128>,
}

impl CumulativeChanges<'_> {
    /// Saving of a change after the previous ones.
    fn saving(&mut self, cause: Cause, change: Change) -> u128 {
        let Some((_, _, bytes)) = self.split.heaps.of(cause) else {
            let all = &self.split.share(cause).resource_groups;
            let evaluated = self
                .sizes
                .map(|sizes| resource_groups::apply_change(change, self.world, all, sizes, &mut self.changed_groups));
            return evaluated.unwrap_or_default().bytes;
        };
        if is_reclaimed(change) {
            return bytes;
        }
        match self.in_heaps {
            Some(saved) => self.split.heaps.ordered_and_moved.saturating_sub(saved),
            None => {
                self.in_heaps = Some(bytes);
                bytes
            }
        }
    }
}

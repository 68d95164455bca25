//! The causes as the report gives them out: in the order in which to do something about them.

use super::alike::{self, Become, Saving};
use super::cause::Cause;
use super::change::Change;
use super::split::{Share, Split};
use crate::reports::alignment::Part;
use crate::reports::alignment::figures::{narrow, narrow_signed};
use crate::world::{Turn, World};
use serde::Serialize;
use std::cmp::Reverse;
use taut_schemas::ResourceSizes;

/// What a change saves, made alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeFigures {
    /// Which change.
    pub change: &'static str,
    /// What to do, as a sentence.
    pub what_to_do: &'static str,
    /// Resources or heaps that it changes.
    pub count: u64,
    /// What it saves.
    pub saving_bytes: u64,
    /// What of that is no longer held; the rest becomes free in heaps, which hold it until they are smaller.
    pub given_back_bytes: u64,
}

/// A cause of waste.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CauseFigures {
    /// Which cause.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// Resources, gaps or heaps.
    pub count: u64,
    /// What it wastes.
    pub waste_bytes: i64,
    /// Name of the first of them.
    pub first: String,
    /// Changes that save something, the one to make first.
    pub changes: Vec<ChangeFigures>,
    /// What the first change saves if the first changes of all causes before it are made.
    pub saving_with_before_bytes: u64,
}

impl CauseFigures {
    /// The causes of what is wasted right after `turn`: those whose change saves most first, then those for which there is
    /// none. Their bytes are rounding, padding, holes, tails and granularity of that moment together.
    pub fn all(world: &World, turn: Option<Turn>, sizes: Option<&dyn ResourceSizes>) -> Vec<CauseFigures> {
        let Some(turn) = turn else { return Vec::new() };
        let split = Split::after(world, turn);
        let found = Cause::ALL.into_iter().filter(|cause| split.share(*cause).count > 0);
        let mut causes: Vec<_> = found.map(|cause| (cause, changes(world, &split, cause, sizes))).collect();
        causes.sort_by_key(|(cause, changes)| {
            let saving = changes.first().map_or(0, |(_, saving)| saving.bytes);
            (Reverse(saving), Reverse(split.share(*cause).bytes), *cause)
        });
        let mut together = Together { world, split: &split, sizes, become_: alike::unchanged(), in_heaps: None };
        let figures = causes.into_iter().map(|(cause, changes)| {
            let first = changes.first().map(|(change, _)| *change);
            let saving = first.map_or(0, |change| together.saving(cause, change));
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
        what_to_do: change.what_to_do(),
        count: saving.count,
        saving_bytes: narrow(saving.bytes),
        given_back_bytes: narrow(saving.given_back_bytes),
    };
    CauseFigures {
        name: cause.name(),
        meaning: cause.meaning(),
        count: share.count,
        waste_bytes: narrow_signed(share.bytes),
        first: share.first.map_or_else(String::new, |part| name_of(world, part)),
        changes: changes.iter().map(change).collect(),
        saving_with_before_bytes: narrow(with_before),
    }
}

fn name_of(world: &World, part: Part) -> String {
    match part {
        Part::Resource(index) => match world.resource_name(index) {
            "" => world.resource(index).what_it_is(),
            name => name.to_owned(),
        },
        Part::Heap(index) => match world.heap_name(index) {
            "" => format!("heap {}", world.heap(index).id.0),
            name => name.to_owned(),
        },
    }
}

/// The changes that save something, each alone; the one to make comes first, which is one that asks for less unless another
/// saves an eighth more.
fn changes(world: &World, split: &Split, cause: Cause, sizes: Option<&dyn ResourceSizes>) -> Vec<(Change, Saving)> {
    if let Some((change, count, bytes)) = split.heaps.of(cause) {
        let given_back_bytes = if gives_back(change) { bytes } else { 0 };
        return vec![(change, Saving { count, bytes, given_back_bytes })];
    }
    let Some(sizes) = sizes else { return Vec::new() };
    let all = &split.share(cause).alike;
    let made = Change::candidates(cause)
        .iter()
        .map(|change| (*change, alike::make(*change, world, all, sizes, &mut alike::unchanged())));
    let mut made: Vec<(Change, Saving)> = made.filter(|(_, saving)| saving.bytes > 0).collect();
    // Of changes that come to the same the one that asks for less.
    let mut known = Vec::new();
    made.retain(|(_, saving)| {
        !known.contains(&saving.bytes) && {
            known.push(saving.bytes);
            true
        }
    });
    let best = (0..made.len()).reduce(|best, other| {
        let (best_bytes, other_bytes) = (made[best].1.bytes, made[other].1.bytes);
        if other_bytes * 8 > best_bytes * 9 { other } else { best }
    });
    if let Some(best) = best {
        let best = made.remove(best);
        made.sort_by_key(|(change, saving)| (Reverse(saving.bytes), *change));
        made.insert(0, best);
    }
    made
}

/// Whether memory that a change of heaps saves is no longer held.
fn gives_back(change: Change) -> bool {
    matches!(change, Change::FittedHeaps | Change::NoEmptyHeaps)
}

/// Changes made one after another.
struct Together<'a> {
    world: &'a World,
    split: &'a Split,
    sizes: Option<&'a dyn ResourceSizes>,
    become_: Become,
    /// What a change of the places in heaps has saved already.
    in_heaps: Option<u128>,
}

impl Together<'_> {
    /// What a change saves after those made before.
    fn saving(&mut self, cause: Cause, change: Change) -> u128 {
        let Some((_, _, bytes)) = self.split.heaps.of(cause) else {
            let all = &self.split.share(cause).alike;
            let made = self.sizes.map(|sizes| alike::make(change, self.world, all, sizes, &mut self.become_));
            return made.unwrap_or_default().bytes;
        };
        if gives_back(change) {
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

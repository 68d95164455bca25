//! The resources for which alignment wastes most, and what to do about each.

use super::advice::advice;
use super::advised::Advised;
use super::figures::narrow_signed;
use crate::world::{Backing, HeapWalk, NameIndex, Resource, ResourceIndex, World};
use rayon::prelude::*;
use serde::Serialize;
use std::cmp::Reverse;
use taut_schemas::{AdapterId, Field, ResourceSizes};

/// How many are named.
const NAMED: usize = 10;

/// Resources of one name and description, told by one of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorstFigures {
    /// Its name; where it was given none, what it is: `buffer of 500 B`.
    pub name: String,
    /// Handle of the one that wastes most.
    pub resource: u64,
    /// Resources of this name and description, in the whole trace.
    pub alike: u64,
    /// `placed` or `committed`.
    pub kind: &'static str,
    /// D3D12_RESOURCE_DIMENSION without its prefix.
    pub dimension: String,
    /// DXGI_FORMAT without its prefix.
    pub format: String,
    /// Its heap; none if it is committed.
    pub heap: Option<u64>,
    /// Part of the workload it was created in.
    pub phase: Option<String>,
    /// Stamp of the API call that created it.
    pub at_stamp: u64,
    /// Line of the call log that the call is; left out where the workload follows no log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_seq: Option<u64>,
    /// What the application asked for.
    pub requested_bytes: u64,
    /// SizeInBytes.
    pub allocated_bytes: u64,
    /// Alignment.
    pub alignment_bytes: u64,
    /// The difference.
    pub rounding_bytes: i64,
    /// Padding before it when it was placed.
    pub padding_bytes: u64,
    /// What its implicit heap takes beyond its SizeInBytes.
    pub granularity_bytes: i64,
    /// All three together.
    pub waste_bytes: i64,
    /// The same over all that are alike.
    pub waste_alike_bytes: i64,
    /// What to do about it.
    pub advice: String,
    /// The description that this asks for and what it saves; none where it is not a description that is to be another.
    pub advised: Option<Advised>,
}

struct Group {
    worst: ResourceIndex,
    worst_bytes: i128,
    alike: u64,
    alike_bytes: i128,
    /// What all that are alike take.
    taken_bytes: u128,
}

impl WorstFigures {
    /// The worst of a world, with its heaps' walks; those that waste most together first.
    pub fn all(world: &World, walks: &[HeapWalk], sizes: Option<&dyn ResourceSizes>) -> Vec<WorstFigures> {
        let padding = world.paddings(walks);
        let waste = |index: ResourceIndex| waste(world.resource(index), padding[index.0 as usize]);
        let all = (0..world.resources.len() as u32).into_par_iter().map(ResourceIndex);
        let mut wasting: Vec<_> =
            all.filter(|index| waste(*index) > 0).map(|index| (likeness(world.resource(index)), index)).collect();
        wasting.par_sort_unstable();
        let mut groups: Vec<Group> = Vec::new();
        for alike in wasting.chunk_by(|(one, _), (other, _)| one == other) {
            let taken = |index: ResourceIndex| world.resource(index).taken_bytes();
            groups.extend(Group::of(alike.iter().map(|(_, index)| (*index, waste(*index), taken(*index)))));
            if groups.len() > 100 * NAMED {
                keep_worst(&mut groups);
            }
        }
        keep_worst(&mut groups);
        groups.iter().map(|group| figures(world, group, padding[group.worst.0 as usize], sizes)).collect()
    }
}

/// What resources of one name, description, backing and adapter have in common, and no others.
fn likeness(resource: &Resource) -> (NameIndex, u32, &'static str, Option<AdapterId>) {
    (resource.name, resource.desc_number, resource.backing.name(), resource.id.adapter())
}

fn keep_worst(groups: &mut Vec<Group>) {
    groups.sort_by_key(|group| (Reverse(group.alike_bytes), group.worst));
    groups.truncate(NAMED);
}

impl Group {
    /// The group of resources, in their order, and what each wastes and takes; none of no resources.
    fn of(mut alike: impl Iterator<Item = (ResourceIndex, i128, u64)>) -> Option<Group> {
        let (worst, worst_bytes, taken_bytes) = alike.next()?;
        let taken_bytes = u128::from(taken_bytes);
        let first = Group { worst, worst_bytes, alike: 1, alike_bytes: worst_bytes, taken_bytes };
        Some(alike.fold(first, |mut group, (index, waste_bytes, taken_bytes)| {
            group.taken_bytes += u128::from(taken_bytes);
            group.alike += 1;
            group.alike_bytes += waste_bytes;
            if waste_bytes > group.worst_bytes {
                (group.worst, group.worst_bytes) = (index, waste_bytes);
            }
            group
        }))
    }
}

fn waste(resource: &Resource, padding_bytes: u64) -> i128 {
    if resource.is_reserved() {
        return 0;
    }
    resource.rounding_bytes() + resource.granularity_bytes() + i128::from(padding_bytes)
}

fn figures(world: &World, group: &Group, padding_bytes: u64, sizes: Option<&dyn ResourceSizes>) -> WorstFigures {
    let resource = world.resource(group.worst);
    let at = world.moment(resource.created);
    let named = world.resource_name(group.worst);
    let heap = match resource.backing {
        Backing::Placed { heap, .. } => Some(heap.0),
        Backing::Committed { .. } | Backing::Reserved => None,
    };
    let (size_bytes, alignment_bytes) =
        resource.allocation.map_or((0, 0), |allocation| (allocation.size_bytes, allocation.alignment_bytes));
    let advised = sizes.and_then(|sizes| Advised::of(resource, (group.alike, group.taken_bytes), sizes));
    let advised = advised.filter(|advised| advised.saving_bytes >= padding_bytes);
    WorstFigures {
        name: if named.is_empty() { resource.what_it_is() } else { named.to_owned() },
        resource: resource.id.0,
        alike: group.alike,
        kind: resource.backing.name(),
        dimension: format!("{:?}", resource.desc.dimension),
        format: format!("{:?}", resource.desc.format),
        heap,
        phase: resource.phase.map(|phase| world.phases[phase.0 as usize].name.clone()),
        at_stamp: at.stamp,
        at_seq: at.seq,
        requested_bytes: resource.requested_bytes,
        allocated_bytes: size_bytes,
        alignment_bytes,
        rounding_bytes: narrow_signed(resource.rounding_bytes()),
        padding_bytes,
        granularity_bytes: narrow_signed(resource.granularity_bytes()),
        waste_bytes: narrow_signed(group.worst_bytes),
        waste_alike_bytes: narrow_signed(group.alike_bytes),
        advice: advice(resource, padding_bytes, advised.as_ref(), sizes.is_some()),
        advised,
    }
}

//! Resources with the most waste, and advice for each.

use super::advice::advice;
use super::advised::Advised;
use super::figures::narrow_signed;
use crate::memory::{Backing, HeapWalk, NameIndex, Resource, ResourceIndex, World};
use crate::reports::figures::figures;
use rayon::prelude::*;
use std::cmp::Reverse;
use taut_schemas::{AdapterId, Field, ResourceSizes};

/// Maximum number of groups listed.
const NAMED: usize = 10;

figures! {
    /// A group of resources with the same name and description, represented by the one with the most waste.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WorstFigures {
        at_stamp: u64, Stamp, same;
        #[serde(skip_serializing_if = "Option::is_none")] at_seq: Option<u64>, Id, same;
        requested_bytes: u64, Bytes, same, unless snapshot;
        allocated_bytes: u64, Bytes, same;
        rounding_bytes: i64, Bytes, same, unless snapshot;
        granularity_bytes: i64, Bytes, same;
        padding_bytes: u64, Bytes, same;
        name: String, Text, same;
        heap: Option<u64>, Id, same;
        resource: u64, Id, "Handle of the resource with the most waste; in `buffer_floors`, of the buffer.";
        group_size: u64, Count, "Resources of the same name and description that waste memory, in the whole trace.";
        kind: &'static str, Text, "`placed` or `committed`; in `advised`, the recommended kind.";
        dimension: String, Text, "D3D12_RESOURCE_DIMENSION without its prefix.";
        format: String, Text, "DXGI_FORMAT without its prefix.";
        phase: Option<String>, Text, "Workload phase of the creation; null outside all phases.";
        alignment_bytes: u64, Bytes, "Alignment from GetResourceAllocationInfo.";
        waste_bytes: i64, Bytes, "Rounding, padding and granularity of one resource; of a cause, its total waste.", unless snapshot;
        group_waste_bytes: i64, Bytes, "Waste of the whole group.";
        advice: String, Text, "Recommended change.";
        advised: Option<Advised>, Group, "Description that the advice recommends, and its saving by the driver model and rules of the trace's header; null if the advice is not about a description or there is no driver model.";
    }
}

struct Group {
    worst: ResourceIndex,
    worst_bytes: i128,
    size: u64,
    group_bytes: i128,
    /// Memory in use by the whole group.
    in_use_bytes: u128,
}

impl WorstFigures {
    /// The worst of a world, with its heaps' walks; those that waste most together first.
    pub fn all(world: &World, walks: &[HeapWalk], sizes: Option<&dyn ResourceSizes>) -> Vec<WorstFigures> {
        let padding = world.paddings(walks);
        let waste = |index: ResourceIndex| waste(world.resource(index), padding[index.0 as usize]);
        let all = (0..world.resources.len() as u32).into_par_iter().map(ResourceIndex);
        let mut wasting: Vec<_> =
            all.filter(|index| waste(*index) > 0).map(|index| (group_key(world.resource(index)), index)).collect();
        wasting.par_sort_unstable();
        let mut groups: Vec<Group> = Vec::new();
        for same_key in wasting.chunk_by(|(one, _), (other, _)| one == other) {
            let taken = |index: ResourceIndex| world.resource(index).in_use_bytes();
            groups.extend(Group::of(same_key.iter().map(|(_, index)| (*index, waste(*index), taken(*index)))));
            // Bounds the memory for traces with many groups. Groups arrive in key order and complete, so that dropping
            // the smallest ones cannot change the result.
            if groups.len() > 100 * NAMED {
                keep_worst(&mut groups);
            }
        }
        keep_worst(&mut groups);
        groups.iter().map(|group| figures(world, group, padding[group.worst.0 as usize], sizes)).collect()
    }
}

/// Group key: name, description, backing and adapter.
fn group_key(resource: &Resource) -> (NameIndex, u32, &'static str, Option<AdapterId>) {
    (resource.name, resource.desc_number, resource.backing.name(), resource.id.adapter())
}

fn keep_worst(groups: &mut Vec<Group>) {
    groups.sort_by_key(|group| (Reverse(group.group_bytes), group.worst));
    groups.truncate(NAMED);
}

impl Group {
    /// Builds the group from its resources in order, with the waste and size of each; `None` without resources.
    fn of(mut members: impl Iterator<Item = (ResourceIndex, i128, u64)>) -> Option<Group> {
        let (worst, worst_bytes, in_use_bytes) = members.next()?;
        let in_use_bytes = u128::from(in_use_bytes);
        let first = Group { worst, worst_bytes, size: 1, group_bytes: worst_bytes, in_use_bytes };
        Some(members.fold(first, |mut group, (index, waste_bytes, in_use_bytes)| {
            group.in_use_bytes += u128::from(in_use_bytes);
            group.size += 1;
            group.group_bytes += waste_bytes;
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
        Backing::Committed { .. } | Backing::Reserved | Backing::Unknown => None,
    };
    let (size_bytes, alignment_bytes) =
        resource.allocation.map_or((0, 0), |allocation| (allocation.size_bytes, allocation.alignment_bytes));
    let advised = sizes.and_then(|sizes| Advised::of(resource, group.size, group.in_use_bytes, sizes));
    // If the padding is larger than the saving, another placement order is the better advice.
    let advised = advised.filter(|advised| advised.saving_bytes >= padding_bytes);
    WorstFigures {
        name: if named.is_empty() { resource.short_description() } else { named.to_owned() },
        resource: resource.id.0,
        group_size: group.size,
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
        group_waste_bytes: narrow_signed(group.group_bytes),
        advice: advice(resource, padding_bytes, advised.as_ref(), sizes.is_some()),
        advised,
    }
}

//! The resources for which alignment wastes most, and what to do about each.

use super::advice::advice;
use super::figures::narrow_signed;
use crate::world::{Backing, HeapWalk, Resource, ResourceIndex, World};
use foldhash::HashMap;
use serde::Serialize;
use taut_schemas::ResourceDesc;

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
}

/// What makes resources alike.
type Likeness<'a> = (&'a str, ResourceDesc, &'static str);

struct Group {
    worst: ResourceIndex,
    worst_bytes: i128,
    alike: u64,
    alike_bytes: i128,
}

impl WorstFigures {
    /// The worst of a world, with its heaps' walks; those that waste most together first.
    pub fn all(world: &World, walks: &[HeapWalk]) -> Vec<WorstFigures> {
        let padding = world.paddings(walks);
        let mut groups: HashMap<Likeness<'_>, Group> = HashMap::default();
        for (index, resource) in (0..).map(ResourceIndex).zip(&world.resources) {
            let waste_bytes = waste(resource, padding[index.0 as usize]);
            if waste_bytes <= 0 {
                continue;
            }
            let likeness = (world.resource_name(index), resource.desc, resource.backing.name());
            let new = Group { worst: index, worst_bytes: waste_bytes, alike: 0, alike_bytes: 0 };
            let group = groups.entry(likeness).or_insert(new);
            group.alike += 1;
            group.alike_bytes += waste_bytes;
            if waste_bytes > group.worst_bytes {
                (group.worst, group.worst_bytes) = (index, waste_bytes);
            }
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by_key(|group| (std::cmp::Reverse(group.alike_bytes), group.worst));
        groups.truncate(NAMED);
        groups.iter().map(|group| figures(world, group, padding[group.worst.0 as usize])).collect()
    }
}

fn waste(resource: &Resource, padding_bytes: u64) -> i128 {
    if resource.is_reserved() {
        return 0;
    }
    resource.rounding_bytes() + resource.granularity_bytes() + i128::from(padding_bytes)
}

fn figures(world: &World, group: &Group, padding_bytes: u64) -> WorstFigures {
    let resource = world.resource(group.worst);
    let at = world.moment(resource.created);
    let named = world.resource_name(group.worst);
    let heap = match resource.backing {
        Backing::Placed { heap, .. } => Some(heap.0),
        Backing::Committed { .. } | Backing::Reserved => None,
    };
    let (size_bytes, alignment_bytes) =
        resource.allocation.map_or((0, 0), |allocation| (allocation.size_bytes, allocation.alignment_bytes));
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
        advice: advice(resource, padding_bytes),
    }
}

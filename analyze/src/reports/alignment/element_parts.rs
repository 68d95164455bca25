//! Contributions to a figure of a heap type or of a cause of waste.

use super::causes::Cause;
use super::contributions::Part;
use super::measure::Measure;
use super::residency::memory_change;
use super::sweep::Sweep;
use crate::memory::{Extent, HeapIndex, Layout, Resource, ResourceIndex, Turn, World};
use std::collections::BTreeSet;
use taut_schemas::HeapType;

/// Heaps and committed resources of a heap type, at its peak or at the end; `None` if there is no such type or figure.
pub(super) fn of_residency(world: &World, name: &str, key: &str) -> Option<Vec<(Part, i128)>> {
    let found = world.changes.iter().filter_map(|change| memory_change(world, change.kind));
    let types: BTreeSet<HeapType> = found.map(|(heap_type, ..)| heap_type).collect();
    let wanted = match name.parse::<usize>() {
        Ok(place) => *types.iter().nth(place)?,
        Err(_) => *types.iter().find(|heap_type| format!("{heap_type:?}") == name)?,
    };
    let turn = match key {
        "peak_bytes" => fullest(world, wanted),
        "end_bytes" => Turn((world.changes.len() as u32).checked_sub(1)?),
        _ => return None,
    };
    let heaps = (0..).map(HeapIndex).zip(&world.heaps);
    let of_type = heaps.filter(|(_, heap)| heap.lives_after(turn) && heap.desc.properties.heap_type == wanted);
    let mut parts: Vec<(Part, i128)> =
        of_type.map(|(index, heap)| (Part::Heap(index), heap.size_bytes.into())).collect();
    let types = world.heap_types();
    let committed = alive(world, turn).filter(|(index, resource)| {
        resource.extent().is_none() && !resource.is_reserved() && types[index.0 as usize] == wanted
    });
    parts.extend(committed.map(|(index, resource)| (Part::Resource(index), resource.in_use_bytes().into())));
    Some(parts)
}

/// The change after which heaps of a type reach their peak.
fn fullest(world: &World, wanted: HeapType) -> Turn {
    let (mut bytes, mut max_bytes, mut at) = (0_u128, 0, Turn(0));
    for (turn, change) in (0..).map(Turn).zip(&world.changes) {
        let Some((_, changed, comes)) = memory_change(world, change.kind).filter(|(of, ..)| *of == wanted) else {
            continue;
        };
        bytes = if comes { bytes + changed } else { bytes.saturating_sub(changed) };
        if bytes > max_bytes {
            (max_bytes, at) = (bytes, turn);
        }
    }
    at
}

/// Resources or heaps that are wasted by a cause at the peak; `None` if there is no such cause or figure.
pub(super) fn of_cause(world: &World, name: &str, key: &str) -> Option<Vec<(Part, i128)>> {
    let cause = Cause::ALL.into_iter().find(|cause| cause.name() == name)?;
    if !["waste_bytes", "count"].contains(&key) {
        return None;
    }
    let Some(turn) = Sweep::over(world).peak(Measure::InUseBytes).turn else { return Some(Vec::new()) };
    let mut parts: Vec<(Part, i128)> = match heap_amount(cause) {
        Some(amount) => {
            let heaps = (0..).map(HeapIndex).zip(&world.heaps).filter(|(_, heap)| heap.lives_after(turn));
            let wasted = heaps.map(|(index, heap)| {
                let mut extents: Vec<Extent> = world.placed_after(heap, turn).filter_map(Resource::extent).collect();
                extents.sort_unstable();
                (Part::Heap(index), amount(&Layout::new(heap.size_bytes, extents)).into())
            });
            wasted.collect()
        }
        None => {
            let wasted =
                alive(world, turn).filter(|(_, resource)| resource.allocation.is_some()).map(|(index, resource)| {
                    let bytes = match cause {
                        Cause::CommittedGranularity => resource.granularity_bytes(),
                        cause if Cause::of_rounding(resource) == cause => resource.rounding_bytes(),
                        _ => 0,
                    };
                    (Part::Resource(index), bytes)
                });
            wasted.collect()
        }
    };
    parts.retain(|(_, bytes)| *bytes != 0);
    Some(parts)
}

/// Function that computes the waste of a heap due to a cause; `None` if the cause does not concern heaps.
fn heap_amount(cause: Cause) -> Option<fn(&Layout) -> u64> {
    let amount: fn(&Layout) -> u64 = match cause {
        Cause::OrderInHeaps => |layout| layout.best_order_saving_bytes,
        Cause::OtherPadding => |layout| layout.padding_bytes - layout.best_order_saving_bytes,
        Cause::Holes => |layout| layout.hole_bytes,
        Cause::Tails => |layout| if layout.covered_bytes > 0 { layout.tail_bytes } else { 0 },
        Cause::EmptyHeaps => |layout| if layout.covered_bytes == 0 { layout.tail_bytes } else { 0 },
        _ => return None,
    };
    Some(amount)
}

fn alive(world: &World, turn: Turn) -> impl Iterator<Item = (ResourceIndex, &Resource)> {
    (0..).map(ResourceIndex).zip(&world.resources).filter(move |(_, resource)| resource.lives_after(turn))
}

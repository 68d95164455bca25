//! Resources with the most waste, for a sortable table.

use crate::memory::{HeapWalk, ResourceIndex, World};
use serde::Serialize;

/// Maximum number of rows.
const ROWS: usize = 1000;

/// Resources; index i of each column belongs to resource i.
#[derive(Debug, Default, Serialize)]
pub(super) struct ResourceRows {
    /// Number of resources in the whole trace.
    of: u64,
    names: Vec<String>,
    /// Handles as text: JavaScript has no integers of 64 bits.
    handles: Vec<String>,
    kinds: Vec<&'static str>,
    phases: Vec<String>,
    requested_bytes: Vec<u64>,
    allocated_bytes: Vec<u64>,
    alignment_bytes: Vec<u64>,
    rounding_bytes: Vec<i64>,
    padding_bytes: Vec<u64>,
    granularity_bytes: Vec<i64>,
}

pub(super) fn resource_rows(world: &World, walks: &[HeapWalk]) -> ResourceRows {
    let paddings = world.paddings(walks);
    let mut worst: Vec<(i128, ResourceIndex)> = (0..)
        .map(ResourceIndex)
        .zip(&world.resources)
        .zip(&paddings)
        .filter(|((_, resource), _)| !resource.is_reserved() && resource.allocation.is_some())
        .map(|((index, resource), padding_bytes)| {
            (resource.rounding_bytes() + resource.granularity_bytes() + i128::from(*padding_bytes), index)
        })
        .collect();
    let order = |(waste_bytes, index): &(i128, ResourceIndex)| (std::cmp::Reverse(*waste_bytes), *index);
    // Selection before sorting: only the first rows need an order.
    if worst.len() > ROWS {
        worst.select_nth_unstable_by_key(ROWS, order);
        worst.truncate(ROWS);
    }
    worst.sort_unstable_by_key(order);
    let mut rows = ResourceRows { of: world.resources.len() as u64, ..Default::default() };
    for (_, index) in worst {
        let resource = world.resource(index);
        let Some(allocation) = resource.allocation else { continue };
        let narrow = |difference: i128| i64::try_from(difference).unwrap_or(i64::MAX);
        let name = match world.resource_name(index) {
            "" => resource.short_description(),
            name => name.to_owned(),
        };
        rows.names.push(name);
        rows.handles.push(resource.id.0.to_string());
        rows.kinds.push(resource.backing.name());
        rows.phases.push(resource.phase.map_or_else(String::new, |phase| world.phases[phase.0 as usize].name.clone()));
        rows.requested_bytes.push(resource.requested_bytes);
        rows.allocated_bytes.push(allocation.size_bytes);
        rows.alignment_bytes.push(allocation.alignment_bytes);
        rows.rounding_bytes.push(narrow(resource.rounding_bytes()));
        rows.padding_bytes.push(paddings[index.0 as usize]);
        rows.granularity_bytes.push(narrow(resource.granularity_bytes()));
    }
    rows
}

//! Contributors to failed budget checks of the alignment report: the resources and heaps that add up to the figure.

use super::{AlignmentFigures, Part, advice_on, contributions};
use crate::analysis::Analysis;
use crate::memory::{NameIndex, World};
use crate::render::{binary_bytes_signed, grouped};
use crate::reports::contributors::NAMED;
use crate::reports::figures::{FigureValue, Unit, find, parts};
use foldhash::HashMap;
use std::cmp::Reverse;

/// Group key: resources with the same name, description and backing, or heaps with the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum GroupKey {
    Resource(NameIndex, u32, &'static str),
    Heap(NameIndex),
}

/// Resources or heaps with the same key.
struct Group {
    /// The largest contributor.
    first: Part,
    first_amount: i128,
    count: u64,
    amount: i128,
}

/// Formats the largest contributors to a figure, at its moment and within its workload phase. Empty if the figure is
/// not a sum over resources or heaps. `place` is the path of the figure in the report.
pub(super) fn contributors(analysis: &Analysis, place: &str) -> Vec<String> {
    let Ok(world) = analysis.world() else { return Vec::new() };
    let mut groups: HashMap<GroupKey, Group> = HashMap::default();
    for (part, amount) in contributions(world, place).unwrap_or_default() {
        let group = groups.entry(group_key(world, part));
        let group = group.or_insert(Group { first: part, first_amount: amount, count: 0, amount: 0 });
        // Rounding and padding of a resource are two contributions of one resource.
        group.count += u64::from(group.count == 0 || group.first != part);
        group.amount += amount;
        if amount > group.first_amount {
            (group.first, group.first_amount) = (part, amount);
        }
    }
    let mut groups: Vec<Group> = groups.into_values().filter(|group| group.amount > 0).collect();
    groups.sort_by_key(|group| (Reverse(group.amount), sort_key(group.first)));
    groups.iter().take(NAMED).map(|group| format_contributor(analysis, world, group, place)).collect()
}

fn group_key(world: &World, part: Part) -> GroupKey {
    match part {
        Part::Resource(index) => {
            let resource = world.resource(index);
            GroupKey::Resource(resource.name, resource.desc_number, resource.backing.name())
        }
        Part::Heap(index) => GroupKey::Heap(world.heap(index).name),
    }
}

fn sort_key(part: Part) -> (bool, u32) {
    match part {
        Part::Resource(index) => (true, index.0),
        Part::Heap(index) => (false, index.0),
    }
}

fn format_contributor(analysis: &Analysis, world: &World, group: &Group, place: &str) -> String {
    let or = |name: &str, what: String| if name.is_empty() { what } else { name.to_owned() };
    let name = match group.first {
        Part::Resource(index) => or(world.resource_name(index), world.resource(index).short_description()),
        Part::Heap(index) => or(world.heap_name(index), "heaps without a name".to_owned()),
    };
    let key = match place.rsplit('.').next() {
        // The last key of a path such as `peaks.placed_bytes.value` does not have the unit.
        Some("value") => place.rsplit('.').nth(1).unwrap_or_default(),
        key => key.unwrap_or_default(),
    };
    let unit = find(AlignmentFigures::LINES, place).iter().rfind(|line| line.key == key).map(|line| line.unit);
    let amount = match unit {
        // A ratio of waste has bytes as parts.
        Some(Unit::Bytes | Unit::Ratio) => binary_bytes_signed(i64::try_from(group.amount).unwrap_or(i64::MAX)),
        _ => grouped(u64::try_from(group.amount).unwrap_or(u64::MAX)),
    };
    let is_waste = parts(AlignmentFigures::LINES, key).is_some_and(|parts| parts.is_waste);
    let count = grouped(group.count);
    match group.first {
        Part::Resource(index) if is_waste => {
            format!(
                "{name} ({count} alike) wastes {amount}: {}",
                advice_on(world, index, padding_before(world, place, group.first), analysis.sizes())
            )
        }
        _ => format!("{name} ({count} alike): {amount} of it"),
    }
}

/// Padding before a resource at the moment of a figure.
fn padding_before(world: &World, place: &str, part: Part) -> u64 {
    let moment = place.split('.').next().unwrap_or_default();
    let paddings = contributions(world, &format!("{moment}.padding_bytes")).unwrap_or_default();
    let amount = paddings.iter().find(|(padded, _)| *padded == part).map_or(0, |(_, amount)| *amount);
    u64::try_from(amount).unwrap_or_default()
}

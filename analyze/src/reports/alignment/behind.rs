//! What stands behind a broken limit on alignment: the resources and heaps that make up the figure.

use super::{Part, advice_on, contributions};
use crate::analysis::Analysis;
use crate::render::{binary_bytes_signed, grouped};
use crate::reports::behind::NAMED;
use crate::world::{NameIndex, World};
use foldhash::HashMap;
use std::cmp::Reverse;

/// Resources and heaps that are told as one: those of one name, and resources of one description and backing as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Likeness {
    Resource(NameIndex, u32, &'static str),
    Heap(NameIndex),
}

/// Those of one likeness.
struct Group {
    /// The one that makes up most.
    first: Part,
    first_amount: i128,
    alike: u64,
    amount: i128,
}

/// What makes up most of a figure, at its moment and in its part of the workload, those that make up most first; none if
/// the figure is no sum over resources or heaps. `place` is its place among the report's figures.
pub(super) fn behind(analysis: &Analysis, place: &str) -> Vec<String> {
    let Ok(world) = analysis.world() else { return Vec::new() };
    let mut groups: HashMap<Likeness, Group> = HashMap::default();
    for (part, amount) in contributions(world, place).unwrap_or_default() {
        let group = groups.entry(likeness(world, part));
        let group = group.or_insert(Group { first: part, first_amount: amount, alike: 0, amount: 0 });
        // Rounding and padding of one resource are two parts of it.
        group.alike += u64::from(group.alike == 0 || group.first != part);
        group.amount += amount;
        if amount > group.first_amount {
            (group.first, group.first_amount) = (part, amount);
        }
    }
    let mut groups: Vec<Group> = groups.into_values().filter(|group| group.amount > 0).collect();
    groups.sort_by_key(|group| (Reverse(group.amount), place_of(group.first)));
    groups.iter().take(NAMED).map(|group| told(analysis, world, group, place)).collect()
}

fn likeness(world: &World, part: Part) -> Likeness {
    match part {
        Part::Resource(index) => {
            let resource = world.resource(index);
            Likeness::Resource(resource.name, resource.desc_number, resource.backing.name())
        }
        Part::Heap(index) => Likeness::Heap(world.heap(index).name),
    }
}

fn place_of(part: Part) -> (bool, u32) {
    match part {
        Part::Resource(index) => (true, index.0),
        Part::Heap(index) => (false, index.0),
    }
}

fn told(analysis: &Analysis, world: &World, group: &Group, place: &str) -> String {
    let or = |name: &str, what: String| if name.is_empty() { what } else { name.to_owned() };
    let name = match group.first {
        Part::Resource(index) => or(world.resource_name(index), world.resource(index).what_it_is()),
        Part::Heap(index) => or(world.heap_name(index), "heaps without a name".to_owned()),
    };
    let key = match place.rsplit('.').next() {
        // `peaks.placed_bytes.value`
        Some("value") => place.rsplit('.').nth(1).unwrap_or_default(),
        key => key.unwrap_or_default(),
    };
    let amount = match key.ends_with("_bytes") || key == "waste_ratio" {
        true => binary_bytes_signed(i64::try_from(group.amount).unwrap_or(i64::MAX)),
        false => grouped(u64::try_from(group.amount).unwrap_or(u64::MAX)),
    };
    let alike = grouped(group.alike);
    match (key, group.first) {
        ("waste_ratio" | "rounding_bytes" | "granularity_bytes" | "padding_bytes", Part::Resource(index)) => {
            format!(
                "{name} ({alike} alike) wastes {amount}: {}",
                advice_on(world, (index, padding_before(world, place, group.first)), analysis.sizes())
            )
        }
        _ => format!("{name} ({alike} alike): {amount} of it"),
    }
}

/// The padding before a resource at the moment of a figure.
fn padding_before(world: &World, place: &str, part: Part) -> u64 {
    let moment = place.split('.').next().unwrap_or_default();
    let paddings = contributions(world, &format!("{moment}.padding_bytes")).unwrap_or_default();
    let amount = paddings.iter().find(|(padded, _)| *padded == part).map_or(0, |(_, amount)| *amount);
    u64::try_from(amount).unwrap_or_default()
}

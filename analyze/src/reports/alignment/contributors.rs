//! Contributors to failed budget checks of the alignment report: changes since the baseline, causes of waste, or the
//! resources and heaps that add up to the figure.

use super::growth::growth;
use super::{
    AlignmentFigures, Cause, CauseFigures, Change, ChangeFigures, Part, ResourceFigures, advice_on, contributions,
};
use crate::analysis::Analysis;
use crate::memory::{NameIndex, World};
use crate::render::{binary_bytes, binary_bytes_signed, grouped};
use crate::reports::Found;
use crate::reports::contributors::{NAMED, list, text};
use crate::reports::figures::{FigureValue, Unit, find, parts};
use foldhash::HashMap;
use serde_json::Value;
use std::cmp::Reverse;

/// Largest resources named with growth of data.
const LARGEST: usize = 2;

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

/// Formats the largest contributors to the figure at a path in the report: with a baseline what changed since it, of
/// waste at the peak the causes, else resources and heaps.
pub(super) fn contributors(place: &str, found: &Found<'_>) -> Vec<String> {
    let changed = found.baseline.map_or_else(Vec::new, |baseline| growth(place, found.figures, baseline));
    // A sum of data does not name the resources that it is made of.
    let largest = match (changed.first(), found.analysis) {
        (Some(first), Some(analysis)) if first.is_data => objects(analysis, "peak.requested_bytes"),
        _ => Vec::new(),
    };
    let largest =
        largest.into_iter().take(LARGEST).map(|resource| format!("among the largest in this trace: {resource}"));
    let changed: Vec<String> = changed.into_iter().map(|part| part.text).collect();
    let parts = if changed.is_empty() { causes(place, found.figures) } else { changed };
    let shrunk = found.baseline.and_then(|baseline| shrunk_data(place, found.figures, baseline));
    let lines: Vec<String> = shrunk.into_iter().chain(parts).chain(largest).collect();
    match found.analysis {
        Some(analysis) if lines.is_empty() => {
            let parts = objects(analysis, place);
            // With a baseline, a large part must not be read as a change.
            match found.baseline {
                Some(_) => parts.into_iter().map(|part| format!("a part in this trace, new or not: {part}")).collect(),
                None => parts,
            }
        }
        _ => lines,
    }
}

/// Explains a share of waste that rises although the waste does not: the data shrank more.
fn shrunk_data(place: &str, figures: &Value, baseline: &Value) -> Option<String> {
    if place != "peak.waste_ratio" {
        return None;
    }
    let peak = AlignmentFigures::KEY.peak;
    let bytes = |figures: &Value, key: &str| figures[peak][key].as_u64();
    let waste = |figures: &Value| -> Option<u64> {
        ["rounding_bytes", "padding_bytes", "granularity_bytes"].iter().map(|key| bytes(figures, key)).sum()
    };
    let ratio = |figures: &Value| figures[peak]["waste_ratio"].as_f64();
    let (before, after) = (waste(baseline)?, waste(figures)?);
    if after > before || ratio(figures)? <= ratio(baseline)? {
        return None;
    }
    let data = |figures: &Value| bytes(figures, ResourceFigures::KEY.requested_bytes).map(binary_bytes);
    Some(format!(
        "the waste does not grow ({} → {}): its share rises because the data shrinks ({} → {})",
        binary_bytes(before),
        binary_bytes(after),
        data(baseline)?,
        data(figures)?
    ))
}

/// Formats the causes of waste at the peak, those with the largest waste first. Empty for other figures.
fn causes(place: &str, figures: &Value) -> Vec<String> {
    let (cause_key, change_key) = (CauseFigures::KEY, ChangeFigures::KEY);
    let counts: fn(Cause) -> bool = match place {
        "peak.waste_ratio" => |cause| !matches!(cause, Cause::Holes | Cause::Tails | Cause::EmptyHeaps),
        "peak.rounding_bytes" => Cause::is_rounding,
        "peak.padding_bytes" => |cause| matches!(cause, Cause::OrderInHeaps | Cause::OtherPadding),
        _ => return Vec::new(),
    };
    let bytes = |cause: &Value| cause[cause_key.waste_bytes].as_i64().unwrap_or_default();
    let mut wasting: Vec<(Cause, &Value)> = list(&figures[AlignmentFigures::KEY.causes])
        .iter()
        .filter_map(|figures| Some((Cause::named(text(&figures[cause_key.name]))?, figures)))
        .filter(|(cause, figures)| counts(*cause) && bytes(figures) > 0)
        .collect();
    wasting.sort_by_key(|(cause, figures)| (Reverse(bytes(figures)), *cause));
    let line = |(cause, figures): (Cause, &Value)| {
        let count = figures[cause_key.count].as_u64().unwrap_or_default();
        let first = &figures[cause_key.changes][0];
        let change = Change::named(text(&first[change_key.change])).map_or_else(String::new, |change| {
            let saving = binary_bytes(first[change_key.saving_bytes].as_u64().unwrap_or_default());
            format!("; {} saves {saving}", change.in_brief())
        });
        format!("{} wasted: {}{change}", binary_bytes_signed(bytes(figures)), cause.counted(count))
    };
    wasting.into_iter().take(NAMED).map(line).collect()
}

/// Formats the largest contributors among resources and heaps, at the figure's moment and within its workload phase.
/// Empty if the figure is not a sum over resources or heaps.
fn objects(analysis: &Analysis, place: &str) -> Vec<String> {
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
        Part::Heap(index) => or(world.heap_name(index), "unnamed heaps".to_owned()),
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
                "{name} (×{count}) wastes {amount}: {}",
                advice_on(world, index, padding_before(world, place, group.first), analysis.sizes())
            )
        }
        _ => format!("{name} (×{count}): {amount}"),
    }
}

/// Padding before a resource at the moment of a figure.
fn padding_before(world: &World, place: &str, part: Part) -> u64 {
    let moment = place.split('.').next().unwrap_or_default();
    let paddings = contributions(world, &format!("{moment}.padding_bytes")).unwrap_or_default();
    let amount = paddings.iter().find(|(padded, _)| *padded == part).map_or(0, |(_, amount)| *amount);
    u64::try_from(amount).unwrap_or_default()
}

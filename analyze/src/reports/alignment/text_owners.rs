//! Text of the alignment report: memory by tag, heap types, possible memory sharing.

use super::{AliasingFigures, AlignmentFigures, Owners, ResidencyFigures};
use crate::render::{TextTable, binary_bytes, binary_bytes_signed, grouped, percent};

/// Maximum number of groups listed per dimension, except for the name dimensions.
const MAX_GROUPS: usize = 6;

/// The tables that apply.
pub(super) fn tables(figures: &AlignmentFigures) -> Vec<TextTable> {
    let mut tables = Vec::new();
    if !figures.memory_by_group.by_heap_type.is_empty() {
        tables.push(owners(&figures.memory_by_group, figures.gaps.resources_of_snapshot == 0));
    }
    if !figures.residency.is_empty() {
        tables.push(residency(&figures.residency));
    }
    if figures.aliasing.iter().any(|one| !one.pairs.is_empty()) {
        tables.push(aliasing(&figures.aliasing));
    }
    tables
}

fn owners(owners: &Owners, has_requests: bool) -> TextTable {
    let rendered = |rendered: String| if has_requests { rendered } else { "\u{2013}".to_owned() };
    let caption = "Resource memory by tag at peak, largest first. Wasted: rounding and granularity";
    let titles = ["Tag", "Group", "Count", "Requested", "Memory", "Wasted"];
    let table = TextTable::new(caption, titles).words(1);
    let mut table = table.by_importance(&["Group", "Memory", "Wasted", "Requested"]);
    for (way, all) in owners.all() {
        // Only glTF scenes have nodes.
        if way == "node" && all.iter().all(|owner| owner.name.is_none()) {
            continue;
        }
        let max_rows = if matches!(way, "name" | "node") { all.len() } else { MAX_GROUPS };
        for owner in all.iter().take(max_rows) {
            let cells = [
                owner.name.clone().unwrap_or_else(|| "none".to_owned()),
                grouped(owner.resources),
                rendered(binary_bytes(owner.requested_bytes)),
                binary_bytes(owner.in_use_bytes),
                rendered(binary_bytes_signed(owner.waste_bytes)),
            ];
            table.row(way, cells);
        }
    }
    table
}

fn residency(types: &[ResidencyFigures]) -> TextTable {
    let caption = "Allocated memory by heap type, including implicit heaps";
    let has_budgets = types.iter().any(|one| one.budget_bytes.is_some());
    let titles = ["Heap type", "Peak", "At the end", "Budget", "Time over budget"];
    let mut table = TextTable::new(caption, titles.into_iter().take(if has_budgets { 5 } else { 3 }));
    for one in types {
        let mut cells = vec![binary_bytes(one.peak_bytes), binary_bytes(one.end_bytes)];
        if has_budgets {
            let none = || "\u{2013}".to_owned();
            cells.push(one.budget_bytes.map_or_else(none, binary_bytes));
            cells.push(one.over_budget_ratio.map_or_else(none, percent));
        }
        table.row(one.name.clone(), cells);
    }
    table
}

fn aliasing(types: &[AliasingFigures]) -> TextTable {
    let caption = "Possible aliasing of transient resources (released before the end of the trace) whose lifetimes never \
                   overlap, by heap type";
    let titles = ["Heap type", "Resources", "Without aliasing", "Ranges", "With aliasing", "Peak live", "Example"];
    let table = TextTable::new(caption, titles).words(6);
    let mut table = table.by_importance(&["With aliasing", "Without aliasing", "Example"]);
    for one in types {
        let pair = one.pairs.first().map_or_else(String::new, |pair| format!("{}, then {}", pair.first, pair.then));
        let cells = [
            grouped(one.resources),
            binary_bytes(one.in_use_bytes),
            grouped(one.slots),
            binary_bytes(one.slot_bytes),
            binary_bytes(one.live_bytes),
            pair,
        ];
        table.row(one.name.clone(), cells);
    }
    table
}

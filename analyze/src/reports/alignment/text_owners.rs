//! Text of the alignment report: memory by group, heap types, possible memory sharing.

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
    let caption = "Memory by tag at the peak, largest first";
    let titles = ["By", "Group", "Resources", "Requested", "Allocated", "Rounding and granularity"];
    let mut table = TextTable::new(caption, titles).words(1).by_importance(&["Group", "Allocated"]);
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
    let caption = "What heaps of each type hold, implicit ones among them";
    let has_budgets = types.iter().any(|one| one.budget_bytes.is_some());
    let titles = ["Type", "At most", "At the end", "Budget", "Time above it"];
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
    let caption = "Resources that are released before the end, and the memory that is enough if those share it whose lives \
                   never overlap";
    let titles = ["Type", "Resources", "Taken one by one", "Pieces", "Shared", "Live at most", "Such as"];
    let table = TextTable::new(caption, titles).words(6);
    let mut table = table.by_importance(&["Shared", "Taken one by one", "Such as"]);
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

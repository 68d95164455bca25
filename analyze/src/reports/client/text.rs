//! Text of the client report.

use super::ClientFigures;
use crate::render::{Document, TextTable, binary_bytes, counted, grouped};
use crate::reports::verdict::listed;

/// Maximum number of table rows.
const ROWS: usize = 20;

pub(super) fn document(figures: &ClientFigures) -> Document {
    let mut document = Document::new("Client: calls of the program, and work that was not executed");
    document.text(work(figures));
    document.text(objects(figures));
    if !figures.unsupported.is_empty() {
        let mut table = TextTable::new("Methods that were not executed", ["Method", "Slot", "Calls, at least"]);
        for method in figures.unsupported.iter().take(ROWS) {
            let name = format!("{}::{}", method.interface, method.method);
            table.row(name, [method.slot.to_string(), grouped(method.count)]);
        }
        document.table(table);
    }
    if !figures.after_release.is_empty() {
        let mut table = TextTable::new("Calls of released objects", ["Method", "Calls, at least"]);
        for method in figures.after_release.iter().take(ROWS) {
            table.row(format!("{}::{}", method.interface, method.method), [grouped(method.count)]);
        }
        document.table(table);
    }
    let refused: Vec<_> = figures.queried.iter().filter(|query| query.returned != "S_OK").collect();
    if !refused.is_empty() {
        let mut table = TextTable::new("Refused interfaces", ["Interface", "Result", "Queries, at least"]).words(1);
        for query in refused.into_iter().take(ROWS) {
            table.row(&query.interface, [query.returned.clone(), grouped(query.count)]);
        }
        document.table(table);
    }
    if !figures.in_progress.is_empty() {
        let mut table = TextTable::new("Calls in progress at the end", ["Call", "Thread"]);
        for open in &figures.in_progress {
            table.row(&open.call, [open.thread.to_string()]);
        }
        document.table(table);
    }
    if !figures.objects.is_empty() {
        let mut table = TextTable::new("Objects", ["Kind", "Created", "Alive", "Names"]).words(3);
        for objects in &figures.objects {
            let cells = [grouped(objects.created), grouped(objects.alive), objects.names.join(", ")];
            table.row(&objects.kind, cells);
        }
        document.table(table);
    }
    let mut table = TextTable::new("Most frequent calls", ["Method", "Calls"]);
    for calls in figures.calls.iter().take(ROWS) {
        let name = if calls.interface.is_empty() {
            calls.method.clone()
        } else {
            format!("{}::{}", calls.interface, calls.method)
        };
        table.row(name, [grouped(calls.count)]);
    }
    document.table(table);
    document
}

/// Work that was not executed, one phrase per kind.
pub(super) fn not_executed(figures: &ClientFigures) -> Vec<String> {
    let plural = |count: u64, one: &str, many: &str| {
        (count > 0).then(|| format!("{} {}", grouped(count), if count == 1 { one } else { many }))
    };
    let kinds = [
        plural(figures.draws_not_executed, "draw", "draws"),
        plural(figures.dispatches_not_executed, "dispatch", "dispatches"),
        plural(figures.indirect_not_executed, "indirect execution", "indirect executions"),
        plural(figures.copies_not_executed, "copy without memory", "copies without memory"),
        plural(figures.clears_not_executed, "clear of an unknown view", "clears of unknown views"),
    ];
    kinds.into_iter().flatten().collect()
}

/// Calls, and the work that was not executed.
pub(super) fn work(figures: &ClientFigures) -> String {
    let parts = not_executed(figures);
    let parts = if parts.is_empty() { "nothing".to_owned() } else { listed(&parts) };
    format!(
        "{} of {}, {}; recorded, not executed: {parts}; {} copied, {} written by the program.",
        counted(figures.total_calls, "call"),
        counted(figures.calls.len() as u64, "method"),
        counted(figures.submissions, "submission"),
        binary_bytes(figures.copied_bytes),
        binary_bytes(figures.mapped_writes_bytes)
    )
}

/// Objects that are not released.
pub(super) fn objects(figures: &ClientFigures) -> String {
    let created = figures.objects.iter().map(|objects| objects.created).sum();
    let alive = figures.objects.iter().filter(|objects| objects.alive > 0);
    let alive: Vec<String> = alive.map(|objects| counted(objects.alive, &objects.kind)).collect();
    if alive.is_empty() {
        return format!("All {} are released.", counted(created, "object"));
    }
    let total = figures.objects_alive;
    format!("{} of {} alive at the end: {}.", grouped(total), counted(created, "object"), listed(&alive))
}

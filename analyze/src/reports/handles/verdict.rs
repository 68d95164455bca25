//! Headline verdict of the handles report: false sharing first, then memory.

use super::lines::TRUE_SHARING;
use super::{HandlesFigures, LineFigures};
use crate::render::{binary_bytes, counted, grouped};
use crate::reports::verdict::{NO_VALUE, listed, sentence};
use crate::reports::{Figure, Verdict};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Maximum number of calls that the sentence names; it counts further ones.
const MAX_CALLS: usize = 2;
/// Maximum number of broken rules that the sentence names; it counts more.
const MAX_RULES: u64 = 4;
/// Maximum number of contexts that the sentence names.
const MAX_CONTEXTS: usize = 8;

/// Command that adds the accesses to a trace.
pub(super) const RECORD_ACCESSES: &str = "taut replay FILE --setting handle_accesses=true -o NEW";

/// Builds the verdict.
pub(super) fn verdict(figures: &HandlesFigures) -> Verdict {
    let mut parts = vec![sharing(figures)];
    let broken: Vec<String> =
        figures.audits.iter().filter(|audit| !audit.ok).map(|audit| audit.rule.to_string()).collect();
    match broken.len() as u64 {
        0 => {}
        1 => parts.push(format!("handle rule {} is broken", broken[0])),
        2..=MAX_RULES => parts.push(format!("handle rules {} are broken", listed(&broken))),
        count => parts.push(format!("{} handle rules are broken", grouped(count))),
    }
    parts.push(memory(figures));
    let lines = match figures.shared_lines {
        Some(lines) => Figure::count("lines written by more than one context", lines),
        None => Figure {
            value: Value::Null,
            ..Figure::count("lines written by more than one context", 0).with_text(NO_VALUE)
        },
    };
    Verdict {
        sentence: sentence(figures.whole, &parts.join("; ")),
        figures: [
            Figure::bytes("peak handle memory", figures.peak_bytes),
            Figure::bytes("more than with one deferred context", figures.cost.extra_bytes),
            lines,
        ],
        advice: advice(figures),
    }
}

/// The cache line that moved most of those that several contexts write to.
fn worst_line(figures: &HandlesFigures) -> Option<&LineFigures> {
    // The list is in descending order of transfers.
    figures.contended.iter().find(|line| line.written_by_several)
}

/// False sharing, with the worst line, its contexts and calls.
fn sharing(figures: &HandlesFigures) -> String {
    let line_bytes = figures.cache_line_bytes;
    let Some(shared) = figures.shared_lines else {
        return "false sharing is unknown, because the trace has no accesses to handle memory".to_owned();
    };
    if shared == 0 {
        let lines = counted(figures.lines.unwrap_or_default(), "cache line");
        return format!("no false sharing: none of {lines} of {line_bytes} B is written by more than one context");
    }
    let lines = format!("{} of {line_bytes} B", counted(shared, "cache line"));
    let kind = worst_line(figures).map_or("false", |line| line.sharing);
    let Some(worst) = worst_line(figures) else {
        return format!("false sharing: {lines} written by more than one context");
    };
    let contexts = match worst.between.len() {
        0 => "several contexts".to_owned(),
        _ => {
            let mut ids = worst.between.clone();
            ids.sort_unstable();
            let ids: Vec<String> = ids.iter().take(MAX_CONTEXTS).map(u64::to_string).collect();
            // The list of contexts is limited.
            let or_more = if ids.len() == MAX_CONTEXTS { "at least the " } else { "" };
            format!("{or_more}contexts {}", listed(&ids))
        }
    };
    // The number of writes follows from the calls; that of transfers depends on thread timing.
    let writes = counted(worst.total_writes, "write");
    let place = match shared {
        1 => format!("(0x{:x}) has {writes} of {contexts}", worst.address),
        _ => format!("written by more than one context, most often 0x{:x} with {writes} of {contexts}", worst.address),
    };
    format!("{kind} sharing: {lines} {place}{}", in_calls(worst))
}

/// The calls that access the line, those with most accesses first: their numbers do not depend on thread timing as the
/// order of transfers does.
fn in_calls(line: &LineFigures) -> String {
    let mut accesses: BTreeMap<&str, u64> = BTreeMap::new();
    for word in &line.words {
        *accesses.entry(&word.call).or_default() += word.reads + word.writes;
    }
    let mut calls: Vec<(&str, u64)> = accesses.into_iter().collect();
    calls.sort_by_key(|(_, count)| Reverse(*count));
    let mut named: Vec<String> = calls.iter().take(MAX_CALLS).map(|(call, _)| (*call).to_owned()).collect();
    if let Some(more) = calls.len().checked_sub(MAX_CALLS).filter(|more| *more > 0) {
        named.push(counted(more as u64, "other call"));
    }
    if named.is_empty() { String::new() } else { format!(" in {}", listed(&named)) }
}

fn memory(figures: &HandlesFigures) -> String {
    let contexts = counted(figures.contexts.len() as u64, "context");
    let (bytes, handles) = (binary_bytes(figures.peak_bytes), counted(figures.peak_handles, "handle"));
    let allocated = binary_bytes(figures.peak_allocated_bytes);
    let text = format!("at peak {handles} of {contexts} occupy {bytes} ({allocated} allocated)");
    let cost = &figures.cost;
    if cost.contexts <= 1 {
        return text;
    }
    let contexts = counted(cost.contexts, "deferred context");
    match cost.extra_bytes {
        0 => format!("{text}; {contexts} open nothing that one context would not open"),
        bytes => {
            let more = binary_bytes(bytes);
            format!("{text}; in the whole recording {contexts} open {more} more than one context would")
        }
    }
}

/// The change of a field's placement that saves most.
fn field_advice(figures: &HandlesFigures) -> Option<String> {
    let field = figures.fields.first()?;
    let placement = field.recommended_placement?;
    let one = field.alternatives.iter().find(|one| one.placement == placement)?;
    let (before, after) = (figures.line_touches.unwrap_or_default(), one.predicted_line_touches);
    let (old, new) = (binary_bytes(figures.peak_bytes), binary_bytes(one.predicted_peak_bytes));
    let memory = if old == new { String::new() } else { format!(", peak memory {new} in place of {old}") };
    Some(format!(
        "Place {}.{} as {placement}: {} in place of {} accessed in calls{memory}. Check with a replay of this trace: `taut \
         replay TRACE --setting {} --setting handle_accesses=true -o NEW`.",
        field.handle_type,
        field.field,
        counted(after, "cache line"),
        grouped(before),
        one.setting
    ))
}

/// Release of lists that hold memory after their only execution.
fn list_advice(figures: &HandlesFigures) -> Option<String> {
    let lists = &figures.command_lists;
    (lists.retained > 0).then(|| {
        format!(
            "Release command lists after ExecuteCommandList: {} executed once and retained while their context finished another \
             one, which hold {}.",
            counted(lists.retained, "command list"),
            binary_bytes(lists.retained_bytes)
        )
    })
}

/// Transfers between contexts of the listed lines that several contexts write to, out of `shared` such lines.
fn saved_transfers(figures: &HandlesFigures, shared: u64) -> String {
    let written = || figures.contended.iter().filter(|line| line.written_by_several);
    let transfers = counted(written().map(|line| line.transfers).sum(), "transfer");
    if (written().count() as u64) < shared { format!("listed {transfers}") } else { transfers }
}

fn advice(figures: &HandlesFigures) -> Option<String> {
    match figures.shared_lines {
        None => Some(format!("Record accesses to handle memory: `{RECORD_ACCESSES}`.")),
        Some(0) => field_advice(figures).or_else(|| list_advice(figures)),
        Some(_) if worst_line(figures).is_some_and(|line| line.sharing == TRUE_SHARING) => {
            let copies = "Give each context its own copy of the words that several contexts write: padding does not separate them.";
            Some(match field_advice(figures) {
                Some(field) => format!("{copies} {field}"),
                None => copies.to_owned(),
            })
        }
        Some(shared) => {
            let bytes = figures.cache_line_bytes;
            Some(format!(
                "In the driver, pad per-context data to {bytes} B and align it to {bytes} B: no cache line then has data of two contexts, which \
                 saves all {} between cores (in this recording; their number depends on thread timing). In the application, only \
                 recording on a single deferred context avoids it.",
                saved_transfers(figures, shared)
            ))
        }
    }
}

//! `taut diff`: differences between two traces.

use super::analyze::verdict_text;
use crate::args::{Common, Diff};
use crate::failure::failure;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use taut_analyze::diff::{CallDiff, FieldDiff, FigureDiff, SwapChainDiff, TraceDiff};
use taut_analyze::render::{binary_bytes, grouped};
use taut_app::diff::{ComparedTrace, Differences, compare};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{folded, print, print_json, ranked_table, table};
use taut_console::traces::{check_stdin, name, open, report_damage};
use taut_schemas::counted;

/// Compares the traces and prints the differences.
pub fn run(diff: &Diff, common: Common) -> Outcome {
    check_stdin([diff.a.as_os_str(), diff.b.as_os_str()])?;
    let (a, b) = (compared(&diff.a)?, compared(&diff.b)?);
    let differences = compare(&a, &b).map_err(failure)?;
    let Differences { found, verdict } = &differences;
    if common.json {
        print_json(&differences.json().map_err(failure)?)?;
    } else {
        print(&(verdict_text(verdict) + &as_text(found, diff.limit)))?;
    }
    let status = if found.is_identical() { Status::Fine } else { Status::Found };
    let damage = |file, of: &ComparedTrace| report_damage(file, &of.trace, of.trace.damage());
    Ok(status.max(damage(&diff.a, &a).max(damage(&diff.b, &b))))
}

fn compared(file: &Path) -> Result<ComparedTrace, Failure> {
    Ok(ComparedTrace { path: file.display().to_string(), name: name(file), trace: Arc::new(open(file)?) })
}

/// Default maximum of rows in a table.
const MAX_ROWS: usize = 24;
/// Maximum of rows in the other tables if presents differ, so that all tables fit on a screen.
const ROWS_WITH_PRESENTS: usize = 6;

fn as_text(found: &TraceDiff, limit: Option<usize>) -> String {
    if found.is_identical() {
        return String::new();
    }
    let presents = present_diff_text(&found.presents);
    match (presents.is_empty(), limit) {
        (false, None) => {
            let rows = ROWS_WITH_PRESENTS;
            format!("{presents}\n{}{}", calls_in_short(&found.calls), figures(&found.figures, rows))
        }
        (_, limit) => {
            let rows = limit.unwrap_or(MAX_ROWS);
            format!("{presents}\n{}{}", calls(&found.calls, rows), figures(&found.figures, rows))
        }
    }
}

/// Tables of the swap chains whose presents differ; empty if none do.
pub fn present_diff_text(chains: &[SwapChainDiff]) -> String {
    chains.iter().map(|chain| format!("\n{}", present(chain))).collect()
}

/// Numbers of differing calls by name. If presents differ, so do hundreds of inputs of simulated time, too many for a
/// table.
fn calls_in_short(calls: &CallDiff) -> String {
    let mut by_name: BTreeMap<&str, u64> = BTreeMap::new();
    for field in &calls.fields {
        let max_count = by_name.entry(&field.call).or_default();
        *max_count = (*max_count).max(field.count);
    }
    let in_words = |names: Vec<(&str, u64)>| {
        let words = names.into_iter().map(|(name, count)| format!("{} {name}", grouped(count)));
        words.collect::<Vec<_>>().join(", ")
    };
    let alone = |names: &BTreeMap<String, u64>| in_words(names.iter().map(|(name, n)| (name.as_str(), *n)).collect());
    let parts = [
        ("calls that differ", in_words(by_name.into_iter().collect())),
        ("in the first alone", alone(&calls.only_in_a)),
        ("in the second alone", alone(&calls.only_in_b)),
    ];
    let nonempty = parts.iter().filter(|(_, names)| !names.is_empty());
    let text: String = nonempty.map(|(part, names)| format!("{part}: {names}\n")).collect();
    if text.is_empty() { text } else { text + &format!("--limit {MAX_ROWS} lists each\n") }
}

/// Table of the figures of a swap chain that differ.
fn present(chain: &SwapChainDiff) -> String {
    let rows = chain.figures.iter().map(|figure| {
        let (name, a, b) = (figure.figure.as_str(), &figure.a, &figure.b);
        [present_name(name), present_amount(name, a), present_amount(name, b), moved(a, b)]
    });
    table(&[&format!("swap chain {}", chain.place), "first", "second", "moved by"], &[1, 2, 3], rows)
}

/// Readable form of a figure's key: `latency.p95_ns` becomes `latency, p95, ms`.
fn present_name(key: &str) -> String {
    let (words, unit) = match (key.strip_suffix("_ns"), key.strip_suffix("_gb_per_s")) {
        (Some(words), _) => (words, ", ms"),
        (_, Some(words)) => (words, ", GB/s"),
        _ => (key, ""),
    };
    let words = match words.strip_prefix("latency.") {
        Some(statistic) => format!("total latency.{statistic}"),
        None if words == "dram" => "system memory".to_owned(),
        None if words == "sync.p50" => "fence wait.p50".to_owned(),
        None => words.to_owned(),
    };
    format!("{}{unit}", words.replace('.', ", ").replace("copy_", "copy ").replace('_', " "))
}

fn present_amount(key: &str, value: &Value) -> String {
    match (value, value.as_u64(), value.as_f64()) {
        (Value::Null, ..) => "–".to_owned(),
        (Value::String(words), ..) => words.clone(),
        (_, _, Some(ns)) if key.ends_with("_ns") => format!("{:.3}", ns / 1e6),
        (_, Some(number), _) => grouped(number),
        (_, _, Some(number)) => format!("{number:.3}"),
        (value, ..) => value.to_string(),
    }
}

/// Relative change in percent; empty if a value is not a number or the first is 0.
fn moved(a: &Value, b: &Value) -> String {
    match a.as_f64().zip(b.as_f64()) {
        Some((a, b)) if a == b => "unchanged".to_owned(),
        Some((a, b)) if a != 0.0 => format!("{:+.1} %", (b - a) / a * 100.0).replace('-', "−"),
        _ => String::new(),
    }
}

fn calls(calls: &CallDiff, limit: usize) -> String {
    let mut text = String::new();
    let mut add_line = |count: u64, thing: &str, what: &str| {
        if count > 0 {
            text += &format!("{} {what}\n", counted(count, thing));
        }
    };
    add_line(calls.skipped_in_b, "call", "skipped by the second, for want of an object");
    add_line(calls.skipped_in_a, "call", "skipped by the first, for want of an object");
    let mut alone = |count: u64, name: &str, edit: &str| text += &format!("{} {name} {edit}\n", grouped(count));
    calls.only_in_a.iter().for_each(|(name, count)| alone(*count, name, "removed: in the first alone"));
    calls.only_in_b.iter().for_each(|(name, count)| alone(*count, name, "inserted: in the second alone"));
    if !calls.alone.is_empty() {
        let rows = calls.alone.iter().take(limit);
        let rows = rows.map(|one| [one.call.clone(), one.edit.to_owned(), format!("{}:{}", one.thread, one.position)]);
        let more = more((calls.removed() + calls.inserted()) as usize, limit);
        text += &format!("{}{more}", table(&["call", "edit", "thread:call"], &[], rows));
    }
    if !calls.fields.is_empty() {
        let rows = calls.fields.iter().take(limit).map(field_row);
        let heading = ["call", "part", "field", "pairs", "thread:call", "first", "second"];
        text += &format!("{}{}", ranked_table(&heading, &[3], &[2, 5, 6], rows), more(calls.fields.len(), limit));
    }
    if !calls.messages.is_empty() {
        let rows = calls.messages.iter().map(|message| {
            [message.severity.clone(), message.message_id.clone(), grouped(message.count_a), grouped(message.count_b)]
        });
        text += &format!("\n{}", table(&["severity", "message", "first", "second"], &[2, 3], rows));
    }
    text
}

fn field_row(field: &FieldDiff) -> [String; 7] {
    let shown = |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), plain);
    [
        field.call.clone(),
        field.part.to_owned(),
        field.field.clone(),
        grouped(field.count),
        format!("{}:{}", field.first_thread, field.first_position),
        shown(&field.first_a),
        shown(&field.first_b),
    ]
}

/// Maximum length of a value in a table, in characters; longer values are cut.
const SHOWN_CHARS: usize = 20;

fn plain(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    if text.chars().count() <= SHOWN_CHARS { text } else { text.chars().take(SHOWN_CHARS).collect::<String>() + "…" }
}

fn figures(figures: &[FigureDiff], limit: usize) -> String {
    if figures.is_empty() {
        return "\nevery report figure is the same\n".to_owned();
    }
    let mut by_size: Vec<&FigureDiff> = figures.iter().collect();
    // The allocated memory of the application comes first: sums of resources hide it.
    by_size.sort_by_key(|figure| (figure.figure != ALLOCATED, std::cmp::Reverse(change(figure))));
    let rows = by_size
        .into_iter()
        .take(limit)
        .map(|figure| [figure.figure.clone(), amount(&figure.figure, &figure.a), amount(&figure.figure, &figure.b)]);
    let rows: Vec<_> = rows.collect();
    let counted = memory_sums(rows.iter().map(|[figure, ..]| figure.as_str()));
    format!("\n{}{}{counted}", table(&["figure", "first", "second"], &[1, 2], rows), more(figures.len(), limit))
}

/// Figure of the peak of allocated memory.
const ALLOCATED: &str = "alignment.peak_real.real_bytes";

/// Sums of memory at one moment, and what each counts.
const MEMORY_SUMS: [(&str, &str); 4] = [
    ("allocated_bytes", "SizeInBytes of all resources"),
    ("in_use_bytes", "SizeInBytes of placed resources and the implicit heaps of committed ones (resource memory)"),
    ("placed_bytes", "SizeInBytes of placed resources"),
    ("real_bytes", "heaps and implicit heaps (allocated memory of the application)"),
];

/// Explains the sums of memory among these figures, so that their differences are not taken for contradictions.
fn memory_sums<'f>(figures: impl Iterator<Item = &'f str> + Clone) -> String {
    let is_shown = |key: &str| figures.clone().any(|figure| figure.rsplit('.').next() == Some(key));
    let sums = MEMORY_SUMS.iter().filter(|(key, _)| is_shown(key));
    let sums: Vec<String> = sums.map(|(key, meaning)| format!("{key}: {meaning}")).collect();
    if sums.len() < 2 { String::new() } else { folded(&format!("{}\n", sums.join("; "))) }
}

/// Absolute change of a figure. Values that are not unsigned integers count as 0.
fn change(figure: &FigureDiff) -> u64 {
    figure.a.as_u64().unwrap_or(0).abs_diff(figure.b.as_u64().unwrap_or(0))
}

fn amount(figure: &str, value: &Value) -> String {
    match (value.as_u64(), value) {
        (Some(bytes), _) if figure.ends_with("_bytes") => format!("{} ({})", grouped(bytes), binary_bytes(bytes)),
        (Some(number), _) => grouped(number),
        (None, Value::Null) => "none".to_owned(),
        (None, value) => value.to_string(),
    }
}

fn more(all: usize, limit: usize) -> String {
    if all > limit { format!("and {} more (--limit {all})\n", grouped((all - limit) as u64)) } else { String::new() }
}

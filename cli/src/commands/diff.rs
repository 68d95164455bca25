//! `taut diff`: how two traces differ.

use super::analyze::verdict_text;
use crate::analysis::advised;
use crate::args::{Common, Diff};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use taut_analyze::diff::{
    CallDiff, FieldDiff, FigureDiff, SwapChainDiff, TraceDiff, diff_calls, diff_figures, diff_presents,
};
use taut_analyze::render::{binary_bytes, grouped};
use taut_analyze::{Findings, applying};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_json, table};
use taut_console::traces::{check_stdin, name, open, tell_damage};
use taut_schemas::counted;
use taut_traces::Trace;

/// Compares.
pub fn run(diff: &Diff, common: Common) -> Outcome {
    check_stdin([diff.a.as_os_str(), diff.b.as_os_str()])?;
    let (a, b) = (Arc::new(open(&diff.a)?), Arc::new(open(&diff.b)?));
    // Calls and figures have nothing to do with each other.
    let (figures, calls) = std::thread::scope(|scope| {
        let figures = scope.spawn(|| reports_differ((&a, &diff.a), (&b, &diff.b)));
        let calls = diff_calls(&a, &b).map_err(Failure::from);
        let figures = figures.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok::<_, Failure>((figures?, calls?))
    })?;
    let (presents, figures, whole) = figures;
    let found = TraceDiff { calls, presents, figures };
    let verdict = found.verdict(&diff.a.display().to_string(), &diff.b.display().to_string(), whole);
    if common.json {
        let mut document = serde_json::to_value(&found).map_err(Failure::input)?;
        document["identical"] = found.is_identical().into();
        document["verdict"] = serde_json::to_value(&verdict).map_err(Failure::input)?;
        print_json(&document)?;
    } else {
        print(&(verdict_text(&verdict) + &as_text(&found, diff.limit)))?;
    }
    let status = if found.is_identical() { Status::Fine } else { Status::Found };
    let damage = tell_damage(&diff.a, &a, a.damage()).max(tell_damage(&diff.b, &b, b.damage()));
    Ok(status.max(damage))
}

/// How the swap chains and the other figures of two traces differ, and whether both hold all that was recorded.
type FiguresDiffer = (Vec<SwapChainDiff>, Vec<FigureDiff>, bool);

fn reports_differ(a: (&Arc<Trace>, &Path), b: (&Arc<Trace>, &Path)) -> Result<FiguresDiffer, Failure> {
    let (a, b) = (reports(a.0, a.1)?, reports(b.0, b.1)?);
    let (said_a, said_b) = (a.reports(), b.reports());
    let whole = a.head.is_whole() && b.head.is_whole();
    Ok((diff_presents(&said_a, &said_b), diff_figures(&said_a, &said_b), whole))
}

/// What all reports that apply say of a trace.
fn reports(trace: &Arc<Trace>, file: &Path) -> Result<Findings, Failure> {
    let failure = |error| Failure::input(error).context(name(file));
    let analysis = advised(Arc::clone(trace)).map_err(failure)?;
    let reports = applying(&analysis).map_err(failure)?;
    Findings::of(&analysis, &reports).map_err(failure)
}

/// Rows of a table where nothing is known of what is looked for.
const ROWS: usize = 24;
/// Rows beside presents, so that all of it fits a screen.
const ROWS_BESIDE_PRESENTS: usize = 6;

fn as_text(found: &TraceDiff, limit: Option<usize>) -> String {
    if found.is_identical() {
        return String::new();
    }
    let presents = presents_differ(&found.presents);
    match (presents.is_empty(), limit) {
        (false, None) => {
            let rows = ROWS_BESIDE_PRESENTS;
            format!("{presents}\n{}{}", calls_in_short(&found.calls), figures(&found.figures, rows))
        }
        (_, limit) => {
            let rows = limit.unwrap_or(ROWS);
            format!("{presents}\n{}{}", calls(&found.calls, rows), figures(&found.figures, rows))
        }
    }
}

/// What is another of how swap chains are presented; nothing where nothing is.
pub fn presents_differ(chains: &[SwapChainDiff]) -> String {
    chains.iter().map(|chain| format!("\n{}", present(chain))).collect()
}

/// Calls by name: where presents differ, hundreds of inputs of simulated time do.
fn calls_in_short(calls: &CallDiff) -> String {
    let mut by_name: BTreeMap<&str, u64> = BTreeMap::new();
    for field in &calls.fields {
        let most = by_name.entry(&field.call).or_default();
        *most = (*most).max(field.count);
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
    let told = parts.iter().filter(|(_, names)| !names.is_empty());
    let text: String = told.map(|(part, names)| format!("{part}: {names}\n")).collect();
    if text.is_empty() { text } else { text + &format!("--limit {ROWS} tells them one by one\n") }
}

/// What is another of how a swap chain is presented.
fn present(chain: &SwapChainDiff) -> String {
    let rows = chain.figures.iter().map(|figure| {
        let (name, a, b) = (figure.figure.as_str(), &figure.a, &figure.b);
        [present_name(name), present_amount(name, a), present_amount(name, b), moved(a, b)]
    });
    table(&[&format!("swap chain {}", chain.place), "first", "second", "change"], &[1, 2, 3], rows)
}

/// A figure's key as people say it: `latency.p95_ns` is `latency, p95, ms`.
fn present_name(key: &str) -> String {
    let (words, unit) = match (key.strip_suffix("_ns"), key.strip_suffix("_gb_per_s")) {
        (Some(words), _) => (words, ", ms"),
        (_, Some(words)) => (words, ", GB/s"),
        _ => (key, ""),
    };
    let words = if words == "dram" { "memory" } else { words };
    format!("{}{unit}", words.replace('.', ", ").replace("copy_", "copy ").replace('_', " "))
}

fn present_amount(key: &str, value: &Value) -> String {
    match (value, value.as_u64(), value.as_f64()) {
        (Value::Null, ..) => "–".to_owned(),
        (Value::String(words), ..) => words.clone(),
        (_, Some(ns), _) if key.ends_with("_ns") => format!("{:.3}", ns as f64 / 1e6),
        (_, Some(number), _) => grouped(number),
        (_, _, Some(number)) => format!("{number:.3}"),
        (value, ..) => value.to_string(),
    }
}

/// How far a number moved, in hundredths of what it was.
fn moved(a: &Value, b: &Value) -> String {
    match a.as_f64().zip(b.as_f64()) {
        Some((a, b)) if a != 0.0 => format!("{:+.1} %", (b - a) / a * 100.0).replace('-', "−"),
        _ => String::new(),
    }
}

fn calls(calls: &CallDiff, limit: usize) -> String {
    let mut text = String::new();
    let mut say = |count: u64, thing: &str, what: &str| {
        if count > 0 {
            text += &format!("{} {what}\n", counted(count, thing));
        }
    };
    say(calls.skipped_in_b, "call", "skipped by the second, for want of an object");
    say(calls.skipped_in_a, "call", "skipped by the first, for want of an object");
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
        text += &format!("{}{}", table(&heading, &[3], rows), more(calls.fields.len(), limit));
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
    let said = |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), plain);
    [
        field.call.clone(),
        field.part.to_owned(),
        field.field.clone(),
        grouped(field.count),
        format!("{}:{}", field.first_thread, field.first_position),
        said(&field.first_a),
        said(&field.first_b),
    ]
}

/// The longest value that a table shows whole, in characters.
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
    by_size.sort_by_key(|figure| std::cmp::Reverse(change(figure)));
    let rows = by_size
        .into_iter()
        .take(limit)
        .map(|figure| [figure.figure.clone(), amount(&figure.figure, &figure.a), amount(&figure.figure, &figure.b)]);
    format!("\n{}{}", table(&["figure", "first", "second"], &[1, 2], rows), more(figures.len(), limit))
}

/// How far a figure in bytes or numbers moved.
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

//! `taut diff`: how two traces differ.

use super::analyze::verdict_text;
use crate::analysis::advised;
use crate::args::{Common, Diff};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use taut_analyze::diff::{CallDiff, FieldDiff, FigureDiff, TraceDiff, diff_calls, diff_figures};
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
    let (figures, whole) = figures;
    let found = TraceDiff { calls, figures };
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

/// How the figures of two traces differ, and whether both hold all that was recorded.
fn reports_differ(a: (&Arc<Trace>, &Path), b: (&Arc<Trace>, &Path)) -> Result<(Vec<FigureDiff>, bool), Failure> {
    let (a, b) = (reports(a.0, a.1)?, reports(b.0, b.1)?);
    Ok((diff_figures(&a.reports(), &b.reports()), a.head.is_whole() && b.head.is_whole()))
}

/// What all reports that apply say of a trace.
fn reports(trace: &Arc<Trace>, file: &Path) -> Result<Findings, Failure> {
    let failure = |error| Failure::input(error).context(name(file));
    let analysis = advised(Arc::clone(trace)).map_err(failure)?;
    let reports = applying(&analysis).map_err(failure)?;
    Findings::of(&analysis, &reports).map_err(failure)
}

fn as_text(found: &TraceDiff, limit: usize) -> String {
    if found.is_identical() {
        return String::new();
    }
    format!("\n{}{}", calls(&found.calls, limit), figures(&found.figures, limit))
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

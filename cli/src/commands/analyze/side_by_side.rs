//! Several traces side by side, the baseline first if there is one.

use super::Reported;
use super::baseline::Baseline;
use super::document::table_text;
use serde_json::Value;
use std::path::PathBuf;
use taut_analyze::reports::Comparison;
use taut_console::printing::{bold, paragraph};
use taut_console::traces::names;

/// The traces compared with the first; none of one trace alone.
pub fn compared(traces: &[Reported], baseline: Option<&Baseline>) -> Option<Comparison> {
    let files = baseline.iter().map(|one| one.file()).chain(traces.iter().map(|one| &*one.file));
    let files: Vec<PathBuf> = files.map(Into::into).collect();
    let of_traces: Vec<Value> = traces.iter().map(|trace| trace.findings.reports()).collect();
    let reports = baseline.iter().map(|one| one.reports()).chain(&of_traces);
    let named: Vec<(String, &Value)> = names(&files).into_iter().zip(reports).collect();
    Comparison::of(&named)
}

/// The comparison for people: its sentence first.
pub fn text(comparison: &Comparison) -> String {
    format!("{}\n\n{}\n{}", bold("Side by side"), paragraph(&comparison.sentence), table_text(&comparison.table()))
}

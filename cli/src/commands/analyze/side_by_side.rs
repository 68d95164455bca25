//! Several traces side by side, the baseline first if there is one.

use super::Reported;
use super::baseline::Baseline;
use super::document::table_text;
use serde_json::Value;
use std::path::Path;
use taut_analyze::reports::Comparison;
use taut_console::printing::{bold, paragraph};
use taut_console::traces::stem;

/// The traces compared with the first; none of one trace alone.
pub fn compared(traces: &[Reported], baseline: Option<&Baseline>) -> Option<Comparison> {
    let files: Vec<&Path> = baseline.iter().map(|one| one.file()).chain(traces.iter().map(|one| &*one.file)).collect();
    let of_traces: Vec<Value> = traces.iter().map(|trace| trace.findings.reports()).collect();
    let reports = baseline.iter().map(|one| one.reports()).chain(&of_traces);
    let named: Vec<(String, &Value)> = names(&files).into_iter().zip(reports).collect();
    Comparison::of(&named)
}

/// What each trace goes by: its stem, or its path where stems are alike.
pub fn names(files: &[&Path]) -> Vec<String> {
    let stems: Vec<String> = files.iter().map(|file| stem(file)).collect();
    let alike = |name: &String| stems.iter().filter(|other| *other == name).count() > 1;
    let name = |(stem, file): (&String, &&Path)| if alike(stem) { file.display().to_string() } else { stem.clone() };
    stems.iter().zip(files).map(name).collect()
}

/// The comparison for people: its sentence first.
pub fn text(comparison: &Comparison) -> String {
    format!("{}\n\n{}\n{}", bold("Side by side"), paragraph(&comparison.sentence), table_text(&comparison.table()))
}

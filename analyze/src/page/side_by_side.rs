//! Comparison of several traces, as JSON.

use crate::analysis::Analysis;
use crate::reports::{Comparison, Findings};
use serde_json::{Value, json};

/// Number of figures in the verdict.
const FIGURES: usize = 3;

/// Compares the traces with the first; `None` for a single trace.
pub(super) fn compared(traces: &[(String, &Analysis, &Findings)]) -> Option<Comparison> {
    let reports: Vec<(String, Value)> =
        traces.iter().map(|(name, _, findings)| (name.clone(), findings.reports())).collect();
    let reports: Vec<(String, &Value)> = reports.iter().map(|(name, reports)| (name.clone(), reports)).collect();
    Comparison::of(&reports)
}

/// The verdict on the compared traces, and its table.
pub(super) fn side_by_side(comparison: &Comparison) -> Value {
    json!({
        "verdict": { "sentence": comparison.sentence, "figures": figures(comparison) },
        "tables": [comparison.table()],
    })
}

/// The first figures that both traces have, for the first trace and the last.
fn figures(comparison: &Comparison) -> Vec<Value> {
    let changed = comparison.rows.iter().filter_map(|row| {
        let (first, last) = (row.values.first()?, row.values.last()?);
        let delta = last.delta.as_ref()?;
        let by = if delta.ratio.is_some() { &delta.ratio_text } else { &delta.text };
        let name = format!("{} ({by})", row.name.trim());
        Some(json!({ "name": name, "value": last.value, "unit": row.unit, "text": format!("{} → {}", first.text, last.text) }))
    });
    changed.take(FIGURES).collect()
}

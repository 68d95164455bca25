//! Several traces side by side, as JSON.

use crate::analysis::Analysis;
use crate::reports::{Comparison, Findings};
use serde_json::{Value, json};

/// Figures behind the verdict.
const FIGURES: usize = 3;

/// The traces compared with the first; none of one trace.
pub(super) fn compared(traces: &[(String, &Analysis, &Findings)]) -> Option<Comparison> {
    let reports: Vec<(String, Value)> =
        traces.iter().map(|(name, _, findings)| (name.clone(), findings.reports())).collect();
    let reports: Vec<(String, &Value)> = reports.iter().map(|(name, reports)| (name.clone(), reports)).collect();
    Comparison::of(&reports)
}

/// The verdict on the traces beside each other, and the table behind it.
pub(super) fn side_by_side(comparison: &Comparison) -> Value {
    json!({
        "verdict": { "sentence": comparison.sentence, "figures": figures(comparison) },
        "tables": [comparison.table()],
    })
}

/// The first figures that two traces have, of the first trace and of the last.
fn figures(comparison: &Comparison) -> Vec<Value> {
    let told = comparison.rows.iter().filter_map(|row| {
        let (first, last) = (row.values.first()?, row.values.last()?);
        let delta = last.delta.as_ref()?;
        let by = if delta.ratio.is_some() { &delta.ratio_text } else { &delta.text };
        let name = format!("{} ({by})", row.name.trim());
        Some(json!({ "name": name, "value": last.value, "unit": row.unit, "text": format!("{} → {}", first.text, last.text) }))
    });
    told.take(FIGURES).collect()
}

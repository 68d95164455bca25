//! Several traces side by side, as JSON.

use crate::analysis::Analysis;
use crate::reports::Findings;
use crate::reports::alignment::compared;
use serde_json::{Value, json};

/// The verdict on the traces beside each other and the tables behind it; null for one trace.
pub(super) fn side_by_side(traces: &[(String, &Analysis, &Findings)]) -> Value {
    let figures: Vec<(String, &Value)> = traces
        .iter()
        .filter_map(|(name, _, findings)| {
            let (_, result) = findings.results.iter().find(|(report, _)| *report == "alignment")?;
            Some((name.clone(), &result.json))
        })
        .collect();
    if figures.len() < 2 {
        return Value::Null;
    }
    json!({ "verdict": null, "tables": [compared(&figures)] })
}

//! What the page shows of one trace, as JSON: each report under its name, with data of its own.

use super::{alignment, pgo};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::reports::{Findings, ReportResult};
use serde_json::{Value, json};

/// Everything about one trace.
pub(super) fn of_trace(name: &str, analysis: &Analysis, findings: &Findings) -> Result<Value, AnalyzeError> {
    let mut reports = Vec::with_capacity(findings.results.len());
    for (report, result) in &findings.results {
        reports.push(json!({
            "report": report,
            "verdict": result.json.get("verdict"),
            "document": result.document,
            "drawn": drawn(report, analysis, result)?,
        }));
    }
    Ok(json!({
        "name": name,
        "subject": findings.head.subject(),
        "losses": findings.head.losses(),
        "reports": reports,
    }))
}

/// What the page draws of a report beside its text; null if nothing.
fn drawn(report: &str, analysis: &Analysis, result: &ReportResult) -> Result<Value, AnalyzeError> {
    let figures = &result.json;
    if figures.get("nothing_to_report").is_some() {
        return Ok(Value::Null);
    }
    match report {
        "alignment" => alignment::drawn(analysis, figures),
        "pgo" => pgo::drawn(analysis),
        "tiling" => Ok(json!({ "surfaces": figures["surfaces"] })),
        _ => Ok(Value::Null),
    }
}

//! Page data of one trace, as JSON: each report under its name, with its data.

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::reports::{Findings, ReportResult, report};
use serde_json::{Value, json};

/// The page data of one trace.
pub(super) fn of_trace(name: &str, analysis: &Analysis, findings: &Findings) -> Result<Value, AnalyzeError> {
    let mut results: Vec<&(&'static str, ReportResult)> = findings.results.iter().collect();
    // The first verdict of a page is one with figures: reports that found nothing come last.
    results.sort_by_key(|(_, result)| is_empty(result));
    let mut reports = Vec::with_capacity(results.len());
    for (name, result) in results {
        let page_data = match result.json.get("not_applicable") {
            Some(_) => Value::Null,
            None => report(name)?.page_data(analysis, &result.json)?,
        };
        reports.push(json!({
            "report": name,
            "verdict": result.json.get("verdict"),
            "document": result.document,
            "page_data": page_data,
        }));
    }
    Ok(json!({
        "name": name,
        "subject": findings.head.subject(),
        "losses": findings.head.losses(),
        "reports": reports,
    }))
}

/// True for a report that does not apply, and for one whose verdict has no value other than zero.
fn is_empty(result: &ReportResult) -> bool {
    let figures = result.verdict.iter().flat_map(|verdict| &verdict.figures);
    figures.map(|figure| figure.value.as_f64().unwrap_or_default()).all(|value| value == 0.0)
}

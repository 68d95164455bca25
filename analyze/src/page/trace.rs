//! Page data of one trace, as JSON: each report under its name, with its data.

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::reports::{Findings, ReportResult, report};
use serde_json::{Value, json};

/// Report whose verdict of zeros is its best result.
const HEALTH: &str = "health";

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
        let is_finding = report(name)?.contradicts(&result.json) || !result.json["unfit"].is_null();
        reports.push(json!({
            "report": name,
            "verdict": result.json.get("verdict"),
            "document": result.document,
            "is_finding": is_finding,
            // A verdict of zeros is a result of the health report only; of others it states that nothing was measured.
            "has_panel": is_finding || *name == HEALTH || !is_empty(result),
            "broken_rules": broken_rules(&result.json),
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

/// Ids of the broken rules of a report, without lint warnings.
fn broken_rules(figures: &Value) -> Vec<&Value> {
    let audits = figures["audits"].as_array().into_iter().flatten();
    audits.filter(|audit| audit["ok"] == false && audit["lint"] != true).map(|audit| &audit["rule"]).collect()
}

/// True for a report that does not apply, and for one whose verdict has no value other than zero.
fn is_empty(result: &ReportResult) -> bool {
    let figures = result.verdict.iter().flat_map(|verdict| &verdict.figures);
    figures.map(|figure| figure.value.as_f64().unwrap_or_default()).all(|value| value == 0.0)
}

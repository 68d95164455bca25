//! Page data of one trace, as JSON: each report under its name, with its data.

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::reports::{Findings, report};
use serde_json::{Value, json};

/// The page data of one trace.
pub(super) fn of_trace(name: &str, analysis: &Analysis, findings: &Findings) -> Result<Value, AnalyzeError> {
    let mut reports = Vec::with_capacity(findings.results.len());
    for (name, result) in &findings.results {
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

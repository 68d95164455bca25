//! Results of several reports over one trace.

use super::{REPORTS, Report, ReportResult, applicable_reports};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::head::Head;
use crate::render::Document;
use serde_json::{Map, Value};

/// Results of several reports over one trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// Metadata of the trace, including losses.
    pub head: Head,
    /// Report names and results, in request order.
    pub results: Vec<(&'static str, ReportResult)>,
}

impl Findings {
    /// Runs reports over a trace.
    ///
    /// # Errors
    /// The trace's schema table lacks a field that a report needs.
    pub fn of(analysis: &Analysis, reports: &[&'static dyn Report]) -> Result<Findings, AnalyzeError> {
        let mut results = Vec::with_capacity(reports.len());
        for report in reports {
            let result = match report.not_applicable(analysis)? {
                None => report.run(analysis)?,
                Some(why) => ReportResult::not_applicable(*report, &why, &applicable_reports(analysis)?),
            };
            results.push((report.name(), result));
        }
        Ok(Findings { head: analysis.head()?.clone(), results })
    }

    /// Figures of all reports as one object, keyed by report name.
    pub fn reports(&self) -> Value {
        let reports = self.results.iter().map(|(name, result)| ((*name).to_owned(), result.json.clone()));
        Value::Object(reports.collect())
    }

    /// True if a report finds that the trace contradicts a rule.
    pub fn contradicts(&self) -> bool {
        let report = |name: &str| REPORTS.iter().find(|report| report.name() == name);
        self.results.iter().any(|(name, result)| report(name).is_some_and(|report| report.contradicts(&result.json)))
    }

    /// One JSON document: `trace` holds the metadata, `reports` holds each report under its name.
    ///
    /// # Errors
    /// Never for metadata of this library.
    pub fn json(&self) -> Result<Value, AnalyzeError> {
        let parts = [("trace".to_owned(), serde_json::to_value(&self.head)?), ("reports".to_owned(), self.reports())];
        Ok(Value::Object(Map::from_iter(parts)))
    }
}

impl ReportResult {
    /// Creates the result of a report that does not apply, with the reason and the reports that do apply.
    fn not_applicable(report: &dyn Report, why: &str, applicable: &[&dyn Report]) -> ReportResult {
        let names: Vec<&str> = applicable.iter().map(|other| other.name()).collect();
        let mut document = Document::new(format!("{}: nothing to report: {why}", report.title()));
        document.text(format!("Reports that apply: {}.", names.join(", ")));
        ReportResult { verdict: None, json: serde_json::json!({ "not_applicable": why }), document }
    }
}

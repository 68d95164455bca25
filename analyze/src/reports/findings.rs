//! Several reports over one trace.

use super::{REPORTS, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::head::Head;
use crate::render::Document;
use serde_json::{Map, Value};

/// What reports say of one trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// What was looked at, and what of it was lost.
    pub head: Head,
    /// Names of the reports and what they say, in the order they were asked for.
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
            let result = match report.nothing(analysis)? {
                None => report.run(analysis)?,
                Some(why) => ReportResult::nothing(*report, why),
            };
            results.push((report.name(), result));
        }
        Ok(Findings { head: analysis.head()?.clone(), results })
    }

    /// The reports' figures, each under its name.
    pub fn reports(&self) -> Value {
        let reports = self.results.iter().map(|(name, result)| ((*name).to_owned(), result.json.clone()));
        Value::Object(reports.collect())
    }

    /// Whether a report says that the trace contradicts a rule.
    pub fn contradicts(&self) -> bool {
        let report = |name: &str| REPORTS.iter().find(|report| report.name() == name);
        self.results.iter().any(|(name, result)| report(name).is_some_and(|report| report.contradicts(&result.json)))
    }

    /// One JSON document: `trace` holds the head, `reports` each report under its name.
    ///
    /// # Errors
    /// Never for a head that this library made.
    pub fn json(&self) -> Result<Value, AnalyzeError> {
        let parts = [("trace".to_owned(), serde_json::to_value(&self.head)?), ("reports".to_owned(), self.reports())];
        Ok(Value::Object(Map::from_iter(parts)))
    }
}

impl ReportResult {
    /// A report that has nothing to tell.
    fn nothing(report: &dyn Report, why: String) -> ReportResult {
        let why = format!("{why}: nothing to report");
        let mut document = Document::new(format!("{}: nothing to report", report.title()));
        document.text(&why);
        ReportResult { verdict: None, json: serde_json::json!({ "nothing_to_report": why }), document }
    }
}

//! Several reports over one trace.

use super::{Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::head::Head;
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
    pub fn of(analysis: &Analysis<'_>, reports: &[&'static dyn Report]) -> Result<Findings, AnalyzeError> {
        let results = reports.iter().map(|report| Ok((report.name(), report.run(analysis)?)));
        Ok(Findings { head: analysis.head().clone(), results: results.collect::<Result<_, AnalyzeError>>()? })
    }

    /// One JSON document: `trace` holds the head, `reports` each report under its name.
    ///
    /// # Errors
    /// Never for a head that this library made.
    pub fn json(&self) -> Result<Value, AnalyzeError> {
        let reports = self.results.iter().map(|(name, result)| ((*name).to_owned(), result.json.clone()));
        let parts = [
            ("trace".to_owned(), serde_json::to_value(&self.head)?),
            ("reports".to_owned(), Value::Object(reports.collect())),
        ];
        Ok(Value::Object(Map::from_iter(parts)))
    }
}

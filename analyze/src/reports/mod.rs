//! Reports: what a trace means.
//!
//! Each report is one line of [`REPORTS`]; the command line, the documentation and the tests walk that table.

pub mod alignment;
mod findings;

pub use findings::Findings;

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::render::Document;
use serde::Serialize;

/// A report over one trace.
pub trait Report: Sync {
    /// Name on the command line and key in JSON.
    fn name(&self) -> &'static str;

    /// What it tells, in one sentence.
    fn description(&self) -> &'static str;

    /// Whether the trace holds anything for it to tell.
    fn applies(&self, analysis: &Analysis<'_>) -> bool;

    /// Makes the report.
    ///
    /// # Errors
    /// The trace's schema table lacks a field that the report needs.
    fn run(&self, analysis: &Analysis<'_>) -> Result<ReportResult, AnalyzeError>;
}

/// A finished report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportResult {
    /// The figures, under stable snake_case keys with units.
    pub json: serde_json::Value,
    /// The same for people.
    pub document: Document,
}

/// Every report, in the order they are shown.
pub const REPORTS: &[&dyn Report] = &[&alignment::Alignment];

/// The report of this name.
///
/// # Errors
/// There is none.
pub fn report(name: &str) -> Result<&'static dyn Report, AnalyzeError> {
    REPORTS.iter().find(|report| report.name() == name).copied().ok_or_else(|| {
        let known = REPORTS.iter().map(|report| report.name()).collect::<Vec<_>>().join(", ");
        AnalyzeError::Report { found: name.to_owned(), known }
    })
}

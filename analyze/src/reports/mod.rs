//! Reports: what a trace means.
//!
//! Each report is one line of [`REPORTS`]; the command line, the documentation, the page, budgets and the tests walk that
//! table. All that is known of a report stands in its folder.

pub mod alignment;
mod behind;
mod comparison;
mod definition;
mod findings;
pub mod handles;
pub mod health;
mod messages;
pub mod pgo;
pub mod present;
pub mod tiling;
pub(crate) mod verdict;

pub use comparison::{ComparedRow, ComparedValue, Comparison, Delta};
pub use definition::{Definition, definitions_used};
pub use findings::Findings;
pub use messages::{MessageFigures, ViolationFigures};
pub use verdict::{Figure, Verdict};

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::render::{Document, suggestion};
use serde::Serialize;
use serde_json::Value;

/// A report over one trace.
pub trait Report: Sync {
    /// Name on the command line and key in JSON.
    fn name(&self) -> &'static str;

    /// Its name as a title.
    fn title(&self) -> &'static str;

    /// What it tells, in one sentence.
    fn description(&self) -> &'static str;

    /// What each key of its figures means.
    fn definitions(&self) -> &'static [Definition];

    /// What else its page of documentation says, in Markdown.
    fn appendix(&self) -> String {
        String::new()
    }

    /// Why there is nothing in the trace for it to tell; none if there is.
    ///
    /// # Errors
    /// The trace could not be read.
    fn nothing(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError>;

    /// Makes the report.
    ///
    /// # Errors
    /// The trace's schema table lacks a field that the report needs.
    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError>;

    /// What the page draws of it beside its text, handed to the report's scripts; null if nothing. `figures` are those of
    /// a report that had something to tell.
    ///
    /// # Errors
    /// The trace could not be read.
    fn drawn(&self, analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError>;

    /// The page's scripts that draw it, in the order of their use; one of them sets `REPORTS` of the report's name.
    fn scripts(&self) -> &'static [&'static str];

    /// What stands behind a figure that breaks a limit of a budget, a line each, the worst first. `place` is the figure's
    /// place in the report, `figures` are all of the report's, and `analysis` is of the trace, if that is at hand.
    fn behind(&self, place: &str, figures: &Value, analysis: Option<&Analysis>) -> Vec<String>;

    /// Whether its figures say that the trace contradicts a rule, which is told with the exit code.
    fn contradicts(&self, _figures: &Value) -> bool {
        false
    }
}

/// A finished report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportResult {
    /// What it comes to; none where there is nothing to report.
    pub verdict: Option<Verdict>,
    /// The figures, the verdict among them, under stable snake_case keys with units.
    pub json: Value,
    /// The same for people.
    pub document: Document,
}

impl ReportResult {
    /// A report with its verdict among its figures.
    ///
    /// # Errors
    /// Never for figures that this library made.
    fn new(verdict: Verdict, figures: &impl Serialize, document: Document) -> Result<ReportResult, AnalyzeError> {
        let mut json = serde_json::to_value(figures)?;
        json[verdict::VERDICT.key] = serde_json::to_value(&verdict)?;
        Ok(ReportResult { verdict: Some(verdict), json, document })
    }
}

/// Every report, in the order they are shown.
pub const REPORTS: &[&dyn Report] =
    &[&alignment::Alignment, &pgo::Pgo, &tiling::Tiling, &handles::Handles, &present::Present, &health::Health];

/// The reports that a trace holds something for.
///
/// # Errors
/// The trace could not be read.
pub fn applying(analysis: &Analysis) -> Result<Vec<&'static dyn Report>, AnalyzeError> {
    let mut reports = Vec::new();
    for report in REPORTS {
        if report.nothing(analysis)?.is_none() {
            reports.push(*report);
        }
    }
    Ok(reports)
}

/// The report of this name.
///
/// # Errors
/// There is none.
pub fn report(name: &str) -> Result<&'static dyn Report, AnalyzeError> {
    REPORTS.iter().find(|report| report.name() == name).copied().ok_or_else(|| {
        let names = REPORTS.iter().map(|report| report.name());
        AnalyzeError::Report { found: name.to_owned(), known: suggestion(name, names) }
    })
}

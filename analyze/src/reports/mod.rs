//! Analysis reports over one trace.
//!
//! Each report is one entry of [`REPORTS`]; the command line, documentation, HTML page, budgets and tests iterate over
//! that table. Everything specific to one report is in its folder.

pub mod alignment;
pub mod client;
mod comparison;
mod contributors;
mod figures;
mod findings;
pub mod handles;
pub mod health;
mod log_differences;
mod messages;
pub mod pgo;
pub mod present;
pub mod tiling;
pub(crate) mod verdict;
pub mod windows;

pub use comparison::{ComparedRow, ComparedValue, Comparison, Delta};
pub(crate) use figures::identifiers;
pub use figures::{Definition, FigureLine, Unit, definitions_used};
pub use findings::Findings;
pub use log_differences::LogDifferenceFigures;
pub use messages::{MessageFigures, ViolationFigures};
pub use verdict::{Figure, Verdict};

use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::render::{Document, suggestion};
use serde::Serialize;
use serde_json::Value;

/// A report over one trace.
pub trait Report: Sync {
    /// The report's name on the command line and its key in JSON.
    fn name(&self) -> &'static str;

    /// Title for headings.
    fn title(&self) -> &'static str;

    /// One-sentence description of the report.
    fn description(&self) -> &'static str;

    /// Lines of the report's figures.
    fn figures(&self) -> &'static [FigureLine];

    /// Definitions of the keys in the report's figures.
    fn definitions(&self) -> Vec<Definition> {
        figures::definitions(self.figures())
    }

    /// Unit of the figure at a path in the report; `None` if there is no such figure.
    fn unit(&self, place: &str) -> Option<Unit> {
        figures::find(self.figures(), place).last().map(|line| line.unit)
    }

    /// Additional Markdown text for the report's documentation page; empty by default.
    fn appendix(&self) -> String {
        String::new()
    }

    /// The reason why the report does not apply to this trace, or `None` if it applies.
    ///
    /// # Errors
    /// The trace could not be read.
    fn not_applicable(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError>;

    /// Computes the report.
    ///
    /// # Errors
    /// The trace's schema table lacks a field that the report needs.
    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError>;

    /// Returns the report's chart data for the HTML page, which passes it to [`Report::scripts`]; null if the report
    /// has no charts. `figures` are the figures of a report that applies.
    ///
    /// # Errors
    /// The trace could not be read.
    fn page_data(&self, analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError>;

    /// The page's scripts for this report, in load order. One of them registers the report under its name in the script
    /// table `REPORTS`.
    fn scripts(&self) -> &'static [&'static str];

    /// Formats the largest contributors to a figure that exceeds a budget limit, one line each, worst first. `place` is
    /// the path of the figure in the report.
    fn contributors(&self, place: &str, found: &Found<'_>) -> Vec<String> {
        let lines = figures::find(self.figures(), place);
        let contributors = lines.iter().rev().find_map(|line| line.contributors);
        contributors.map_or_else(Vec::new, |contributors| contributors(found.figures))
    }

    /// Returns the change that reduces a figure that exceeds a budget limit; `None` by default.
    fn budget_change(&self, _place: &str, _found: &Found<'_>) -> Option<BudgetChange> {
        None
    }

    /// True if the figures show that the trace contradicts a rule; the exit code reports this. False by default.
    fn contradicts(&self, _figures: &Value) -> bool {
        false
    }
}

/// Change that reduces a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetChange {
    /// The change, as an imperative.
    pub action: String,
    /// Value of the figure after the change.
    pub value: f64,
}

/// Data in which the contributors to a figure are searched.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// All figures of the report.
    pub figures: &'a Value,
    /// Figures of the report in the baseline; `None` without a baseline.
    pub baseline: Option<&'a Value>,
    /// Analysis of the trace, or `None` if only the figures are available.
    pub analysis: Option<&'a Analysis>,
}

/// Result of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportResult {
    /// Headline verdict, or `None` if the report does not apply.
    pub verdict: Option<Verdict>,
    /// The figures, including the verdict, under stable snake_case keys with units.
    pub json: Value,
    /// The figures as a document for display.
    pub document: Document,
}

impl ReportResult {
    /// Creates a result and adds the verdict to the JSON figures.
    ///
    /// # Errors
    /// Never for figures of this library.
    fn new(verdict: Verdict, figures: &impl Serialize, document: Document) -> Result<ReportResult, AnalyzeError> {
        let mut json = serde_json::to_value(figures)?;
        // Comparisons address the verdict's figures by path, such as `/verdict/figures/0/value`.
        json[verdict::VERDICT.key] = serde_json::to_value(&verdict)?;
        Ok(ReportResult { verdict: Some(verdict), json, document })
    }
}

/// Every report, in display order.
pub const REPORTS: &[&dyn Report] = &[
    &alignment::Alignment,
    &pgo::Pgo,
    &tiling::Tiling,
    &handles::Handles,
    &present::Present,
    &client::Client,
    &windows::Windows,
    &health::Health,
];

/// Returns the reports that apply to a trace.
///
/// # Errors
/// The trace could not be read.
pub fn applicable_reports(analysis: &Analysis) -> Result<Vec<&'static dyn Report>, AnalyzeError> {
    let mut reports = Vec::new();
    for report in REPORTS {
        if report.not_applicable(analysis)?.is_none() {
            reports.push(*report);
        }
    }
    Ok(reports)
}

/// Returns the report with the given name.
///
/// # Errors
/// No report has this name.
pub fn report(name: &str) -> Result<&'static dyn Report, AnalyzeError> {
    REPORTS.iter().find(|report| report.name() == name).copied().ok_or_else(|| {
        let names = REPORTS.iter().map(|report| report.name());
        AnalyzeError::Report { found: name.to_owned(), known: suggestion(name, names) }
    })
}

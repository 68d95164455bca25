//! Short text form of reports: verdicts and broken limits, without tables.

use super::budget::budget_text;
use taut_app::analyze::Reports;
use taut_console::printing::{bold, paragraph};

/// Formats the sentences of the comparison and of all verdicts, then the results of the budget.
pub fn quiet_text(reports: &Reports) -> String {
    let mut text = reports.comparison().map_or_else(String::new, |comparison| paragraph(&comparison.sentence));
    for trace in &reports.traces {
        if reports.traces.len() > 1 {
            text += &format!("{}\n", bold(&trace.name));
        }
        let verdicts = trace.findings.results.iter().filter_map(|(_, result)| result.verdict.as_ref());
        text.extend(verdicts.map(|verdict| paragraph(&verdict.sentence)));
    }
    if let Some(budget) = &reports.budget {
        text += &format!("\n{}", budget_text(budget));
    }
    text
}

//! Short text form of reports: verdicts with their advice and broken limits, without tables.

use super::budget::broken_text;
use taut_analyze::Verdict;
use taut_app::analyze::Reports;
use taut_console::printing::{bold, paragraph};

/// Formats the results of the budget, the sentence of the comparison, and the sentence and advice of each verdict.
pub fn quiet_text(reports: &Reports) -> String {
    let mut text = reports.budget.as_ref().map_or_else(String::new, |budget| format!("{}\n", broken_text(budget)));
    text += &reports.comparison().map_or_else(String::new, |comparison| paragraph(&comparison.sentence));
    for trace in &reports.traces {
        if reports.traces.len() > 1 {
            text += &format!("{}\n", bold(&trace.name));
        }
        let verdicts: Vec<&Verdict> =
            trace.findings.results.iter().filter_map(|(_, result)| result.verdict.as_ref()).collect();
        if verdicts.is_empty() {
            // Only reports that do not apply; each title states it.
            text.extend(trace.findings.results.iter().map(|(_, result)| paragraph(&result.document.title)));
        }
        text.extend(verdicts.iter().map(|verdict| paragraph(&verdict.text())));
    }
    text
}

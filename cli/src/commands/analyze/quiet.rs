//! Short text form of reports: verdicts with their advice and broken limits, without tables.

use super::budget::budget_text;
use taut_analyze::Verdict;
use taut_app::analyze::Reports;
use taut_console::printing::{bold, paragraph};

/// Formats the sentence of the comparison, and the sentence and advice of each verdict, then the results of the budget.
pub fn quiet_text(reports: &Reports) -> String {
    let mut text = reports.comparison().map_or_else(String::new, |comparison| paragraph(&comparison.sentence));
    for trace in &reports.traces {
        if reports.traces.len() > 1 {
            text += &format!("{}\n", bold(&trace.name));
        }
        let verdicts: Vec<&Verdict> =
            trace.findings.results.iter().filter_map(|(_, result)| result.verdict.as_ref()).collect();
        if verdicts.is_empty() {
            // Each title says that its report has nothing to report.
            text.extend(trace.findings.results.iter().map(|(_, result)| paragraph(&result.document.title)));
        }
        for verdict in verdicts {
            let advice = verdict.advice.iter().map(String::as_str);
            let sentences: Vec<&str> = std::iter::once(verdict.sentence.as_str()).chain(advice).collect();
            text += &paragraph(&sentences.join(" "));
        }
    }
    if let Some(budget) = &reports.budget {
        text += &format!("\n{}", budget_text(budget));
    }
    text
}

//! Text form of a budget's results, for a terminal.

use taut_analyze::budget::LimitOutcome;
use taut_app::analyze::BudgetCheck;
use taut_console::printing::{bold, folded, list_item, paragraph, red};

/// First word of a broken limit.
const BROKEN: &str = "broken";

/// Maximum number of limits that hold and are listed.
const MAX_PASSED: usize = 24;

/// Results as text: the summary, broken limits, limits that could not be checked, and limits that hold.
pub fn budget_text(budget: &BudgetCheck) -> String {
    let mut text = broken_text(budget);
    let all = || budget.checked().iter().flat_map(|(trace, checked)| checked.iter().map(move |one| (trace, one)));
    let passed: Vec<String> = all()
        .filter(|(_, one)| one.verdict == LimitOutcome::Passed)
        .map(|(trace, one)| {
            paragraph(&format!(
                "passed: {trace}: {} (limit: {})",
                one.summary.as_deref().unwrap_or_default(),
                one.limit
            ))
        })
        .collect();
    if !passed.is_empty() {
        text.push('\n');
        text.extend(passed.iter().take(MAX_PASSED).map(String::as_str));
    }
    if passed.len() > MAX_PASSED {
        text += &format!("{} more passed; --json has all.\n", passed.len() - MAX_PASSED);
    }
    text
}

/// Results as text without the limits that hold.
pub fn broken_text(budget: &BudgetCheck) -> String {
    let mut text = format!("{} {}\n", bold(&format!("Budget {}:", budget.name())), budget.summary());
    let all = || budget.checked().iter().flat_map(|(trace, checked)| checked.iter().map(move |one| (trace, one)));
    for (trace, one) in all() {
        if let LimitOutcome::Broken(broken) = &one.verdict {
            let headline = paragraph(&format!("{BROKEN}: {trace}: {}", broken.headline()));
            // Coloured after the text is wrapped: escape sequences have no width.
            let headline = headline.replacen(BROKEN, &red(BROKEN), 1);
            let limit = folded(&format!("  limit: {} (line {} of the budget)\n", one.limit, one.line));
            text += &format!("\n{headline}{limit}");
            broken.details().iter().for_each(|other| text += &list_item(other));
        }
    }
    for (trace, one) in all() {
        if let LimitOutcome::Skipped(why) = &one.verdict {
            text += &format!("\nnot checked: {trace}: {}: {why}\n", one.limit);
        }
    }
    text
}

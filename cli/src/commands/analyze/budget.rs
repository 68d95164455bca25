//! Text form of a budget's results, for a terminal.

use taut_analyze::budget::LimitOutcome;
use taut_app::analyze::BudgetCheck;
use taut_console::printing::{bold, escaped, red};

/// Results as text: the summary, broken limits, and limits that could not be checked.
pub fn budget_text(budget: &BudgetCheck) -> String {
    let mut text = format!("{} {}\n", bold(&format!("Budget {}:", budget.name())), budget.summary());
    let all = || budget.checked().iter().flat_map(|(trace, checked)| checked.iter().map(move |one| (trace, one)));
    for (trace, one) in all() {
        if let LimitOutcome::Broken(broken) = &one.verdict {
            let headline = format!("{}: {trace}: {}", red("broken"), escaped(&broken.headline()));
            text += &format!("\n{headline}\n  limit: {} (line {} of the budget)\n", one.limit, one.line);
            broken.other_contributors().iter().for_each(|other| text += &format!("  • {}\n", escaped(other)));
        }
    }
    for (trace, one) in all() {
        if let LimitOutcome::Skipped(why) = &one.verdict {
            text += &format!("\nnot checked: {trace}: {}: {why}\n", one.limit);
        }
    }
    text
}

//! Text form of a budget's results, for a terminal.

use taut_analyze::budget::LimitOutcome;
use taut_app::analyze::BudgetCheck;
use taut_console::printing::{bold, escaped, red};

/// Results as text: broken limits, limits that could not be checked, and the summary.
pub fn budget_text(budget: &BudgetCheck) -> String {
    let mut text = format!("{}\n", bold(&format!("Budget {}", budget.name())));
    for (trace, checked) in budget.checked() {
        for one in checked {
            match &one.verdict {
                LimitOutcome::Passed => {}
                LimitOutcome::Skipped(why) => text += &format!("\n{trace}: not checked: {}: {why}\n", one.limit),
                LimitOutcome::Broken(broken) => {
                    let limit = format!("{} (line {} of the budget)", one.limit, one.line);
                    text += &format!("\n{trace}: {}\n", red(&format!("broken: {limit}")));
                    text += &format!("  {} is {}\n", one.figure, broken.found_text);
                    broken
                        .contributors
                        .iter()
                        .for_each(|contributors| text += &format!("  - {}\n", escaped(contributors)));
                }
            }
        }
    }
    text + &format!("\n{}\n", budget.summary())
}

//! Context of a page, an input of its own, so that equal inputs give an equal page.

use crate::budget::{Checked, LimitOutcome};
use crate::render::{counted, grouped};
use crate::reports::Comparison;
use serde_json::{Value, json};

/// The data of a page besides its traces.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageContext {
    /// Version of the program.
    pub version: String,
    /// The command line; empty if there was none.
    pub command: String,
    /// Date and time as text; none for a reproducible page.
    pub created_at: Option<String>,
    /// Results of each trace's limits, by the trace's name; none without a budget.
    pub budget: Option<Vec<(String, Vec<Checked>)>>,
    /// Comparison of the traces with each other or with a baseline; by default they are compared with the first.
    pub compared: Option<Comparison>,
}

impl PageContext {
    /// The context as page data.
    pub(super) fn json(&self) -> Value {
        json!({
            "version": self.version,
            "command": self.command,
            "created_at": self.created_at,
            "budget": self.budget.as_deref().map(outcome),
        })
    }
}

/// A sentence, its figures, and a row per limit, broken limits first.
fn outcome(budget: &[(String, Vec<Checked>)]) -> Value {
    let mut rows: Vec<(u8, Value)> = Vec::new();
    for (trace, checked) in budget {
        for one in checked {
            let (place, outcome, text) = match &one.verdict {
                LimitOutcome::Broken(broken) => {
                    let others: String =
                        broken.details().iter().map(|contributor| format!("\n{contributor}")).collect();
                    (0, "broken", format!("{}{others}", broken.headline()))
                }
                LimitOutcome::Skipped(why) => (1, "not checked", why.clone()),
                LimitOutcome::Passed => (2, "passed", one.summary.clone().unwrap_or_default()),
            };
            rows.push((place, json!([one.limit, trace, outcome, text])));
        }
    }
    rows.sort_by_key(|(place, _)| *place);
    let of = |wanted: u8| rows.iter().filter(|(place, _)| *place == wanted).count() as u64;
    let [broken, skipped, passed] = [0, 1, 2].map(of);
    let checked = counted(broken + passed, "limit");
    let mut sentence = match broken {
        0 => format!("{checked} checked, none broken"),
        broken => format!("{broken} of {checked} broken"),
    };
    sentence += &match skipped {
        0 => ".".to_owned(),
        skipped => format!("; {} not checked.", counted(skipped, "limit")),
    };
    let figure =
        |name: &str, value: u64| json!({"name": name, "value": value, "unit": "count", "text": grouped(value)});
    json!({
        "verdict": {
            "sentence": sentence,
            "figures": [figure("broken", broken), figure("passed", passed), figure("not checked", skipped)],
        },
        "broken": broken > 0,
        "rows": rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Broken;

    fn checked(limit: &str, verdict: LimitOutcome) -> Checked {
        let summary = (verdict == LimitOutcome::Passed).then(|| "b 7".to_owned());
        Checked { limit: limit.to_owned(), line: 1, figure: "a.b".to_owned(), summary, verdict }
    }

    #[test]
    fn skipped_limits_are_not_counted_and_broken_limits_come_first() {
        let contributors = vec!["rocks".to_owned(), "sand".to_owned()];
        let broken = Broken {
            found: 7.into(),
            found_text: "7".to_owned(),
            summary: "b 7".to_owned(),
            contributors,
            change: None,
        };
        let limits = vec![
            checked("a.b <= 9", LimitOutcome::Passed),
            checked("a.c <= 9", LimitOutcome::Skipped("no such phase".to_owned())),
            checked("a.b <= 5", LimitOutcome::Broken(broken)),
        ];
        let json = PageContext { budget: Some(vec![("one".to_owned(), limits)]), ..Default::default() }.json();
        let budget = &json["budget"];
        assert_eq!(budget["verdict"]["sentence"], "1 of 2 limits broken; 1 limit not checked.");
        assert_eq!(budget["broken"], true);
        let outcomes: Vec<_> = budget["rows"].as_array().unwrap().iter().map(|row| row[2].clone()).collect();
        assert_eq!(outcomes, ["broken", "not checked", "passed"]);
        assert_eq!(budget["rows"][0][3], "b 7: rocks\nsand");
        assert_eq!(budget["rows"][2][3], "b 7");
    }

    #[test]
    fn a_page_without_a_budget_has_no_outcome_of_one() {
        assert_eq!(PageContext::default().json()["budget"], Value::Null);
    }
}

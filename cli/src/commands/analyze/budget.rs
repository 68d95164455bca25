//! Limits on the command line: read, checked, told.

use serde_json::Value;
use std::path::{Path, PathBuf};
use taut_analyze::budget::{Budget, Checked, LimitOutcome, junit};
use taut_analyze::render::{counted, grouped};
use taut_analyze::{Analysis, Findings};
use taut_console::outcome::{Failure, Status};
use taut_console::output::Output;
use taut_console::printing::{bold, escaped, red};

/// A budget and what came of its limits, trace by trace.
pub struct Budgeted {
    path: PathBuf,
    budget: Budget,
    checked: Vec<(String, Vec<Checked>)>,
}

impl Budgeted {
    /// Reads the budget file.
    pub fn read(path: &Path) -> Result<Budgeted, Failure> {
        let named = || path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| Failure::io(error).context(named()))?;
        let budget = Budget::parse(&text).map_err(|error| Failure::usage(error).context(named()))?;
        Ok(Budgeted { path: path.to_owned(), budget, checked: Vec::new() })
    }

    /// The reports its limits are on.
    pub fn reports(&self) -> Vec<&str> {
        self.budget.reports()
    }

    /// Checks a trace's figures, against those of the baseline where a limit is relative to it.
    pub fn check(
        &mut self,
        name: &str,
        (analysis, findings): (&Analysis, &Findings),
        baseline: Option<&Value>,
    ) -> Result<(), Failure> {
        let reports = findings.reports();
        let checked = self.budget.check_trace(&findings.head.workload, &reports, baseline, analysis);
        let checked = checked.map_err(|error| Failure::usage(error).context(self.path.display().to_string()))?;
        self.checked.push((name.to_owned(), checked));
        Ok(())
    }

    /// The budget's file.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// What came of the limits, trace by trace.
    pub fn checked(&self) -> &[(String, Vec<Checked>)] {
        &self.checked
    }

    fn count(&self, wanted: fn(&LimitOutcome) -> bool) -> u64 {
        let all = self.checked.iter().flat_map(|(_, checked)| checked);
        all.filter(|one| wanted(&one.verdict)).count() as u64
    }

    fn broken(&self) -> u64 {
        self.count(|verdict| matches!(verdict, LimitOutcome::Broken(_)))
    }

    /// How many limits were checked, broken and not checked.
    pub fn summary(&self) -> String {
        let skipped = self.count(|verdict| matches!(verdict, LimitOutcome::Skipped(_)));
        let checked = counted(self.count(|_| true) - skipped, "limit");
        let mut text = match self.broken() {
            0 => format!("{checked} checked, none broken"),
            broken => format!("{} of {checked} broken", grouped(broken)),
        };
        if skipped > 0 {
            text += &format!("; {} not checked", grouped(skipped));
        }
        text
    }

    /// Whether a limit is broken.
    pub fn status(&self) -> Status {
        if self.broken() > 0 { Status::Found } else { Status::Fine }
    }

    /// What came of the limits of one trace.
    pub fn json(&self, trace: usize) -> Value {
        self.checked.get(trace).map_or(Value::Null, |(_, checked)| serde_json::to_value(checked).unwrap_or_default())
    }

    /// The same for people: what is broken, what could not be checked, and how many limits hold.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", bold(&format!("Budget {}", self.path.display())));
        for (trace, checked) in &self.checked {
            for one in checked {
                match &one.verdict {
                    LimitOutcome::Kept => {}
                    LimitOutcome::Skipped(why) => text += &format!("\n{trace}: not checked: {}: {why}\n", one.limit),
                    LimitOutcome::Broken(broken) => {
                        let limit = format!("{} (line {} of the budget)", one.limit, one.line);
                        text += &format!("\n{trace}: {}: {limit}\n", red("broken"));
                        text += &format!("  {} is {}\n", one.figure, broken.found_text);
                        broken.behind.iter().for_each(|behind| text += &format!("  - {}\n", escaped(behind)));
                    }
                }
            }
        }
        text + &format!("\n{}\n", self.summary())
    }

    /// Writes the JUnit file, if one is wanted.
    pub fn write_junit(&self, output: Option<Output>) -> Result<(), Failure> {
        let Some(output) = output else { return Ok(()) };
        output.finish_with(junit(&self.checked).as_bytes())?;
        Ok(())
    }
}

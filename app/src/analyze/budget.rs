//! Budget: limits of the figures of reports, read from a file.

use super::Baseline;
use crate::Error;
use serde_json::Value;
use std::path::{Path, PathBuf};
use taut_analyze::budget::{Budget, Checked, LimitOutcome, TraceClock, junit};
use taut_analyze::render::{counted, grouped};
use taut_analyze::{Analysis, Findings};
use taut_runtime::TomlSource;
use taut_traces::{Trace, read_text};
use taut_workloads::WORKLOADS;

/// A budget and the results of its limits, trace by trace.
pub struct BudgetCheck {
    path: PathBuf,
    budget: Budget,
    checked: Vec<(String, Vec<Checked>)>,
}

impl BudgetCheck {
    /// Reads the budget file.
    pub(super) fn read(path: &Path) -> Result<BudgetCheck, Error> {
        let named = || path.display().to_string();
        let unread = |error: std::io::Error| Error::reading(error.kind(), error).context(named());
        let text = read_text(path).map_err(unread)?;
        TomlSource::new(&text, &named(), "budget").check_size().map_err(Error::input)?;
        let hint = if text.trim_start().starts_with('{') { "; a budget is a TOML file (docs/budgets.md)" } else { "" };
        let wrong = |error| Error::usage(format_args!("{error}{hint}")).context(named());
        let budget = Budget::parse(&text).map_err(wrong)?;
        Ok(BudgetCheck { path: path.to_owned(), budget, checked: Vec::new() })
    }

    /// Names of the reports that have limits.
    pub(super) fn reports(&self) -> Vec<&str> {
        self.budget.reports()
    }

    /// Checks the figures of a trace; a limit relative to the baseline is checked against the figures of the baseline.
    pub(super) fn check(
        &mut self,
        name: &str,
        analysis: &Analysis,
        findings: &Findings,
        baseline: Option<&Baseline>,
    ) -> Result<(), Error> {
        let (reports, workload) = (findings.reports(), &findings.head.workload);
        let wrong = |error| Error::usage(error).context(self.path.display().to_string());
        let of_baseline = baseline.map(|baseline| clock(baseline.trace()));
        self.budget.check_clock(workload, &reports, clock(analysis.trace()), of_baseline).map_err(wrong)?;
        let checked = self.budget.check_trace(
            workload,
            &reports,
            baseline.map(Baseline::reports),
            baseline.and_then(Baseline::driver),
            analysis,
        );
        let checked = checked.map_err(wrong)?;
        self.checked.push((name.to_owned(), checked));
        Ok(())
    }

    /// Path of the budget file, for display.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Results of the limits, trace by trace.
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

    /// Sentence with the numbers of limits that were checked, broken and not checked.
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

    /// True if a limit is broken.
    pub fn is_broken(&self) -> bool {
        self.broken() > 0
    }

    /// Results of the limits of the trace with this index, as JSON.
    pub(super) fn json(&self, trace: usize) -> Value {
        self.checked.get(trace).map_or(Value::Null, |(_, checked)| serde_json::to_value(checked).unwrap_or_default())
    }

    /// Results as JUnit XML.
    pub fn junit(&self) -> String {
        junit(&self.checked)
    }
}

/// Clock of a trace. Bundled workloads can be recorded with a logical clock, so that they need no exception.
fn clock(trace: &Trace) -> TraceClock {
    let name = &trace.header().world.workload.name;
    TraceClock::new(trace, WORKLOADS.iter().all(|workload| workload.name != name))
}

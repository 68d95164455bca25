//! Inputs and findings of audits.

use super::{FindingFigures, NAMED};
use crate::analysis::Analysis;
use crate::background::Background;
use crate::error::AnalyzeError;

/// Inputs of the audits.
pub(crate) struct Evidence<'a> {
    pub background: &'a Background,
    /// Maximum number of concurrent tasks at idle priority.
    pub max_tasks: u64,
    /// Maximum number of concurrent tasks when a task above idle priority starts.
    pub max_boosted_tasks: u64,
    /// True if no record of the trace is missing.
    pub whole: bool,
    /// Sentence on the providers that were not recorded; `None` if all were. Such a trace is never `whole`.
    pub partial: Option<String>,
    /// True for a what-if trace whose background tasks start and end at the recorded times, those of the other driver.
    pub has_recorded_task_starts: bool,
    /// Draws that the driver model needs for a decision; `None` if its profile does not say.
    pub n_min: Option<u64>,
}

impl<'a> Evidence<'a> {
    /// Collects the inputs from a trace. Missing settings have their documented defaults.
    pub fn of(analysis: &'a Analysis) -> Result<Evidence<'a>, AnalyzeError> {
        let settings = &analysis.trace().header().world.settings;
        let setting = |key: &str, default: u64| settings.get(key).and_then(|value| value.as_u64()).unwrap_or(default);
        // The runtime treats 0 as 1, because a queue that starts no task would never drain.
        let max_tasks = setting("max_background_tasks", 2).max(1);
        Ok(Evidence {
            background: analysis.background()?,
            max_tasks,
            max_boosted_tasks: setting("max_boosted_tasks", 4).max(max_tasks),
            whole: analysis.head()?.is_whole(),
            partial: analysis.head()?.left_out_providers(),
            has_recorded_task_starts: has_recorded_starts(analysis),
            n_min: analysis
                .trace()
                .header()
                .world
                .adapters
                .iter()
                .find_map(|adapter| adapter.profile.pointer("/background/n_min")?.as_u64()),
        })
    }
}

/// True if the trace is a what-if and its header parameter `what_if.recorded_task_starts` is true or missing.
fn has_recorded_starts(analysis: &Analysis) -> bool {
    let what_if = analysis.trace().header().world.workload.parameters.get("what_if");
    what_if.is_some_and(|what_if| what_if.get("recorded_task_starts").and_then(|is| is.as_bool()).unwrap_or(true))
}

/// Findings of one audit.
#[derive(Debug, Default)]
pub(crate) struct AuditFindings {
    /// Number of cases checked.
    pub checked: u64,
    /// Number of violations.
    pub count: u64,
    /// The first violations.
    pub first_findings: Vec<FindingFigures>,
}

impl AuditFindings {
    /// Counts a case; `broken` is true if it violates the rule.
    pub fn case(&mut self, at_stamp: u64, broken: bool, description: impl FnOnce() -> String) {
        self.checked += 1;
        if broken {
            self.found(at_stamp, description);
        }
    }

    /// Adds a violation without counting a case.
    pub fn found(&mut self, at_stamp: u64, description: impl FnOnce() -> String) {
        self.count += 1;
        if self.first_findings.len() < NAMED {
            self.first_findings.push(FindingFigures { at_stamp, description: description() });
        }
    }
}

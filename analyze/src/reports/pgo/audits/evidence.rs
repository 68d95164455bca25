//! What audits go by, and what they find.

use super::{FindingFigures, NAMED};
use crate::analysis::Analysis;
use crate::background::Background;
use crate::error::AnalyzeError;

/// What audits go by.
pub(crate) struct Evidence<'a> {
    /// What happened.
    pub background: &'a Background,
    /// Most tasks at once.
    pub most_tasks: u64,
    /// Most tasks at once, for one above idle priority to start.
    pub most_boosted_tasks: u64,
    /// The trace holds all that was recorded.
    pub whole: bool,
    /// Why the trace has a part of it alone, if it was recorded without a provider.
    pub partial: Option<String>,
    /// It is a what-if in which tasks start and end where another driver's did.
    pub what_if: bool,
}

impl<'a> Evidence<'a> {
    /// The evidence of a trace. Settings that it does not have are the document's.
    pub fn of(analysis: &'a Analysis) -> Result<Evidence<'a>, AnalyzeError> {
        let settings = &analysis.trace().header().world.settings;
        let setting = |key: &str, default: u64| settings.get(key).and_then(|value| value.as_u64()).unwrap_or(default);
        // A queue that begins nothing would never be drained: 0 counts as 1.
        let most_tasks = setting("max_background_tasks", 2).max(1);
        Ok(Evidence {
            background: analysis.background()?,
            most_tasks,
            most_boosted_tasks: setting("max_boosted_tasks", 4).max(most_tasks),
            whole: analysis.head()?.is_whole(),
            partial: analysis.head()?.left_out_providers(),
            what_if: has_recorded_starts(analysis),
        })
    }
}

/// A what-if says in its header whether its tasks are those of another driver; one that does not say is taken to be so.
fn has_recorded_starts(analysis: &Analysis) -> bool {
    let what_if = analysis.trace().header().world.workload.parameters.get("what_if");
    what_if.is_some_and(|what_if| what_if.get("recorded_task_starts").and_then(|is| is.as_bool()).unwrap_or(true))
}

/// What an audit found.
#[derive(Debug, Default)]
pub(crate) struct AuditFindings {
    /// Cases looked at.
    pub checked: u64,
    /// Those that broke the rule.
    pub count: u64,
    /// The first of them.
    pub first: Vec<FindingFigures>,
}

impl AuditFindings {
    /// A case was looked at, and `broken` if it broke the rule.
    pub fn case(&mut self, at_stamp: u64, broken: bool, description: impl FnOnce() -> String) {
        self.checked += 1;
        if broken {
            self.found(at_stamp, description);
        }
    }

    /// The rule was broken.
    pub fn found(&mut self, at_stamp: u64, description: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(FindingFigures { at_stamp, description: description() });
        }
    }
}

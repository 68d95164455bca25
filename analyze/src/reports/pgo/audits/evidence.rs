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
        })
    }
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

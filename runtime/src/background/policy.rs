//! What the background-processing document leaves open, as knobs.

use serde::{Deserialize, Serialize};

/// What becomes of the tasks that wait when their device is destroyed (B-56). The document lets a runtime do either, task
/// by task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AtDestruction {
    /// They run, and the destruction waits for them.
    RunAll,
    /// They are cancelled. The default, because that is when the comment at the prototype's pfnCancel has it called.
    #[default]
    CancelAll,
    /// Those that a commit waits for run, because somebody asked for their results; the others are cancelled.
    Mixed,
}

/// How background tasks are scheduled and cancelled, where the documents differ or say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskPolicy {
    /// How many tasks may run at once (B-21). The document says 2, the DDI's pages 1 (ambiguity A4.1). 0 counts as 1: a
    /// queue that begins nothing would never be drained.
    pub max_tasks: u32,
    /// How many tasks may run at once while a commit of high priority lasts (B-36); never fewer than `max_tasks`. The
    /// document says "more than one".
    pub max_boosted_tasks: u32,
    /// Disabling cancels the tasks that wait, as the DDI's pages say; otherwise they run (ambiguity A4.2). A call that also
    /// commits cancels none, because each of them is in the set that it waits for.
    pub disable_cancels_queued: bool,
    /// What a commit's task queues belongs to the commit, too (ambiguity A4.14).
    pub commit_covers_followups: bool,
    /// While a commit of high priority lasts, tasks that are not in its set are boosted as well, and lowered when it is
    /// done. Otherwise the boost covers its set alone (ambiguity A4.13; how tasks queued later run is not said).
    pub boost_covers_later_tasks: bool,
    /// What becomes of the tasks that wait when the device is destroyed.
    pub at_destruction: AtDestruction,
}

impl Default for TaskPolicy {
    fn default() -> Self {
        TaskPolicy {
            max_tasks: 2,
            max_boosted_tasks: 4,
            disable_cancels_queued: false,
            commit_covers_followups: false,
            boost_covers_later_tasks: false,
            at_destruction: AtDestruction::default(),
        }
    }
}

impl TaskPolicy {
    /// Fewer tasks than this have to run for one to begin, boosted or not.
    pub(super) fn limit(&self, boosted: bool) -> usize {
        let least = self.max_tasks.max(1);
        let limit = if boosted { self.max_boosted_tasks.max(least) } else { least };
        usize::try_from(limit).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_survive_json_and_what_is_left_out_is_the_default() {
        let policy = TaskPolicy { max_tasks: 1, at_destruction: AtDestruction::RunAll, ..Default::default() };
        let json = serde_json::to_value(policy).unwrap();
        assert_eq!((&json["max_tasks"], &json["at_destruction"]), (&1.into(), &"run_all".into()));
        assert_eq!(serde_json::from_value::<TaskPolicy>(json).unwrap(), policy);
        assert_eq!(serde_json::from_str::<TaskPolicy>("{}").unwrap(), TaskPolicy::default());
        assert_eq!(serde_json::to_value(TaskPolicy::default()).unwrap()["at_destruction"], "cancel_all");
        assert!(serde_json::from_str::<TaskPolicy>(r#"{"max_task":1}"#).is_err());
    }
}

//! Policy for choices that the background-processing document leaves open.

use serde::{Deserialize, Serialize};

/// Handling of waiting tasks when their device is destroyed (B-56). The document leaves it to the runtime, task by
/// task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AtDestruction {
    /// All waiting tasks run, and the destruction waits for them.
    RunAll,
    /// All waiting tasks are cancelled. The default, because the comment at the prototype of pfnCancel describes it.
    #[default]
    CancelAll,
    /// Tasks that a commit waits for run, because their results were requested; the others are cancelled.
    Mixed,
}

/// Scheduling and cancellation of background tasks, where the documents differ or are silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskPolicy {
    /// Maximum number of running tasks (B-21). The document states 2, the DDI's pages 1 (rule X-20). 0 counts as
    /// 1: a queue that starts no task would never be drained.
    pub max_tasks: u32,
    /// Maximum number of running tasks while a high-priority commit is pending (B-36); at least `max_tasks`. The
    /// document states "more than one".
    pub max_boosted_tasks: u32,
    /// Disabling cancels waiting tasks, as the DDI's pages state; otherwise they run (rule X-21). A call that also
    /// commits cancels none, because all of them belong to the commit.
    pub disable_cancels_queued: bool,
    /// A commit also waits for tasks that its tasks queue (rule X-28).
    pub commit_covers_followups: bool,
    /// A pending high-priority commit boosts all tasks until it is done. Otherwise it boosts its own tasks only
    /// (rule X-27; the document does not state the priority of tasks queued later).
    pub boost_covers_later_tasks: bool,
    /// Handling of waiting tasks when the device is destroyed.
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
    /// Returns the number of running tasks below which another task may start.
    pub(super) fn limit(&self, boosted: bool) -> usize {
        let minimum = self.max_tasks.max(1);
        let limit = if boosted { self.max_boosted_tasks.max(minimum) } else { minimum };
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

//! Commits of results.

use taut_schemas::{CommitId, EventHandle, TaskId};

/// A commit of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub id: CommitId,
    /// The event that the commit signals; may be null.
    pub event: EventHandle,
    /// True if the commit's tasks run at high priority.
    pub high_priority: bool,
    /// The tasks that the commit waits for.
    pub tasks: Vec<TaskId>,
    /// Stamp of the commit, in ticks.
    pub committed_stamp: u64,
    /// Stamp, in ticks, at which the runtime reports the end of all tasks of the commit; `None` without such a report.
    pub done_stamp: Option<u64>,
}

//! Commits of results.

use taut_schemas::{CommitId, EventHandle, TaskId};

/// One commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its number.
    pub id: CommitId,
    /// The event it signals; may be null.
    pub event: EventHandle,
    /// Its tasks run at high priority.
    pub high_priority: bool,
    /// The tasks it waits for.
    pub tasks: Vec<TaskId>,
    /// When it was made, in ticks.
    pub made_stamp: u64,
    /// When all its tasks had ended, as the runtime says; none if it never does.
    pub done_stamp: Option<u64>,
}

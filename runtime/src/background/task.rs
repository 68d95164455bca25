//! Background tasks, from queued work item to end.

use std::fmt;
use std::sync::Arc;
use taut_schemas::{BackgroundWork, CancelReason, CommitId, PipelineStateId, TaskId, WorkPriority, mark};

/// Work item that a driver queues.
pub(crate) struct WorkItem {
    /// pContext.
    pub(crate) context: u64,
    /// pfnCancel is not NULL.
    pub(crate) has_cancel: bool,
    pub(crate) pipeline_state: PipelineStateId,
    pub(crate) work: Arc<dyn BackgroundWork>,
}

impl WorkItem {
    pub(super) fn cancelled(
        self,
        task: TaskId,
        sequence: u64,
        reason: CancelReason,
        commits: Vec<CommitId>,
    ) -> CancelledTask {
        let WorkItem { context, has_cancel, pipeline_state, work: _ } = self;
        let mark = mark::BackgroundWorkCancel { task, sequence, reason, pipeline_state, commits };
        CancelledTask { task, context, has_cancel, mark }
    }
}

impl fmt::Debug for WorkItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WorkItem { context, has_cancel, pipeline_state, work: _ } = self;
        f.debug_struct("WorkItem")
            .field("context", context)
            .field("has_cancel", has_cancel)
            .field("pipeline_state", pipeline_state)
            .finish_non_exhaustive()
    }
}

/// Result of queueing a work item.
#[derive(Debug)]
pub(crate) enum Queued {
    /// The task will run, or be cancelled when its device is destroyed.
    Accepted { task: TaskId },
    /// The task will not run (B-23). The caller calls the cancel callback, if any, before the driver's call returns.
    Cancelled(CancelledTask),
}

/// Cancelled task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CancelledTask {
    pub(crate) task: TaskId,
    /// pContext.
    pub(crate) context: u64,
    /// A cancel callback exists (B-24).
    pub(crate) has_cancel: bool,
    /// Trace record of the cancellation.
    pub(crate) mark: mark::BackgroundWorkCancel,
}

/// Started task.
pub(crate) struct Started {
    /// Trace record of the start.
    pub(crate) mark: mark::BackgroundWorkStart,
}

/// Finished task.
#[derive(Debug)]
pub(crate) struct Finished {
    /// Trace record of the end.
    pub(crate) mark: mark::BackgroundWorkStop,
    /// Commits that this task completed.
    pub(crate) done: Vec<mark::BackgroundCommitDone>,
    /// Running tasks whose threads lose their boost.
    pub(crate) priorities: Vec<mark::BackgroundWorkPriority>,
}

/// Running task as the owner of the workers sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunningTask {
    pub(crate) task: TaskId,
    /// Index of the worker, from 0.
    pub(crate) worker: u32,
    /// Priority of the worker's thread.
    pub(crate) priority: WorkPriority,
}

/// Unfinished task.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) id: TaskId,
    /// Sequence number in the order in which the device accepted tasks, from 1 (B-52).
    pub(super) sequence: u64,
    pub(super) item: WorkItem,
    /// First commit that waits for the task; all later commits wait for the task as well.
    pub(super) first_commit: CommitId,
}

/// Running task.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) task: Task,
    pub(super) worker: u32,
    pub(super) priority: WorkPriority,
    /// The driver has no work for the task.
    pub(super) is_void: bool,
}

impl Running {
    pub(super) fn started(&self, commits: Vec<CommitId>) -> Started {
        let Running { task, worker, priority, is_void: _ } = self;
        let mark = mark::BackgroundWorkStart {
            task: task.id,
            sequence: task.sequence,
            priority: *priority,
            worker: *worker,
            pipeline_state: task.item.pipeline_state,
            commits,
        };
        Started { mark }
    }

    pub(super) fn stopped(&self, commits: Vec<CommitId>) -> mark::BackgroundWorkStop {
        let Running { task, worker, priority, is_void: _ } = self;
        mark::BackgroundWorkStop {
            task: task.id,
            sequence: task.sequence,
            priority: *priority,
            worker: *worker,
            pipeline_state: task.item.pipeline_state,
            commits,
        }
    }
}

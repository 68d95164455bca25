//! A background task: a work item that was queued, from there to its end.

use std::fmt;
use std::sync::Arc;
use taut_schemas::{BackgroundWork, CancelReason, CommitId, PipelineStateId, TaskId, WorkPriority, mark};

/// What a driver queues.
pub(crate) struct WorkItem {
    /// pContext.
    pub(crate) context: u64,
    /// Whether pfnCancel is given.
    pub(crate) has_cancel: bool,
    /// The pipeline state that the work is for.
    pub(crate) pipeline_state: PipelineStateId,
    /// The work.
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

/// What became of a work item that was queued.
#[derive(Debug)]
pub(crate) enum Queued {
    /// It will run, or be cancelled when its device is destroyed.
    Accepted {
        /// The task.
        task: TaskId,
    },
    /// It will not run (B-23). The caller calls its cancel callback, if it has one, before the driver's call returns.
    Cancelled(CancelledTask),
}

/// A task that will not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CancelledTask {
    /// The task.
    pub(crate) task: TaskId,
    /// Its pContext.
    pub(crate) context: u64,
    /// Whether there is a callback to call (B-24).
    pub(crate) has_cancel: bool,
    /// What the trace says of it.
    pub(crate) mark: mark::BackgroundWorkCancel,
}

/// A task that has begun.
pub(crate) struct Started {
    /// What the trace says of it.
    pub(crate) mark: mark::BackgroundWorkStart,
}

/// A task that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// What the trace says of it.
    pub(crate) mark: mark::BackgroundWorkStop,
    /// The commits that waited for it last.
    pub(crate) done: Vec<mark::BackgroundCommitDone>,
    /// Tasks whose threads are lowered, because a boost is over.
    pub(crate) priorities: Vec<mark::BackgroundWorkPriority>,
}

/// A task that runs, as the owner of the workers sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunningTask {
    /// The task.
    pub(crate) task: TaskId,
    /// The worker it runs on, from 0.
    pub(crate) worker: u32,
    /// Its thread's priority.
    pub(crate) priority: WorkPriority,
}

/// A task that has not ended.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) id: TaskId,
    /// Its number in the order in which the device accepted tasks, from 1 (B-52).
    pub(super) sequence: u64,
    pub(super) item: WorkItem,
    /// The first commit that waits for it: every later one does, too.
    pub(super) first_commit: CommitId,
}

/// A task that runs.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) task: Task,
    pub(super) worker: u32,
    pub(super) priority: WorkPriority,
    /// Its driver found nothing to do for it.
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

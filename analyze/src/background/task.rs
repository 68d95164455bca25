//! Background tasks.

use taut_schemas::{CancelReason, CompileOutcome, PipelineStateId, TaskId, VariantId, WorkPriority};

/// State of a task at the end of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskState {
    /// Waiting in the queue.
    Queued,
    /// Running.
    Running,
    /// Ended.
    Finished,
    /// Ended with a failure of its work.
    Failed,
    /// Cancelled before it ran.
    Cancelled,
}

/// A background task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    pub id: TaskId,
    /// Number in the order in which the device accepted tasks; `None` for a task that is only queued.
    pub sequence: Option<u64>,
    pub pipeline_state: PipelineStateId,
    /// Stamp of QueueProcessingWork's return, in ticks; `None` if the return is not in the trace.
    pub queued_stamp: Option<u64>,
    /// The thread that queued the task.
    pub queued_thread: Option<u32>,
    /// The pass in which the task was queued, as an index into [`passes`](super::Background::passes).
    pub pass: u32,
    /// True if it was cancelled before QueueProcessingWork returned, so that it never entered the queue.
    pub refused: bool,
    /// True if it was queued before a recording that starts mid-stream; a running one counts as running from the
    /// rundown on.
    pub is_preexisting: bool,
    /// True if it was running at that time: the stamp of its begin is unknown.
    pub ran_before_recording: bool,
    /// True if the task has a cancel callback.
    pub has_cancel: bool,
    /// The latest submission whose measurements led to the decision; 0 if there is none.
    pub decided_by_submission: u64,
    /// Number of constant slots that the driver assumes to be fixed.
    pub fixed_slots: u32,
    pub started: Option<Started>,
    /// The last priority.
    pub priority: WorkPriority,
    /// True if it ran above idle priority at some time.
    pub boosted: bool,
    /// True if the operating system refused the task's priority.
    pub priority_refused: bool,
    /// The processor on which its work ended, from 1; 0 if unknown.
    pub processor: u32,
    /// Stamp of its end, in ticks.
    pub stopped_stamp: Option<u64>,
    pub cancelled: Option<Cancelled>,
    /// True if its work failed.
    pub failed: bool,
    /// The result of its work.
    pub outcome: Option<CompileOutcome>,
    /// The installed variant; null if the driver abandoned the result or has given no verdict.
    pub variant: VariantId,
}

/// The start of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// Stamp in ticks.
    pub stamp: u64,
    /// The worker, from 0.
    pub worker: u32,
    /// The first priority.
    pub priority: WorkPriority,
}

/// The cancellation of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled {
    /// Stamp in ticks.
    pub stamp: u64,
    pub reason: CancelReason,
}

impl Task {
    /// The task's state at the end of the trace.
    pub fn state(&self) -> TaskState {
        match self {
            Task { failed: true, .. } => TaskState::Failed,
            Task { stopped_stamp: Some(_), .. } => TaskState::Finished,
            Task { started: Some(_), .. } => TaskState::Running,
            Task { cancelled: Some(_), .. } => TaskState::Cancelled,
            _ => TaskState::Queued,
        }
    }

    /// The compiled result. `None` if it is unknown, or if the task compiled nothing: it had nothing to do, or tunes
    /// draws.
    pub fn compiled(&self) -> Option<CompileOutcome> {
        self.outcome.filter(|outcome| outcome.length_before > 0)
    }

    /// Time in the queue, in ticks; `None` if the task never began or its queuing is not in the trace.
    pub fn queue_wait_ticks(&self) -> Option<u64> {
        self.started?.stamp.checked_sub(self.queued_stamp?)
    }

    /// Run time in ticks; `None` if the task did not end, or began before the recording.
    pub fn run_ticks(&self) -> Option<u64> {
        if self.ran_before_recording {
            return None;
        }
        self.stopped_stamp?.checked_sub(self.started?.stamp)
    }
}

impl TaskState {
    /// The state's name.
    pub fn name(self) -> &'static str {
        match self {
            TaskState::Queued => "queued",
            TaskState::Running => "running",
            TaskState::Finished => "finished",
            TaskState::Failed => "failed",
            TaskState::Cancelled => "cancelled",
        }
    }
}

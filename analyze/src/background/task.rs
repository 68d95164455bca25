//! Background tasks.

use taut_schemas::{CancelReason, CompileOutcome, PipelineStateId, TaskId, VariantId, WorkPriority};

/// What became of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskState {
    /// It waits when the trace ends.
    Queued,
    /// It runs when the trace ends.
    Running,
    /// It ran to its end.
    Finished,
    /// It ran, and its work failed.
    Failed,
    /// It never ran.
    Cancelled,
}

/// A background task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    /// Its number.
    pub id: TaskId,
    /// Its number in the order in which the device accepted tasks; none if it is only queued.
    pub sequence: Option<u64>,
    /// The pipeline state it is for.
    pub pipeline_state: PipelineStateId,
    /// When QueueProcessingWork had taken it, in ticks; none if the trace does not say.
    pub queued_stamp: Option<u64>,
    /// The thread that queued it.
    pub queued_thread: Option<u32>,
    /// The pass it was queued in, as a place in [`passes`](super::Background::passes).
    pub pass: u32,
    /// It was cancelled before QueueProcessingWork returned: it was never in the queue.
    pub refused: bool,
    /// It was queued before a recording that starts in mid-stream; if it ran already, it counts as running from there on.
    pub was_there: bool,
    /// It ran then: when it began is not known.
    pub ran_before: bool,
    /// The driver gave a cancel callback.
    pub has_cancel: bool,
    /// The latest submission whose measurements the driver decided by; 0 if by none.
    pub decided_by_submission: u64,
    /// Slots of constants that the driver takes as fixed.
    pub asked_slots: u32,
    /// Its start.
    pub started: Option<Started>,
    /// At which priority it ran last.
    pub priority: WorkPriority,
    /// It ran above idle priority at some time.
    pub boosted: bool,
    /// The operating system refused a priority that it was to run at.
    pub priority_refused: bool,
    /// The processor that its work ended on, from 1; 0 where nobody knows.
    pub processor: u32,
    /// When it ended, in ticks.
    pub stopped_stamp: Option<u64>,
    /// Its cancellation.
    pub cancelled: Option<Cancelled>,
    /// Its work failed.
    pub failed: bool,
    /// What its work gave.
    pub outcome: Option<CompileOutcome>,
    /// The variant that was installed; null if the driver abandoned the result or has not said.
    pub variant: VariantId,
}

/// The start of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// When, in ticks.
    pub stamp: u64,
    /// The worker, from 0.
    pub worker: u32,
    /// The priority it began at.
    pub priority: WorkPriority,
}

/// The cancellation of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled {
    /// When, in ticks.
    pub stamp: u64,
    /// Why.
    pub reason: CancelReason,
}

impl Task {
    /// What became of it.
    pub fn state(&self) -> TaskState {
        match self {
            Task { failed: true, .. } => TaskState::Failed,
            Task { stopped_stamp: Some(_), .. } => TaskState::Finished,
            Task { started: Some(_), .. } => TaskState::Running,
            Task { cancelled: Some(_), .. } => TaskState::Cancelled,
            _ => TaskState::Queued,
        }
    }

    /// What its work made. None if that is not known, or if it made nothing: it found nothing to do, or tunes how draws run.
    pub fn made(&self) -> Option<CompileOutcome> {
        self.outcome.filter(|outcome| outcome.length_before > 0)
    }

    /// How long it waited in the queue, in ticks; none if it never began or the trace does not say when it was queued.
    pub fn queue_wait_ticks(&self) -> Option<u64> {
        self.started?.stamp.checked_sub(self.queued_stamp?)
    }

    /// How long it ran, in ticks; none if it did not run to its end, or began before the recording.
    pub fn run_ticks(&self) -> Option<u64> {
        if self.ran_before {
            return None;
        }
        self.stopped_stamp?.checked_sub(self.started?.stamp)
    }
}

impl TaskState {
    /// The state in one word.
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

//! What happens in background processing, one thing after another.

use taut_schemas::{
    BackgroundProcessingMode, CancelReason, CommandQueueId, CommitId, CompileOutcome, DrawRun, EventHandle,
    HResultCode, MeasurementsAction, ObjectId, PipelineStateId, Selection, TaskId, VariantId, WorkPriority,
};

/// A call of SetBackgroundProcessingMode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ModeCall {
    pub mode: BackgroundProcessingMode,
    pub action: MeasurementsAction,
    pub event: EventHandle,
    /// Whether the application wants to know if further measurements are desired.
    pub want_further: bool,
}

/// A call of QueueProcessingWork.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Queued {
    pub has_cancel: bool,
    pub pipeline_state: PipelineStateId,
    pub decided_by_submission: u64,
    /// Slots of constants that the variant takes as fixed.
    pub slots: u32,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Happening {
    /// CreateDevice succeeded.
    DeviceCreated,
    /// The driver has destroyed its device.
    DeviceDestroyed,
    /// A pipeline state was created; the name its shader has.
    PipelineCreated { id: PipelineStateId, name: String },
    /// SetName.
    Named { object: ObjectId, name: String },
    /// SetBackgroundProcessingMode begins.
    ModeCallBegan(ModeCall),
    /// The driver has been told of it; whether it says if further measurements are desired.
    DriverTold { answers: bool },
    /// SetBackgroundProcessingMode returned.
    ModeCallEnded { hr: HResultCode, desired: bool },
    /// QueueProcessingWork begins.
    QueueBegan,
    /// QueueProcessingWork returned.
    QueueEnded { hr: HResultCode, task: TaskId, queued: Queued },
    /// A task began.
    TaskStarted { task: TaskId, sequence: u64, priority: WorkPriority, worker: u32, pipeline_state: PipelineStateId },
    /// A task's thread has another priority.
    TaskPriority { task: TaskId, priority: WorkPriority },
    /// The driver is handed what a task made.
    TaskProcessed { task: TaskId, outcome: CompileOutcome },
    /// The driver has taken it, or left it.
    TaskVerdict { task: TaskId, variant: VariantId },
    /// A task's work failed.
    TaskFailed { task: TaskId },
    /// A task ended.
    TaskStopped { task: TaskId },
    /// A task will not run.
    TaskCancelled { task: TaskId, sequence: u64, reason: CancelReason, pipeline_state: PipelineStateId },
    /// The driver's cancel callback is called.
    CancelCalled { task: TaskId },
    /// Results are committed.
    Committed { commit: CommitId, event: EventHandle, high_priority: bool, tasks: Vec<TaskId> },
    /// All tasks of a commit have ended, says the runtime.
    CommitDone { commit: CommitId },
    /// Command lists were submitted.
    Submitted { submission: u64, command_queue: CommandQueueId, selections: Vec<Selection> },
    /// The driver reads what a submission did.
    Collected { submission: u64, command_queue: CommandQueueId, runs: Vec<DrawRun> },
    /// A frame ended.
    Presented { command_queue: CommandQueueId },
}

//! The events of background processing.

use crate::view;
use taut_schemas::{
    BackgroundProcessingMode, CancelReason, CommandQueueId, CommitId, CompileOutcome, DrawRun, EventHandle,
    HResultCode, MeasurementsAction, ObjectId, PipelineStateId, Selection, TaskId, VariantId, WorkPriority, d3d12,
    d3d12_callbacks, d3d12_ddi, mark,
};

view! {
    /// A call of SetBackgroundProcessingMode.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct ModeCall of start d3d12::SetBackgroundProcessingMode {
        mode: BackgroundProcessingMode,
        action: MeasurementsAction = measurements_action,
        event: EventHandle,
        /// Whether the application wants to know if further measurements are desired.
        want_further: bool,
    }
}

view! {
    /// What it returned.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct ModeCallEnded of stop d3d12::SetBackgroundProcessingMode {
        hr: HResultCode,
        desired: bool = output.desired,
    }
}

view! {
    /// A call of QueueProcessingWork.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct WorkItem of start d3d12_callbacks::QueueProcessingWork {
        has_cancel: bool,
        pipeline_state: PipelineStateId,
        decided_by_submission: u64,
        /// Slots of constants that the variant takes as fixed.
        slots: Vec<u32>,
    }
}

view! {
    /// A task began.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TaskStarted of info mark::BackgroundWorkStart {
        task: TaskId,
        sequence: u64,
        priority: WorkPriority,
        worker: u32,
        pipeline_state: PipelineStateId,
    }
}

view! {
    /// A task's thread has another priority.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TaskPriority of info mark::BackgroundWorkPriority {
        task: TaskId,
        priority: WorkPriority,
    }
}

view! {
    /// The driver is handed what a task made.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TaskProcessed of start d3d12_ddi::ProcessBackgroundWork {
        task: TaskId,
        outcome: CompileOutcome,
    }
}

view! {
    /// A task ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TaskStopped of info mark::BackgroundWorkStop {
        task: TaskId,
    }
}

view! {
    /// A task will not run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TaskCancelled of info mark::BackgroundWorkCancel {
        task: TaskId,
        sequence: u64,
        reason: CancelReason,
        pipeline_state: PipelineStateId,
    }
}

view! {
    /// The driver's cancel callback is called.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct CancelCalled of start d3d12_ddi::CancelBackgroundWork {
        task: TaskId,
    }
}

view! {
    /// Results are committed.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Committed of info mark::BackgroundCommit {
        commit: CommitId,
        event: EventHandle,
        high_priority: bool,
        tasks: Vec<TaskId>,
    }
}

view! {
    /// All tasks of a commit have ended, says the runtime.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct CommitDone of info mark::BackgroundCommitDone {
        commit: CommitId,
    }
}

view! {
    /// The driver reads what a submission did.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Collected of start d3d12_ddi::CollectMeasurements {
        submission: u64,
        command_queue: CommandQueueId,
        runs: Vec<DrawRun>,
    }
}

/// Something that happened: what a record says, or a call and its result together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BackgroundEvent {
    /// CreateDevice succeeded.
    DeviceCreated,
    /// The driver has destroyed its device.
    DeviceDestroyed,
    /// A pipeline state was created; the name its shader has.
    PipelineCreated {
        id: PipelineStateId,
        name: String,
    },
    /// An object was given a name.
    Named {
        object: ObjectId,
        name: String,
    },
    /// SetBackgroundProcessingMode begins.
    ModeCallBegan(ModeCall),
    /// The driver has been told of it, in a call that may say whether further measurements are desired or in one that cannot;
    /// whether it said so.
    DriverNotified {
        may_answer: bool,
        answers: bool,
    },
    /// SetBackgroundProcessingMode returned.
    ModeCallEnded(ModeCallEnded),
    /// QueueProcessingWork was accepted.
    Queued {
        task: TaskId,
        item: WorkItem,
    },
    TaskStarted(TaskStarted),
    TaskPriority(TaskPriority),
    TaskProcessed(TaskProcessed),
    /// The driver has taken what a task made, or left it.
    TaskVerdict {
        task: TaskId,
        variant: VariantId,
    },
    /// A task's work failed.
    TaskFailed {
        task: TaskId,
    },
    TaskStopped(TaskStopped),
    TaskCancelled(TaskCancelled),
    CancelCalled(CancelCalled),
    Committed(Committed),
    CommitDone(CommitDone),
    /// Command lists were submitted.
    Submitted {
        submission: u64,
        command_queue: CommandQueueId,
        selections: Vec<Selection>,
    },
    Collected(Collected),
    /// A frame ended.
    Presented {
        command_queue: CommandQueueId,
    },
}

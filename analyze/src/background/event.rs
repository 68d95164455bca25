//! The events of background processing.

use crate::view;
use taut_schemas::{
    BackgroundProcessingMode, CancelReason, CodeTime, CommandQueueId, CommitId, CompileOutcome, DrawCommand, DrawRun,
    EventHandle, HResultCode, MeasurementsAction, ObjectId, PipelineStateId, Selection, TaskId, TaskRun, VariantChange,
    VariantId, WorkPriority, d3d12, d3d12_callbacks, d3d12_ddi, mark, state,
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
    } if any {
        /// And their values, in a trace that says them.
        words: Vec<u32>,
    }
}

view! {
    /// What a rundown says of an adapter's background processing.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TasksThere of info state::Tasks {
        mode: BackgroundProcessingMode,
    }
}

view! {
    /// A rundown has a task that has not ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TaskThere of info state::Task {
        task: TaskId,
        sequence: u64,
        has_cancel: bool,
        pipeline_state: PipelineStateId,
        /// Where and how it runs; none while it waits.
        runs: Option<TaskRun>,
    }
}

view! {
    /// A rundown has a pipeline state.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct PipelineThere of info state::PipelineState {
        pipeline_state: PipelineStateId,
        name: String,
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
    /// The driver tells of a variant.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct VariantReported of start d3d12_callbacks::ReportVariant {
        variant: VariantId,
        pipeline_state: PipelineStateId,
        change: VariantChange,
        slots: Vec<u32>,
        words: Vec<u32>,
    }
}

view! {
    /// The driver destroys a pipeline state.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct PipelineDestroyed of start d3d12_ddi::DestroyPipelineState {
        pipeline_state: PipelineStateId,
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

/// The graphics processor has done a submission: how long code of its draws took, and on which processor it was, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Timed {
    pub submission: u64,
    pub times: Vec<CodeTime>,
    pub processor: u32,
}

/// A submission, and the shaders that the driver selected for its draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Submitted {
    pub submission: u64,
    pub command_queue: CommandQueueId,
    pub selections: Vec<Selection>,
    /// The draws and the constants of all of them; empty in a trace that does not say.
    pub draws: Vec<DrawCommand>,
    pub constants: Vec<u32>,
}

/// The constants that draws are bound to, with their pipeline states. Of draws that follow each other bound alike, the
/// first alone.
pub(crate) fn bound_constants(submitted: &Submitted) -> impl Iterator<Item = (PipelineStateId, &[u32])> {
    let mut last = None;
    let new = move |draw: &&DrawCommand| {
        let bound = (draw.pipeline_state, draw.first_constant, draw.num_constants);
        last.replace(bound) != Some(bound)
    };
    submitted.draws.iter().filter(new).filter_map(|draw| {
        let (first, count) = (draw.first_constant as usize, draw.num_constants as usize);
        Some((draw.pipeline_state, submitted.constants.get(first..first.checked_add(count)?)?))
    })
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
    /// A rundown says which mode is in force.
    TasksThere(TasksThere),
    /// A rundown has a task, which may have been queued before the recording began.
    TaskThere(TaskThere),
    /// A rundown has a pipeline state.
    PipelineThere(PipelineThere),
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
    /// A task's work was done: whether the operating system refused a priority that it was to run at, and the processor that it
    /// ended on, from 1; 0 where nobody knows.
    TaskEnded {
        task: TaskId,
        priority_refused: bool,
        processor: u32,
    },
    TaskStopped(TaskStopped),
    TaskCancelled(TaskCancelled),
    CancelCalled(CancelCalled),
    VariantReported(VariantReported),
    /// The driver makes nothing for these values: the texts promise too little.
    Estimated(VariantReported),
    PipelineDestroyed(PipelineDestroyed),
    Committed(Committed),
    CommitDone(CommitDone),
    /// Command lists were submitted.
    Submitted(Submitted),
    Collected(Collected),
    Timed(Timed),
    /// A frame ended.
    Presented {
        command_queue: CommandQueueId,
    },
}

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
        /// True if the application queries whether further measurements are desired.
        want_further: bool,
    }
}

view! {
    /// The result of SetBackgroundProcessingMode.
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
        /// Slots of constants that the variant assumes to be fixed.
        slots: Vec<u32>,
    } if any {
        /// Values of the slots, in a trace that has them.
        words: Vec<u32>,
    }
}

view! {
    /// Background processing of an adapter, in a rundown.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct RundownTasks of info state::Tasks {
        mode: BackgroundProcessingMode,
    }
}

view! {
    /// An unfinished task, in a rundown.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct RundownTask of info state::Task {
        task: TaskId,
        sequence: u64,
        has_cancel: bool,
        pipeline_state: PipelineStateId,
        /// Worker and priority; absent while the task waits.
        runs: Option<TaskRun>,
    }
}

view! {
    /// A pipeline state, in a rundown.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct RundownPipeline of info state::PipelineState {
        pipeline_state: PipelineStateId,
        name: String,
    }
}

view! {
    /// A task begins.
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
    /// A task's thread changes its priority.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TaskPriority of info mark::BackgroundWorkPriority {
        task: TaskId,
        priority: WorkPriority,
    }
}

view! {
    /// A task's result is passed to the driver.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TaskProcessed of start d3d12_ddi::ProcessBackgroundWork {
        task: TaskId,
        outcome: CompileOutcome,
    }
}

view! {
    /// A task ends.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct TaskStopped of info mark::BackgroundWorkStop {
        task: TaskId,
    }
}

view! {
    /// A task is cancelled.
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
    /// The runtime reports the end of all tasks of a commit.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct CommitDone of info mark::BackgroundCommitDone {
        commit: CommitId,
    }
}

view! {
    /// The driver reports a variant.
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
    /// The driver reads the measurements of a submission.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Collected of start d3d12_ddi::CollectMeasurements {
        submission: u64,
        command_queue: CommandQueueId,
        runs: Vec<DrawRun>,
    }
}

/// The GPU has completed a submission: measured times of its draws' code, and the processor, from 1.
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
    /// The draws, and the constants of all of them; empty in a trace without them.
    pub draws: Vec<DrawCommand>,
    pub constants: Vec<u32>,
}

/// The pipeline states of draws with their constants. Of consecutive draws with the same bindings, only the first.
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

/// An event of background processing: a record, or a call joined with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BackgroundEvent {
    /// CreateDevice succeeded.
    DeviceCreated,
    /// The driver has destroyed its device.
    DeviceDestroyed,
    /// A pipeline state was created, with the name of its shader.
    PipelineCreated {
        id: PipelineStateId,
        name: String,
    },
    /// A rundown contains the mode in force.
    RundownTasks(RundownTasks),
    /// A rundown contains a task, which may have been queued before the recording began.
    RundownTask(RundownTask),
    /// A rundown contains a pipeline state.
    RundownPipeline(RundownPipeline),
    /// An object was named.
    Named {
        object: ObjectId,
        name: String,
    },
    /// SetBackgroundProcessingMode begins.
    ModeCallBegan(ModeCall),
    /// The driver was notified of the call, by a version that can or cannot report further measurements; and whether it
    /// did.
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
    /// The driver has installed a task's result, or abandoned it.
    TaskVerdict {
        task: TaskId,
        variant: VariantId,
    },
    /// A task's work failed.
    TaskFailed {
        task: TaskId,
    },
    /// A task's work ended: true if the operating system refused the task's priority; and the processor, from 1; 0 if
    /// unknown.
    TaskEnded {
        task: TaskId,
        priority_refused: bool,
        processor: u32,
    },
    TaskStopped(TaskStopped),
    TaskCancelled(TaskCancelled),
    CancelCalled(CancelCalled),
    VariantReported(VariantReported),
    /// The driver compiles no variant for these values: the estimated gain is too small.
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

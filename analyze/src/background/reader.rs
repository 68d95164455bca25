//! What a trace says of background processing.

use super::happening::{Happening, ModeCall};
use super::returned::returned;
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::story::{self, At, Record, Told, Wanted};
use taut_schemas::{
    BackgroundProcessingMode, CancelReason, CommandQueueId, CommitId, CompileOutcome, DrawRun, EventHandle,
    MeasurementsAction, Opcode, PipelineStateId, TaskId, VariantId, WorkPriority,
};
use taut_traces::Trace;

const EVENTS: Wanted = &[
    ("CreateDevice", Opcode::Stop, &["hr"]),
    ("DestroyDevice", Opcode::Start, &[]),
    ("DestroyDevice", Opcode::Stop, &[]),
    ("CreateGraphicsPipelineState", Opcode::Start, &["shader"]),
    ("CreateGraphicsPipelineState", Opcode::Stop, &["hr", "pipeline_state"]),
    ("CreateComputePipelineState", Opcode::Start, &["shader"]),
    ("CreateComputePipelineState", Opcode::Stop, &["hr", "pipeline_state"]),
    ("SetName", Opcode::Start, &["object", "name"]),
    ("SetName", Opcode::Stop, &["hr"]),
    ("SetBackgroundProcessingMode", Opcode::Start, &["mode", "measurements_action", "event", "want_further"]),
    ("SetBackgroundProcessingMode", Opcode::Stop, &["hr", "desired"]),
    ("SetBackgroundProcessingMode0062", Opcode::Stop, &[]),
    ("SetBackgroundProcessingMode0063", Opcode::Stop, &["value"]),
    ("QueueProcessingWork", Opcode::Start, &["has_cancel", "pipeline_state", "decided_by_submission", "slots"]),
    ("QueueProcessingWork", Opcode::Stop, &["hr", "task"]),
    ("BackgroundWorkStart", Opcode::Info, &["task", "sequence", "priority", "worker", "pipeline_state"]),
    ("BackgroundWorkStop", Opcode::Info, &["task"]),
    ("BackgroundWorkCancel", Opcode::Info, &["task", "sequence", "reason", "pipeline_state"]),
    ("BackgroundWorkPriority", Opcode::Info, &["task", "priority"]),
    ("BackgroundCommit", Opcode::Info, &["commit", "event", "high_priority", "tasks"]),
    ("BackgroundCommitDone", Opcode::Info, &["commit"]),
    (
        "ProcessBackgroundWork",
        Opcode::Start,
        &["task", "outcome.length_before", "outcome.length_after", "outcome.folded_slots"],
    ),
    ("ProcessBackgroundWork", Opcode::Stop, &["variant"]),
    ("CancelBackgroundWork", Opcode::Start, &["task"]),
    ("CancelBackgroundWork", Opcode::Stop, &[]),
    ("FailBackgroundWork", Opcode::Start, &["task"]),
    ("FailBackgroundWork", Opcode::Stop, &["hr"]),
    ("d3d12_ddi:ExecuteCommandLists", Opcode::Start, &["command_queue", "submission"]),
    ("d3d12_ddi:ExecuteCommandLists", Opcode::Stop, &["value"]),
    ("CollectMeasurements", Opcode::Start, &["command_queue", "submission", "runs"]),
    ("CollectMeasurements", Opcode::Stop, &[]),
    ("Present", Opcode::Start, &["command_queue"]),
    ("Present", Opcode::Stop, &["hr"]),
];

/// Those that make a trace worth reading.
const LOOKED_FOR: [&str; 4] =
    ["SetBackgroundProcessingMode", "QueueProcessingWork", "BackgroundWorkStart", "CollectMeasurements"];

/// Whether the trace says anything of background processing, or may. Reads nothing.
pub(crate) fn any(trace: &Trace) -> bool {
    story::any(trace, EVENTS, &LOOKED_FOR)
}

/// Everything that happened, in order.
pub(super) fn happenings(analysis: &Analysis) -> Result<Vec<(At, Happening)>, AnalyzeError> {
    story::happenings(analysis, EVENTS, |name, told| match told {
        Told::Began(start) => began(name, start),
        Told::Returned(call) => returned(name, call),
        Told::Said(mark) => said(name, mark),
    })
}

/// What the start of a call tells.
fn began(name: &str, start: Record<'_>) -> Option<Happening> {
    let number = |field: &str| start.number(field);
    let task = TaskId(number("task"));
    Some(match name {
        "SetBackgroundProcessingMode" => Happening::ModeCallBegan(ModeCall {
            mode: BackgroundProcessingMode(number("mode") as u32),
            action: MeasurementsAction(number("measurements_action") as u32),
            event: EventHandle(number("event")),
            want_further: number("want_further") != 0,
        }),
        "QueueProcessingWork" => Happening::QueueBegan,
        "ProcessBackgroundWork" => Happening::TaskProcessed {
            task,
            outcome: CompileOutcome {
                length_before: number("outcome.length_before") as u32,
                length_after: number("outcome.length_after") as u32,
                folded_slots: number("outcome.folded_slots") as u32,
                text_hash: 0,
            },
        },
        "CancelBackgroundWork" => Happening::CancelCalled { task },
        "CollectMeasurements" => Happening::Collected {
            submission: number("submission"),
            command_queue: CommandQueueId(number("command_queue")),
            runs: runs(start),
        },
        _ => return None,
    })
}

fn runs(start: Record<'_>) -> Vec<DrawRun> {
    let column = |element: &str| start.list("runs", element);
    let (pipelines, variants) = (column("pipeline_state"), column("variant"));
    let (executed, generic_executed) = (column("executed"), column("generic_executed"));
    let (hashes, generic_hashes) = (column("output_hash"), column("generic_output_hash"));
    let at = |column: &[u64], index: usize| column.get(index).copied().unwrap_or_default();
    let run = |index: usize| DrawRun {
        pipeline_state: PipelineStateId(at(pipelines, index)),
        variant: VariantId(at(variants, index)),
        executed: at(executed, index),
        generic_executed: at(generic_executed, index),
        output_hash: at(hashes, index),
        generic_output_hash: at(generic_hashes, index),
    };
    (0..pipelines.len()).map(run).collect()
}

/// What a mark tells.
fn said(name: &str, mark: Record<'_>) -> Option<Happening> {
    let number = |field: &str| mark.number(field);
    let task = TaskId(number("task"));
    let (sequence, pipeline_state) = (number("sequence"), PipelineStateId(number("pipeline_state")));
    let priority = WorkPriority(number("priority") as u32);
    let commit = CommitId(number("commit"));
    Some(match name {
        "BackgroundWorkStart" => {
            let worker = number("worker") as u32;
            Happening::TaskStarted { task, sequence, priority, worker, pipeline_state }
        }
        "BackgroundWorkStop" => Happening::TaskStopped { task },
        "BackgroundWorkCancel" => {
            let reason = CancelReason(number("reason") as u32);
            Happening::TaskCancelled { task, sequence, reason, pipeline_state }
        }
        "BackgroundWorkPriority" => Happening::TaskPriority { task, priority },
        "BackgroundCommit" => Happening::Committed {
            commit,
            event: EventHandle(number("event")),
            high_priority: number("high_priority") != 0,
            tasks: mark.list("tasks", "task").iter().copied().map(TaskId).collect(),
        },
        "BackgroundCommitDone" => Happening::CommitDone { commit },
        _ => return None,
    })
}

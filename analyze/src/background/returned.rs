//! Calls that have returned.

use super::happening::{Happening, Queued};
use crate::story::{Call, Record};
use taut_schemas::{CommandQueueId, HResultCode, ObjectId, PipelineStateId, Selection, TaskId, VariantId};

/// What a call tells that has returned.
pub(super) fn returned(name: &str, call: Call<'_>) -> Option<Happening> {
    let hr = HResultCode(call.stop.number("hr") as u32);
    let done = hr == HResultCode::S_OK;
    match name {
        "CreateDevice" if done => Some(Happening::DeviceCreated),
        "DestroyDevice" => Some(Happening::DeviceDestroyed),
        "CreateGraphicsPipelineState" | "CreateComputePipelineState" if done => Some(Happening::PipelineCreated {
            id: PipelineStateId(call.stop.number("pipeline_state")),
            name: shader_name(&call.start?.text("shader")),
        }),
        "SetName" if done => {
            let start = call.start?;
            Some(Happening::Named { object: ObjectId(start.number("object")), name: start.text("name") })
        }
        "SetBackgroundProcessingMode" => {
            Some(Happening::ModeCallEnded { hr, desired: call.stop.number("desired") != 0 })
        }
        "SetBackgroundProcessingMode0062" => Some(Happening::DriverTold { answers: false }),
        "SetBackgroundProcessingMode0063" => {
            Some(Happening::DriverTold { answers: !call.stop.list("value", "desired").is_empty() })
        }
        "QueueProcessingWork" => {
            let start = call.start?;
            let queued = Queued {
                has_cancel: start.number("has_cancel") != 0,
                pipeline_state: PipelineStateId(start.number("pipeline_state")),
                decided_by_submission: start.number("decided_by_submission"),
                slots: u32::try_from(start.list("slots", "value").len()).unwrap_or(u32::MAX),
            };
            Some(Happening::QueueEnded { hr, task: TaskId(call.stop.number("task")), queued })
        }
        "ProcessBackgroundWork" => Some(Happening::TaskVerdict {
            task: TaskId(call.start?.number("task")),
            variant: VariantId(call.stop.number("variant")),
        }),
        "FailBackgroundWork" if done => Some(Happening::TaskFailed { task: TaskId(call.start?.number("task")) }),
        "ExecuteCommandLists" => {
            let start = call.start?;
            Some(Happening::Submitted {
                submission: start.number("submission"),
                command_queue: CommandQueueId(start.number("command_queue")),
                selections: selections(call.stop),
            })
        }
        "Present" if done => {
            Some(Happening::Presented { command_queue: CommandQueueId(call.start?.number("command_queue")) })
        }
        _ => None,
    }
}

fn selections(stop: Record<'_>) -> Vec<Selection> {
    let column = |element: &str| stop.list("value", element);
    let (variants, missed, costs) = (column("variant"), column("guard_missed"), column("guard_cost"));
    let at = |column: &[u64], index: usize| column.get(index).copied().unwrap_or_default();
    let selection = |index: usize| Selection {
        variant: VariantId(at(variants, index)),
        guard_missed: at(missed, index) != 0,
        guard_cost: at(costs, index) as u32,
    };
    (0..variants.len()).map(selection).collect()
}

/// The name that a shader gives itself; empty if it gives none.
fn shader_name(shader: &str) -> String {
    #[derive(serde::Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str::<Named>(shader).map(|named| named.name).unwrap_or_default()
}

//! Calls that have returned.

use super::happening::{Happening, Queued};
use crate::columns::ThreadFields;
use taut_schemas::{CommandQueueId, EventCode, HResultCode, ObjectId, PipelineStateId, Selection, TaskId, VariantId};

/// One record of a thread.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub fields: &'a ThreadFields<'a>,
    pub code: EventCode,
    /// Its place among its thread's records of its code.
    pub row: u32,
}

impl<'a> Record<'a> {
    /// A field's number; 0 if the trace does not have the field.
    pub fn number(self, field: &str) -> u64 {
        self.fields.numbers(self.code, field).at(self.row)
    }

    /// A column of a list's elements.
    pub fn list(self, field: &str, element: &str) -> &'a [u64] {
        self.fields.list(self.code, field, element, self.row)
    }

    fn text(self, field: &str) -> String {
        self.fields.text(self.code, field, self.row)
    }
}

/// A call that has returned.
pub(super) struct Call<'a> {
    /// None where it was lost, or is not read.
    pub start: Option<Record<'a>>,
    pub stop: Record<'a>,
}

impl Call<'_> {
    /// What it tells.
    pub fn returned(&self, name: &str) -> Option<Happening> {
        let hr = HResultCode(self.stop.number("hr") as u32);
        let done = hr == HResultCode::S_OK;
        match name {
            "CreateDevice" if done => Some(Happening::DeviceCreated),
            "DestroyDevice" => Some(Happening::DeviceDestroyed),
            "CreateGraphicsPipelineState" | "CreateComputePipelineState" if done => Some(Happening::PipelineCreated {
                id: PipelineStateId(self.stop.number("pipeline_state")),
                name: shader_name(&self.start?.text("shader")),
            }),
            "SetName" if done => {
                let start = self.start?;
                Some(Happening::Named { object: ObjectId(start.number("object")), name: start.text("name") })
            }
            "SetBackgroundProcessingMode" => {
                Some(Happening::ModeCallEnded { hr, desired: self.stop.number("desired") != 0 })
            }
            "SetBackgroundProcessingMode0062" => Some(Happening::DriverTold { answers: false }),
            "SetBackgroundProcessingMode0063" => {
                Some(Happening::DriverTold { answers: !self.stop.list("value", "desired").is_empty() })
            }
            "QueueProcessingWork" => {
                let start = self.start?;
                let queued = Queued {
                    has_cancel: start.number("has_cancel") != 0,
                    pipeline_state: PipelineStateId(start.number("pipeline_state")),
                    decided_by_submission: start.number("decided_by_submission"),
                    slots: u32::try_from(start.list("slots", "value").len()).unwrap_or(u32::MAX),
                };
                Some(Happening::QueueEnded { hr, task: TaskId(self.stop.number("task")), queued })
            }
            "ProcessBackgroundWork" => Some(Happening::TaskVerdict {
                task: TaskId(self.start?.number("task")),
                variant: VariantId(self.stop.number("variant")),
            }),
            "FailBackgroundWork" if done => Some(Happening::TaskFailed { task: TaskId(self.start?.number("task")) }),
            "ExecuteCommandListsDdi" => {
                let start = self.start?;
                Some(Happening::Submitted {
                    submission: start.number("submission"),
                    command_queue: CommandQueueId(start.number("command_queue")),
                    selections: self.selections(),
                })
            }
            "Present" if done => {
                Some(Happening::Presented { command_queue: CommandQueueId(self.start?.number("command_queue")) })
            }
            _ => None,
        }
    }

    fn selections(&self) -> Vec<Selection> {
        let column = |element: &str| self.stop.list("value", element);
        let (variants, missed, costs) = (column("variant"), column("guard_missed"), column("guard_cost"));
        let at = |column: &[u64], index: usize| column.get(index).copied().unwrap_or_default();
        let selection = |index: usize| Selection {
            variant: VariantId(at(variants, index)),
            guard_missed: at(missed, index) != 0,
            guard_cost: at(costs, index) as u32,
        };
        (0..variants.len()).map(selection).collect()
    }
}

/// The name that a shader gives itself; empty if it gives none.
fn shader_name(shader: &str) -> String {
    #[derive(serde::Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str::<Named>(shader).map(|named| named.name).unwrap_or_default()
}

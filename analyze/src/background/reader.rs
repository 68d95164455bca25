//! What a trace says of background processing.

use super::happening::{Happening, Submitted};
use crate::error::AnalyzeError;
use crate::source::Source;
use crate::story::{self, At, Story};
use crate::view;
use taut_schemas::{
    Bytes, CommandQueueId, DrawCommand, FurtherMeasurements, HResultCode, ObjectId, PipelineStateId, Selection, TaskId,
    VariantId, d3d12, d3d12_callbacks, d3d12_ddi, dxgi, info, machine, mark, start,
};
use taut_traces::Trace;

/// Whether the trace says anything of background processing, or may. Reads nothing.
pub(crate) fn any(trace: &Trace) -> bool {
    let looked_for = [
        start::<d3d12::SetBackgroundProcessingMode>().of_event(),
        start::<d3d12_callbacks::QueueProcessingWork>().of_event(),
        info::<mark::BackgroundWorkStart>().of_event(),
        start::<d3d12_ddi::CollectMeasurements>().of_event(),
    ];
    story::any(trace, &looked_for)
}

/// Everything that happened, in order.
pub(super) fn happenings(source: &Source) -> Result<Vec<(At, Happening)>, AnalyzeError> {
    let mut story = Story::new(source);
    devices(&mut story)?;
    modes(&mut story)?;
    tasks(&mut story)?;
    submissions(&mut story)?;
    story.read()
}

view! { struct DeviceCreated of stop d3d12::CreateDevice { hr: HResultCode, } }
view! { struct DeviceDestroyed of stop d3d12_ddi::DestroyDevice {} }
view! { struct GraphicsShader of start d3d12::CreateGraphicsPipelineState { shader: Bytes, } }
view! {
    struct GraphicsPipeline of stop d3d12::CreateGraphicsPipelineState { hr: HResultCode, id: PipelineStateId = output, }
}
view! { struct ComputeShader of start d3d12::CreateComputePipelineState { shader: Bytes, } }
view! {
    struct ComputePipeline of stop d3d12::CreateComputePipelineState { hr: HResultCode, id: PipelineStateId = output, }
}
view! { struct Naming of start d3d12::SetName { object: ObjectId, name: String, } }
view! { struct Named of stop d3d12::SetName { hr: HResultCode, } }

fn devices(story: &mut Story<'_, Happening>) -> Result<(), AnalyzeError> {
    story.each(|created: DeviceCreated| is_ok(created.hr).then_some(Happening::DeviceCreated))?;
    story.each(|_: DeviceDestroyed| Some(Happening::DeviceDestroyed))?;
    story.returned(|start: GraphicsShader, GraphicsPipeline { hr, id }| {
        is_ok(hr).then(|| Happening::PipelineCreated { id, name: shader_name(&start.shader) })
    })?;
    story.returned(|start: ComputeShader, ComputePipeline { hr, id }| {
        is_ok(hr).then(|| Happening::PipelineCreated { id, name: shader_name(&start.shader) })
    })?;
    story.returned(|Naming { object, name }, stop: Named| is_ok(stop.hr).then_some(Happening::Named { object, name }))
}

view! { struct ToldWithoutAnswer of stop d3d12_ddi::SetBackgroundProcessingMode0062 {} }
view! { struct ToldWithAnswer of stop d3d12_ddi::SetBackgroundProcessingMode0063 { answer: Option<FurtherMeasurements> = whole, } }

fn modes(story: &mut Story<'_, Happening>) -> Result<(), AnalyzeError> {
    story.each(|call| Some(Happening::ModeCallBegan(call)))?;
    story.each(|result| Some(Happening::ModeCallEnded(result)))?;
    story.each(|_: ToldWithoutAnswer| Some(Happening::DriverTold { may_answer: false, answers: false }))?;
    story.each(|told: ToldWithAnswer| Some(Happening::DriverTold { may_answer: true, answers: told.answer.is_some() }))
}

view! { struct QueueResult of stop d3d12_callbacks::QueueProcessingWork { hr: HResultCode, task: TaskId = output, } }
view! { struct ProcessedTask of start d3d12_ddi::ProcessBackgroundWork { task: TaskId, } }
view! { struct Verdict of stop d3d12_ddi::ProcessBackgroundWork { variant: VariantId, } }
view! { struct FailedTask of start machine::FailBackgroundWork { task: TaskId, } }
view! { struct Failed of stop machine::FailBackgroundWork { hr: HResultCode, } }

fn tasks(story: &mut Story<'_, Happening>) -> Result<(), AnalyzeError> {
    story.returned(|item, QueueResult { hr, task }| is_ok(hr).then_some(Happening::Queued { task, item }))?;
    story.each(|task| Some(Happening::TaskStarted(task)))?;
    story.each(|task| Some(Happening::TaskPriority(task)))?;
    story.each(|task| Some(Happening::TaskProcessed(task)))?;
    story.returned(|ProcessedTask { task }, Verdict { variant }| Some(Happening::TaskVerdict { task, variant }))?;
    story.returned(|FailedTask { task }, stop: Failed| is_ok(stop.hr).then_some(Happening::TaskFailed { task }))?;
    story.each(|task| Some(Happening::TaskStopped(task)))?;
    story.each(|task| Some(Happening::TaskCancelled(task)))?;
    story.each(|task| Some(Happening::CancelCalled(task)))?;
    story.each(|variant| Some(Happening::VariantReported(variant)))?;
    story.each(|pipeline| Some(Happening::PipelineDestroyed(pipeline)))?;
    story.each(|commit| Some(Happening::Committed(commit)))?;
    story.each(|commit| Some(Happening::CommitDone(commit)))
}

view! {
    struct Submission of start d3d12_ddi::ExecuteCommandLists { submission: u64, command_queue: CommandQueueId, } if any {
        draws: Vec<DrawCommand>,
        constants: Vec<u32>,
    }
}
view! { struct Selected of stop d3d12_ddi::ExecuteCommandLists { selections: Vec<Selection> = whole, } }
view! { struct Presenting of start dxgi::Present { command_queue: CommandQueueId, } }
view! { struct Presented of stop dxgi::Present { hr: HResultCode, } }

fn submissions(story: &mut Story<'_, Happening>) -> Result<(), AnalyzeError> {
    story.returned(|start: Submission, Selected { selections }| {
        let Submission { submission, command_queue, draws, constants } = start;
        let (draws, constants) = (draws.unwrap_or_default(), constants.unwrap_or_default());
        Some(Happening::Submitted(Submitted { submission, command_queue, selections, draws, constants }))
    })?;
    story.each(|runs| Some(Happening::Collected(runs)))?;
    story.returned(|Presenting { command_queue }, stop: Presented| {
        is_ok(stop.hr).then_some(Happening::Presented { command_queue })
    })
}

fn is_ok(hr: HResultCode) -> bool {
    hr == HResultCode::S_OK
}

/// The name that a shader gives itself; empty if it gives none.
fn shader_name(shader: &Bytes) -> String {
    #[derive(serde::Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str::<Named>(&String::from_utf8_lossy(&shader.0)).map(|named| named.name).unwrap_or_default()
}

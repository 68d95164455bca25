//! Reads the events of background processing from a trace.

use super::event::{BackgroundEvent, Submitted, Timed, VariantReported};
use crate::error::AnalyzeError;
use crate::events::{self, EventReader, Source};
use crate::view;
use taut_schemas::{
    Bytes, CodeTime, CommandQueueId, DrawCommand, FurtherMeasurements, HResultCode, ObjectId, PipelineStateId,
    Selection, TaskId, VariantChange, VariantId, d3d12, d3d12_callbacks, d3d12_ddi, dxgi, info, machine, mark, start,
};
use taut_traces::Trace;

/// True if the trace has, or may have, background processing. Reads no records.
pub(crate) fn any(trace: &Trace) -> bool {
    let looked_for = [
        start::<d3d12::SetBackgroundProcessingMode>().event_ref(),
        start::<d3d12_callbacks::QueueProcessingWork>().event_ref(),
        info::<mark::BackgroundWorkStart>().event_ref(),
        start::<d3d12_ddi::CollectMeasurements>().event_ref(),
    ];
    events::any(trace, &looked_for)
}

/// A reader of all events.
pub(super) fn events(source: &Source) -> Result<EventReader<'_, BackgroundEvent>, AnalyzeError> {
    let mut reader = EventReader::new(source);
    devices(&mut reader)?;
    rundown(&mut reader)?;
    modes(&mut reader)?;
    tasks(&mut reader)?;
    submissions(&mut reader)?;
    Ok(reader)
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

fn devices(reader: &mut EventReader<'_, BackgroundEvent>) -> Result<(), AnalyzeError> {
    reader.each(|created: DeviceCreated| is_ok(created.hr).then_some(BackgroundEvent::DeviceCreated))?;
    reader.each(|_: DeviceDestroyed| Some(BackgroundEvent::DeviceDestroyed))?;
    reader.returned(|start: GraphicsShader, GraphicsPipeline { hr, id }| {
        is_ok(hr).then(|| BackgroundEvent::PipelineCreated { id, name: shader_name(&start.shader) })
    })?;
    reader.returned(|start: ComputeShader, ComputePipeline { hr, id }| {
        is_ok(hr).then(|| BackgroundEvent::PipelineCreated { id, name: shader_name(&start.shader) })
    })?;
    reader.returned(|Naming { object, name }, stop: Named| {
        is_ok(stop.hr).then_some(BackgroundEvent::Named { object, name })
    })
}

/// Registers the records of rundowns, the only source on earlier state in a recording that starts mid-stream.
fn rundown(reader: &mut EventReader<'_, BackgroundEvent>) -> Result<(), AnalyzeError> {
    reader.each(|tasks| Some(BackgroundEvent::RundownTasks(tasks)))?;
    reader.each(|task| Some(BackgroundEvent::RundownTask(task)))?;
    reader.each(|pipeline| Some(BackgroundEvent::RundownPipeline(pipeline)))
}

view! { struct NotifiedWithoutAnswer of stop d3d12_ddi::SetBackgroundProcessingMode0062 {} }
view! { struct NotifiedWithAnswer of stop d3d12_ddi::SetBackgroundProcessingMode0063 { answer: Option<FurtherMeasurements> = whole, } }

fn modes(reader: &mut EventReader<'_, BackgroundEvent>) -> Result<(), AnalyzeError> {
    reader.each(|call| Some(BackgroundEvent::ModeCallBegan(call)))?;
    reader.each(|result| Some(BackgroundEvent::ModeCallEnded(result)))?;
    reader
        .each(|_: NotifiedWithoutAnswer| Some(BackgroundEvent::DriverNotified { may_answer: false, answers: false }))?;
    reader.each(|answer_record: NotifiedWithAnswer| {
        Some(BackgroundEvent::DriverNotified { may_answer: true, answers: answer_record.answer.is_some() })
    })
}

view! { struct QueueResult of stop d3d12_callbacks::QueueProcessingWork { hr: HResultCode, task: TaskId = output, } }
view! { struct ProcessedTask of start d3d12_ddi::ProcessBackgroundWork { task: TaskId, } }
view! { struct ProcessedResult of stop d3d12_ddi::ProcessBackgroundWork { variant: VariantId, } }
view! {
    struct EndedTask of start machine::FinishBackgroundWork { task: TaskId, } if any {
        priority_refused: bool,
        processor: u32,
    }
}
view! { struct FailedTask of start machine::FailBackgroundWork { task: TaskId, } }
view! { struct Failed of stop machine::FailBackgroundWork { hr: HResultCode, } }

fn tasks(reader: &mut EventReader<'_, BackgroundEvent>) -> Result<(), AnalyzeError> {
    reader.returned(|item, QueueResult { hr, task }| is_ok(hr).then_some(BackgroundEvent::Queued { task, item }))?;
    reader.each(|task| Some(BackgroundEvent::TaskStarted(task)))?;
    reader.each(|task| Some(BackgroundEvent::TaskPriority(task)))?;
    reader.each(|task| Some(BackgroundEvent::TaskProcessed(task)))?;
    reader.returned(|ProcessedTask { task }, ProcessedResult { variant }| {
        Some(BackgroundEvent::TaskVerdict { task, variant })
    })?;
    reader
        .returned(|FailedTask { task }, stop: Failed| is_ok(stop.hr).then_some(BackgroundEvent::TaskFailed { task }))?;
    reader.each(|EndedTask { task, priority_refused, processor }| {
        let (priority_refused, processor) = (priority_refused.unwrap_or_default(), processor.unwrap_or_default());
        (priority_refused || processor != 0).then_some(BackgroundEvent::TaskEnded { task, priority_refused, processor })
    })?;
    reader.each(|task| Some(BackgroundEvent::TaskStopped(task)))?;
    reader.each(|task| Some(BackgroundEvent::TaskCancelled(task)))?;
    reader.each(|task| Some(BackgroundEvent::CancelCalled(task)))?;
    reader.each(|reported: VariantReported| {
        // An estimate is no end of a variant: the variant never existed.
        let is_estimate = reported.change == VariantChange::ESTIMATED;
        Some(match is_estimate {
            true => BackgroundEvent::Estimated(reported),
            false => BackgroundEvent::VariantReported(reported),
        })
    })?;
    reader.each(|pipeline| Some(BackgroundEvent::PipelineDestroyed(pipeline)))?;
    reader.each(|commit| Some(BackgroundEvent::Committed(commit)))?;
    reader.each(|commit| Some(BackgroundEvent::CommitDone(commit)))
}

view! {
    struct SubmissionStart of start d3d12_ddi::ExecuteCommandLists { submission: u64, command_queue: CommandQueueId, } if any {
        draws: Vec<DrawCommand>,
        constants: Vec<u32>,
    }
}
view! { struct Selected of stop d3d12_ddi::ExecuteCommandLists { selections: Vec<Selection> = whole, } }
view! {
    struct Completing of start machine::CompleteQueueOperation {} if any { times: Vec<CodeTime>, processor: u32, }
}
view! {
    struct Completion of stop machine::CompleteQueueOperation { hr: HResultCode, submission: u64 = output.submission, }
}
view! { struct Presenting of start dxgi::Present { command_queue: CommandQueueId, } }
view! { struct Presented of stop dxgi::Present { hr: HResultCode, } }

fn submissions(reader: &mut EventReader<'_, BackgroundEvent>) -> Result<(), AnalyzeError> {
    reader.returned(|start: SubmissionStart, Selected { selections }| {
        let SubmissionStart { submission, command_queue, draws, constants } = start;
        let (draws, constants) = (draws.unwrap_or_default(), constants.unwrap_or_default());
        Some(BackgroundEvent::Submitted(Submitted { submission, command_queue, selections, draws, constants }))
    })?;
    reader.each(|runs| Some(BackgroundEvent::Collected(runs)))?;
    reader.returned(|Completing { times, processor }, Completion { hr, submission }| {
        let (times, processor) = (times.unwrap_or_default(), processor.unwrap_or_default());
        let is_measured = is_ok(hr) && (processor != 0 || !times.is_empty());
        is_measured.then_some(BackgroundEvent::Timed(Timed { submission, times, processor }))
    })?;
    reader.returned(|Presenting { command_queue }, stop: Presented| {
        is_ok(stop.hr).then_some(BackgroundEvent::Presented { command_queue })
    })
}

fn is_ok(hr: HResultCode) -> bool {
    hr == HResultCode::S_OK
}

/// The name in a shader's JSON; empty if it has none.
fn shader_name(shader: &Bytes) -> String {
    #[derive(serde::Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str::<Named>(&String::from_utf8_lossy(&shader.0)).map(|named| named.name).unwrap_or_default()
}

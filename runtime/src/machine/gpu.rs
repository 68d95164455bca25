//! Progress of the GPU.

use crate::context::Context;
use crate::state::DeviceState;
use crate::submission::{OperationKind, SubmissionState};
use crate::win32::SystemState;
use taut_schemas::{
    CommandQueueId, DrawRun, HResult, HResultCode, MessageId, ObjectId, QueueProgress, SubmissionResult, VariantId,
    d3d12_ddi, machine, mark, rule,
};

/// Completes the oldest operation of a command queue. Refused with DXGI_ERROR_INVALID_CALL if there is none, and with
/// DXGI_ERROR_WAS_STILL_DRAWING if it waits for a fence. Draws need the result of their own submission.
pub(crate) fn complete_queue_operation(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    call: &machine::CompleteQueueOperation,
    result: Option<SubmissionResult>,
) -> HResult<QueueProgress> {
    let id = call.command_queue;
    let ready = queue.head(id).map(|head| queue.is_ready(head));
    if ready == Some(false) {
        let text = format_args!("Command queue {} waits for a fence.", id.0);
        return context.refuse(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING, id, text);
    }
    let drawn = queue.head(id).filter(|head| head.work().is_some()).map(|head| head.submission);
    let result = result.filter(|result| drawn == Some(result.submission));
    if let (Some(submission), None) = (drawn, &result) {
        let text = format_args!("Submission {submission} ends without what its draws did.");
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, id, text);
    }
    let Some(done) = queue.queue_mut(id).and_then(|queue| queue.operations.pop_front()) else {
        let text = format_args!("Command queue {} has nothing to do.", id.0);
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text);
    };
    let progress = QueueProgress { operation: done.code(), submission: done.submission };
    match done.kind {
        OperationKind::Execute(_) => {
            let runs = result.map_or_else(Vec::new, |result| result.runs);
            executed(context, queue, id, done.submission, runs);
        }
        OperationKind::Signal(fence, value) => queue.set_fence(system, fence, value),
        OperationKind::Wait(..) | OperationKind::Present => {}
    }
    Ok(progress)
}

/// Fails a command queue's oldest operation: the device is removed, and fences are signalled, so that no wait blocks.
pub(crate) fn fail_queue_operation(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    call: &machine::FailQueueOperation,
) -> HResult<()> {
    // Another input may have completed the operation already.
    if queue.head(call.command_queue).is_none_or(|head| head.submission != call.submission) {
        return Ok(());
    }
    device.remove();
    queue.removed = true;
    let text = format_args!("Submission {} failed: {}. The device is removed.", call.submission, call.reason);
    context.error(MessageId::UNKNOWN, text);
    queue.queue_mut(call.command_queue).and_then(|queue| queue.operations.pop_front());
    queue.end_fences(system);
    Ok(())
}

/// Compares the outputs of the driver's variants with the outputs of the generic shaders (rule B-59), and passes the
/// runs to the driver as measurements.
fn executed(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    command_queue: CommandQueueId,
    submission: u64,
    runs: Vec<DrawRun>,
) {
    for run in runs.iter().filter(|run| run.output_hash != run.generic_output_hash) {
        let VariantId(variant) = run.variant;
        context.violation(&mark::DriverViolation {
            rule: rule::B_59.id.to_owned(),
            lint: false,
            found: run.output_hash,
            min: run.generic_output_hash,
            max: run.generic_output_hash,
            description: format!(
                "Variant {variant} of pipeline state {} gives other outputs than the generic shader.",
                run.pipeline_state.0
            ),
        });
    }
    // Between a submission and its measurements only the destruction of the device may occur.
    let call = d3d12_ddi::CollectMeasurements { command_queue, submission, runs };
    context.ddi_with(queue, call);
}

//! Command queue waits that delay the frames of swap chains.

use crate::context::Context;
use crate::d3d12::open;
use crate::kernel::DisplayState;
use crate::submission::SubmissionState;
use taut_schemas::{FenceId, HResult, dxgi};

fn is_signalled(queue: &SubmissionState, fence: FenceId, value: u64) -> bool {
    // A released fence no longer blocks.
    queue.fence(fence).is_none_or(|fence| fence.value >= value)
}

/// Makes a command queue wait for a fence value.
pub(crate) fn simulate_queue_wait(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    display: &mut DisplayState,
    call: &dxgi::SimulateQueueWait,
) -> HResult<()> {
    open(context, queue, call.command_queue)?;
    // A value that the fence has reached causes no wait.
    if !is_signalled(queue, call.fence, call.value) {
        display.presents.desktop.queue_waits.insert(call.command_queue.0, (call.fence, call.value));
    }
    Ok(())
}

/// Resumes a command queue if its wait is over.
pub(crate) fn simulate_queue_continue(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    display: &mut DisplayState,
    call: &dxgi::SimulateQueueContinue,
) -> HResult<bool> {
    open(context, queue, call.command_queue)?;
    let waits = display.presents.desktop.queue_waits.get(&call.command_queue.0);
    let goes_on = waits.is_none_or(|(fence, value)| is_signalled(queue, *fence, *value));
    if goes_on {
        display.presents.resume_queue(call.command_queue);
    }
    Ok(goes_on)
}

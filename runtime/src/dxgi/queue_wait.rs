//! What a command queue's waits mean to the frames of its swap chains.

use crate::context::Context;
use crate::d3d12::open;
use crate::kernel::DisplayState;
use crate::submission::SubmissionState;
use taut_schemas::{FenceId, HResult, dxgi};

fn has_come(queue: &SubmissionState, fence: FenceId, value: u64) -> bool {
    // A fence that is gone is not waited for.
    queue.fence(fence).is_none_or(|fence| fence.value >= value)
}

/// A command queue waits for a fence.
pub(crate) fn simulate_queue_wait(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    display: &mut DisplayState,
    call: &dxgi::SimulateQueueWait,
) -> HResult<()> {
    open(context, queue, call.command_queue)?;
    if !has_come(queue, call.fence, call.value) {
        display.presents.desktop.queue_waits.insert(call.command_queue.0, (call.fence, call.value));
    }
    Ok(())
}

/// It looks again.
pub(crate) fn simulate_queue_goes_on(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    display: &mut DisplayState,
    call: &dxgi::SimulateQueueGoesOn,
) -> HResult<bool> {
    open(context, queue, call.command_queue)?;
    let waits = display.presents.desktop.queue_waits.get(&call.command_queue.0);
    let goes_on = waits.is_none_or(|(fence, value)| has_come(queue, *fence, *value));
    if goes_on {
        display.presents.let_go(call.command_queue);
    }
    Ok(goes_on)
}

//! Driver activity outside of API calls: on the driver's own thread, and when command lists are closed.

use crate::context::{Context, no_such_object};
use crate::state::{Object, Objects};
use crate::submission::SubmissionState;
use std::collections::BTreeSet;
use taut_schemas::{HResult, HResultCode, ObjectId, d3d12_ddi, machine};

/// Runs the driver's own thread. Refused with DXGI_ERROR_INVALID_CALL if the driver has not woken it.
pub(crate) fn run_driver_thread(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    _: &machine::RunDriverThread,
) -> HResult<()> {
    if !std::mem::take(&mut queue.driver_woken) {
        let text = format_args!("The driver has not woken its thread.");
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, ObjectId::NULL, text);
    }
    context.ddi_with(queue, d3d12_ddi::RunDriverThread {});
    Ok(())
}

/// Notifies a driver that queues work from recording calls that a command list was closed. Other drivers get no call.
pub(crate) fn notify_command_list_closed(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    call: &machine::NotifyCommandListClosed,
) -> HResult<()> {
    let command_list = call.command_list;
    let Some(list) = objects.get(command_list.into()).and_then(Object::as_command_list) else {
        return no_such_object(context, "command list", command_list.into());
    };
    if list.open || list.failed || queue.removed || !context.driver.traits().receives_command_lists {
        return Ok(());
    }
    // Pipeline states that were released since recording are left out: the driver has destroyed them (rule B-70).
    let alive = |pipeline_state: &_| queue.pipelines.contains(pipeline_state);
    let drawn: BTreeSet<_> = list.draws.iter().map(|draw| draw.pipeline_state).filter(alive).collect();
    let pipeline_states = drawn.into_iter().collect();
    context.ddi_with(queue, d3d12_ddi::CloseCommandList { command_list, pipeline_states });
    Ok(())
}

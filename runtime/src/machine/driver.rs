//! What a driver does apart from the calls that the runtime makes for an application: on a thread of its own, and where command
//! lists are recorded.

use crate::context::{Context, no_such};
use crate::state::{Object, Objects};
use crate::submission::SubmissionState;
use std::collections::BTreeSet;
use taut_schemas::{HResult, HResultCode, ObjectId, d3d12_ddi, machine};

/// The driver's own thread goes on. Refused with DXGI_ERROR_INVALID_CALL if nobody has woken it.
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

/// A command list is closed: a driver that queues work from its recording calls may do so. Another one hears nothing.
pub(crate) fn tell_of_command_list(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    call: &machine::TellOfCommandList,
) -> HResult<()> {
    let command_list = call.command_list;
    let Some(list) = objects.get(command_list.into()).and_then(Object::as_command_list) else {
        return no_such(context, "command list", command_list.into());
    };
    if list.open || list.failed || queue.removed || !context.driver.habits().hears_of_command_lists {
        return Ok(());
    }
    let alive = |pipeline_state: &_| queue.pipelines.contains(pipeline_state);
    let drawn: BTreeSet<_> = list.draws.iter().map(|draw| draw.pipeline_state).filter(alive).collect();
    let pipeline_states = drawn.into_iter().collect();
    context.ddi_with(queue, d3d12_ddi::CloseCommandList { command_list, pipeline_states });
    Ok(())
}

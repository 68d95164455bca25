//! Command queues and submissions to them.

use super::command_list::check_type;
use crate::context::{Context, no_such_object};
use crate::kernel::DisplayState;
use crate::revision::Revision;
use crate::state::{DeviceState, Object, ObjectKind, Objects};
use crate::submission::{NoWork, OperationKind, SubmissionState};
use std::sync::Arc;
use taut_schemas::{
    CommandListId, CommandListType, CommandQueueId, DrawCommand, FenceId, HResult, HResultCode, ObjectId, d3d12,
    d3d12_ddi,
};

/// ID3D12Device::CreateCommandQueue.
pub(crate) fn create_command_queue(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateCommandQueue,
) -> HResult<CommandQueueId> {
    device.open(context, call.device)?;
    let list_type = call.desc.list_type;
    check_type(context, list_type)?;
    if list_type == CommandListType::BUNDLE {
        let text = format_args!("Bundles are executed by other lists; there is no command queue for them.");
        return context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text);
    }
    let id = CommandQueueId(device.next_object().0);
    objects.insert(id.into(), Object::new(ObjectKind::CommandQueue));
    queue.add_queue(id, list_type);
    device.count_object();
    Ok(id)
}

/// IUnknown::Release of the application's reference to a command queue. Swap chains on the queue have references, too; the
/// last one destroys it, and pending operations are dropped.
pub(crate) fn release_command_queue(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    display: &mut DisplayState,
    objects: &mut dyn Objects,
    call: &d3d12::ReleaseCommandQueue,
) -> HResult<u32> {
    let id = ObjectId::from(call.command_queue);
    let alive = objects.get(id).is_some_and(|object| matches!(object.kind, ObjectKind::CommandQueue));
    if !alive {
        return no_such_object(context, "command queue", id);
    }
    let chains = match context.settings.revision >= Revision::CHAIN_REFERENCES {
        true => display.presents.chains_of_queue(call.command_queue),
        false => 0,
    };
    if chains > 0 {
        // The application has one reference, which it can release once.
        if !display.presents.desktop.released_queues.insert(id.0) {
            return no_such_object(context, "command queue", id);
        }
        return Ok(chains);
    }
    display.presents.desktop.released_queues.remove(&id.0);
    objects.remove(id);
    let left = queue.remove_queue(call.command_queue).map_or(0, |queue| queue.operations.len());
    if left > 0 {
        let text = format_args!("Command queue {} is released while {left} operations of it are not done.", id.0);
        context.message(taut_schemas::MessageSeverity::ERROR, taut_schemas::MessageId::UNKNOWN, id, text);
    }
    Ok(0)
}

/// ID3D12CommandQueue::ExecuteCommandLists. The driver selects shaders here, not while lists are recorded.
pub(crate) fn execute_command_lists(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    call: &d3d12::ExecuteCommandLists,
) -> HResult<()> {
    let command_queue = call.command_queue;
    let list_type = open(context, queue, command_queue)?;
    let (mut draws, mut constants, mut effects) = (Vec::new(), Vec::new(), Vec::new());
    for id in &call.command_lists {
        let list = executable(context, objects, *id, list_type)?;
        let before = constants.len() as u32;
        // The lists' constants are concatenated, so the index of each draw is increased by the constants of the lists
        // before.
        let moved = |draw: &DrawCommand| DrawCommand { first_constant: draw.first_constant + before, ..*draw };
        draws.extend(list.draws.iter().map(moved));
        constants.extend_from_slice(&list.constants);
        if !list.effects.is_empty() {
            effects.push(Arc::clone(&list.effects));
        }
    }
    let dead = draws.iter().find(|draw: &&DrawCommand| !queue.pipelines.contains(&draw.pipeline_state));
    if let Some(dead) = dead.map(|draw| draw.pipeline_state) {
        let text = format_args!("A command list draws with pipeline state {}, which is released.", dead.0);
        return context.refuse(HResultCode::E_INVALIDARG, dead, text);
    }
    let submission = queue.next_submission();
    let submit = d3d12_ddi::ExecuteCommandLists { command_queue, submission, draws, constants };
    let (_, work) = context.ddi_with(queue, submit);
    let work = work.unwrap_or_else(|| Arc::new(NoWork));
    // Without threads, work starts when it is submitted.
    if let Some(executor) = &mut context.executor {
        executor.submitted(submission, &work);
    }
    queue.push_with_effects(command_queue, OperationKind::Execute(work), effects);
    Ok(())
}

/// ID3D12CommandQueue::Signal.
pub(crate) fn command_queue_signal(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    _: &mut dyn Objects,
    call: &d3d12::CommandQueueSignal,
) -> HResult<()> {
    submit_for(context, queue, call.command_queue, call.fence, OperationKind::Signal(call.fence, call.value))
}

/// ID3D12CommandQueue::Wait.
pub(crate) fn command_queue_wait(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    _: &mut dyn Objects,
    call: &d3d12::CommandQueueWait,
) -> HResult<()> {
    submit_for(context, queue, call.command_queue, call.fence, OperationKind::Wait(call.fence, call.value))
}

fn submit_for(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    command_queue: CommandQueueId,
    fence: FenceId,
    kind: OperationKind,
) -> HResult<()> {
    open(context, queue, command_queue)?;
    if queue.fence(fence).is_none() {
        return no_such_object(context, "fence", fence.into());
    }
    queue.push(command_queue, kind);
    Ok(())
}

/// The type of a live command queue whose device is not removed.
pub(crate) fn open(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    id: CommandQueueId,
) -> HResult<CommandListType> {
    let Some(list_type) = queue.queue_mut(id).map(|queue| queue.list_type) else {
        return no_such_object(context, "command queue", id.into());
    };
    if queue.removed { Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED) } else { Ok(list_type) }
}

/// The list, if a command queue of this type can execute it.
fn executable<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    id: CommandListId,
    list_type: CommandListType,
) -> HResult<&'o crate::state::CommandList> {
    let Some(list) = objects.get(id.into()).and_then(Object::as_command_list) else {
        return no_such_object(context, "command list", id.into());
    };
    let wrong = match () {
        () if list.open => "is open",
        () if list.failed => "failed while it was recorded",
        () if list.list_type != list_type => "is of another type than the command queue",
        () => return Ok(list),
    };
    context.refuse(HResultCode::E_INVALIDARG, id, format_args!("Command list {} {wrong}.", id.0))
}

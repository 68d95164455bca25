//! Fences.

use crate::context::{Context, no_such_object};
use crate::state::{DeviceState, Object, ObjectKind, Objects};
use crate::submission::SubmissionState;
use crate::win32::SystemState;
use taut_schemas::{EventHandle, FenceId, FenceValue, HResult, HResultCode, ObjectId, d3d12};

/// ID3D12Device::CreateFence.
pub(crate) fn create_fence(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateFence,
) -> HResult<FenceId> {
    device.open(context, call.device)?;
    let id = FenceId(device.next_object().0);
    objects.insert(id.into(), Object::new(ObjectKind::Fence));
    queue.add_fence(id, call.initial_value);
    device.count_object();
    Ok(id)
}

/// IUnknown::Release of a fence's last reference.
pub(crate) fn release_fence(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    objects: &mut dyn Objects,
    call: &d3d12::ReleaseFence,
) -> HResult<()> {
    let id = ObjectId::from(call.fence);
    let alive = objects.get(id).is_some_and(|object| matches!(object.kind, ObjectKind::Fence));
    if !alive || objects.remove(id).is_none() {
        return no_such_object(context, "fence", id);
    }
    queue.remove_fence(call.fence);
    Ok(())
}

/// ID3D12Fence::GetCompletedValue.
pub(crate) fn get_completed_value(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    _: &mut dyn Objects,
    call: &d3d12::GetCompletedValue,
) -> HResult<FenceValue> {
    match queue.fence(call.fence) {
        Some(fence) => Ok(FenceValue { value: fence.value }),
        None => no_such_object(context, "fence", call.fence.into()),
    }
}

/// ID3D12Fence::SetEventOnCompletion. With a NULL event the API call itself waits; that is refused here, because a wait
/// must be visible to the caller of this state machine.
pub(crate) fn set_event_on_completion(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    _: &mut dyn Objects,
    call: &d3d12::SetEventOnCompletion,
) -> HResult<()> {
    if queue.fence(call.fence).is_none() {
        return no_such_object(context, "fence", call.fence.into());
    }
    let EventHandle(event) = call.event;
    if system.is_signalled(call.event).is_none() {
        let text = format_args!("There is no event {event}.");
        return context.refuse(HResultCode::E_HANDLE, call.fence, text);
    }
    queue.signal_on(system, call.fence, call.value, call.event);
    Ok(())
}

/// ID3D12Fence::Signal.
pub(crate) fn signal_fence(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    _: &mut dyn Objects,
    call: &d3d12::SignalFence,
) -> HResult<()> {
    if queue.fence(call.fence).is_none() {
        return no_such_object(context, "fence", call.fence.into());
    }
    queue.set_fence(system, call.fence, call.value);
    Ok(())
}

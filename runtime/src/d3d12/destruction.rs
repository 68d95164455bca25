//! Destruction of devices.
//!
//! In Direct3D every object has a reference to its device; here the application's last Release of the device ends it, unless
//! a swap chain is on one of its queues, and remaining objects are handles without a device. Destruction takes two inputs,
//! because it waits for background tasks (rule B-56).

use crate::context::Context;
use crate::kernel::DisplayState;
use crate::revision::Revision;
use crate::state::DeviceState;
use crate::submission::{SubmissionState, cancel};
use crate::win32::SystemState;
use taut_schemas::{HResult, HResultCode, ObjectId, d3d12, d3d12_ddi};

/// IUnknown::Release of the application's reference to the device. The last reference cancels the driver's tasks, on the
/// calling thread (rule B-57).
pub(crate) fn release_device(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    display: &mut DisplayState,
    system: &mut SystemState,
    call: &d3d12::ReleaseDevice,
) -> HResult<u32> {
    device.open(context, call.device).map(|_| ()).or_else(accept_removed)?;
    if queue.tasks(context.settings).is_ending() {
        let text = format_args!("Device {} is being destroyed already.", call.device.0);
        return context.refuse(HResultCode::E_HANDLE, ObjectId::NULL, text);
    }
    let is_released = display.presents.desktop.released_devices.contains(&call.device.0);
    let chains = match context.settings.revision >= Revision::CHAIN_REFERENCES {
        true => display.presents.chains_of_queues(device.adapter_id()),
        false => 0,
    };
    if chains > 0 {
        if is_released {
            let text = format_args!("Device {} is released already; its swap chains have references.", call.device.0);
            return context.refuse(HResultCode::E_HANDLE, ObjectId::NULL, text);
        }
        display.presents.desktop.released_devices.insert(call.device.0);
        return Ok(chains);
    }
    display.presents.desktop.released_devices.remove(&call.device.0);
    let begun = queue.tasks(context.settings).begin_destruction();
    begun.priorities.iter().for_each(|priority| context.mark(priority));
    begun.cancelled.into_iter().for_each(|cancelled| cancel(context, queue, cancelled));
    system.commits_done(context, begun.done);
    Ok(0)
}

/// The second input of a destruction. Refused with DXGI_ERROR_WAS_STILL_DRAWING while a task runs, or is queued and not
/// cancelled.
pub(crate) fn finish_release_device(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    queue: &mut SubmissionState,
    system: &mut SystemState,
    call: &d3d12::FinishReleaseDevice,
) -> HResult<()> {
    device.open(context, call.device).map(|_| ()).or_else(accept_removed)?;
    let tasks = queue.tasks(context.settings);
    if !tasks.is_ending() || !tasks.is_drained() {
        let text = format_args!("Device {} still has background tasks, or is not released.", call.device.0);
        return context.refuse(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING, ObjectId::NULL, text);
    }
    // The driver destroys its device after its tasks have ended (rules B-56 and B-62).
    context.ddi_with(queue, d3d12_ddi::DestroyDevice {});
    // Rule B-58: pending commit events are signalled even so.
    let done = queue.tasks(context.settings).end_destruction();
    system.commits_done(context, done);
    queue.forget_device();
    device.forget_adapter();
    Ok(())
}

/// ID3D12Device::GetDeviceRemovedReason: S_OK unless the device is removed.
pub(crate) fn get_device_removed_reason(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::GetDeviceRemovedReason,
) -> HResult<()> {
    device.open(context, call.device).map(|_| ()).or_else(|code| match code {
        HResultCode::DXGI_ERROR_DEVICE_REMOVED => device.removed_reason(),
        code => Err(code),
    })
}

/// Accepts a removed device: it is released like any other.
fn accept_removed(code: HResultCode) -> HResult<()> {
    if code == HResultCode::DXGI_ERROR_DEVICE_REMOVED { Ok(()) } else { Err(code) }
}

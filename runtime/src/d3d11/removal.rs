//! Device removal, and its propagation to contexts and objects.

use super::context_state::ContextState;
use super::open::{self, find};
use crate::context::Context;
use crate::state::{DeviceState, Objects};
use taut_schemas::{HResult, HResultCode, d3d11, machine};

/// Removes the adapter's device, and marks the adapter's Direct3D 11 objects as lost.
pub(crate) fn remove_device(
    _: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    _: &machine::RemoveDevice,
) -> HResult<()> {
    device.remove_because(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    device.d3d11.removed_by = None;
    state.is_removal_unreported = false;
    state.lost |= state.exists();
    mark_objects_removed(device, objects);
    Ok(())
}

/// Marks every Direct3D 11 object of the adapter as lost.
pub(crate) fn mark_objects_removed(device: &DeviceState, objects: &mut dyn Objects) {
    device.visit_ids(&mut |id| {
        if let Some(object) = find(objects, id) {
            object.is_lost = true;
        }
    });
}

/// ID3D11Device::GetDeviceRemovedReason.
pub(crate) fn get_device_removed_reason(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::GetDeviceRemovedReason,
) -> HResult<()> {
    open::device(context, objects, call.device)?;
    device.removed_reason()
}

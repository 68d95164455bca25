//! The objects that a call names, and what is said when they are not there.

use super::state::{D3d11Device, D3d11Resource};
use crate::context::Context;
use crate::d3d12::no_such;
use crate::objects::Objects;
use taut_schemas::{D3d11DeviceId, D3d11ResourceId, HResult, HResultCode, MessageId, MessageSeverity};

/// The device, its mark as it is.
pub(crate) fn device<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    id: D3d11DeviceId,
) -> HResult<&'o mut D3d11Device> {
    match objects.get_mut(id.into()).and_then(|object| object.as_d3d11_device_mut()) {
        Some(device) => Ok(device),
        None => no_such(context, "Direct3D 11 device", id.into()),
    }
}

/// The device of a call that creates nothing. "Immediately before the creation" (rule T-04) leaves no room for it: a mark
/// that waits is undone.
pub(crate) fn device_undoing_mark<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    id: D3d11DeviceId,
) -> HResult<&'o mut D3d11Device> {
    let immediate = context.settings.mark_is_immediate;
    let device = device(context, objects, id)?;
    if device.marked && immediate {
        device.marked = false;
        let text = format_args!(
            "SetDirectAccessResourceExtension has to come immediately before the creation of a texture; it is undone."
        );
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, id.into(), text);
    }
    Ok(device)
}

/// A resource of this device.
pub(crate) fn resource<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    device: D3d11DeviceId,
    id: D3d11ResourceId,
) -> HResult<&'o mut D3d11Resource> {
    let Some(resource) = objects.get_mut(id.into()).and_then(|object| object.as_d3d11_resource_mut()) else {
        return no_such(context, "Direct3D 11 resource", id.into());
    };
    if resource.device != device {
        let text = format_args!("Resource {} belongs to device {}, not to {}.", id.0, resource.device.0, device.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    Ok(resource)
}

//! Lookup of the context and objects that a call names, with the error if one does not exist.

use super::context_state::ContextState;
use crate::context::{Context, no_such_object};
use crate::state::{D3d11Device, D3d11Kind, D3d11Object, D3d11Resource, Objects};
use taut_schemas::{
    D3d11ContextId, D3d11DeviceId, D3d11ResourceId, HResult, HResultCode, MessageId, MessageSeverity, ObjectId,
};

/// The object, if it is a Direct3D 11 object.
pub(crate) fn find(objects: &mut dyn Objects, id: ObjectId) -> Option<&mut D3d11Object> {
    objects.get_mut(id)?.as_d3d11_mut()
}

/// The device. Its direct-access mark is left as it is.
pub(crate) fn device<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    id: D3d11DeviceId,
) -> HResult<&'o mut D3d11Device> {
    match find(objects, id.into()).map(|object| &mut object.kind) {
        Some(D3d11Kind::Device(device)) => Ok(device),
        _ => no_such_object(context, "Direct3D 11 device", id.into()),
    }
}

/// Returns the device of a call other than the creation of a texture or buffer, and clears the device's pending
/// direct-access mark: rule T-04 requires it "immediately before the creation".
pub(crate) fn device_clearing_access_mark<'o>(
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

/// Begins a context call: checks that the context exists, and clears a pending mark if the device uses an extension.
pub(crate) fn begin(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    id: D3d11ContextId,
) -> HResult<()> {
    if !state.exists() || state.id != id {
        return no_such_object(context, "context", id.into());
    }
    // Other contexts' calls do not lock the device, so they cannot have a mark pending.
    if state.extended {
        device_clearing_access_mark(context, objects, state.device)?;
    }
    Ok(())
}

/// The current state of a resource that belongs to this context's device.
pub(crate) fn resource(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    id: D3d11ResourceId,
) -> HResult<D3d11Resource> {
    // The call has locked this context, so `objects` must not be searched for the context's own id.
    let found = if ObjectId::from(id) == ObjectId::from(state.id) { None } else { find(objects, id.into()) };
    let Some(D3d11Object { device, kind: D3d11Kind::Resource(resource), .. }) = found else {
        return no_such_object(context, "Direct3D 11 resource", id.into());
    };
    if *device != state.device {
        let text = format_args!("Resource {} belongs to device {}, not to {}.", id.0, device.0, state.device.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    Ok(resource.clone())
}

/// The state of a resource that the call has locked.
pub(crate) fn resource_mut(objects: &mut dyn Objects, id: D3d11ResourceId) -> Option<&mut D3d11Resource> {
    match &mut find(objects, id.into())?.kind {
        D3d11Kind::Resource(resource) => Some(resource),
        _ => None,
    }
}

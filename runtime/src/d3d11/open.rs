//! The context and the objects that a call names, and what is said when they are not there.

use super::context_state::ContextState;
use crate::context::{Context, no_such};
use crate::state::{D3d11Device, D3d11Kind, D3d11Object, D3d11Resource, Objects};
use taut_schemas::{
    D3d11ContextId, D3d11DeviceId, D3d11ResourceId, HResult, HResultCode, MessageId, MessageSeverity, ObjectId,
};

/// The object, if it is one of Direct3D 11.
pub(crate) fn find(objects: &mut dyn Objects, id: ObjectId) -> Option<&mut D3d11Object> {
    objects.get_mut(id)?.as_d3d11_mut()
}

/// The device, its mark as it is.
pub(crate) fn device<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    id: D3d11DeviceId,
) -> HResult<&'o mut D3d11Device> {
    match find(objects, id.into()).map(|object| &mut object.kind) {
        Some(D3d11Kind::Device(device)) => Ok(device),
        _ => no_such(context, "Direct3D 11 device", id.into()),
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

/// Begins a call on a context: it has to be there. If its device has an extension in use, a mark that waits is undone.
pub(crate) fn begin(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    id: D3d11ContextId,
) -> HResult<()> {
    if !state.is_there() || state.id != id {
        return no_such(context, "context", id.into());
    }
    if state.extended {
        device_undoing_mark(context, objects, state.device)?;
    }
    Ok(())
}

/// A resource of this context's device, as it is now.
pub(crate) fn resource(
    context: &mut Context<'_>,
    state: &ContextState,
    objects: &mut dyn Objects,
    id: D3d11ResourceId,
) -> HResult<D3d11Resource> {
    // The context's own lock stands for its handle's.
    let found = if ObjectId::from(id) == ObjectId::from(state.id) { None } else { find(objects, id.into()) };
    let Some(D3d11Object { device, kind: D3d11Kind::Resource(resource), .. }) = found else {
        return no_such(context, "Direct3D 11 resource", id.into());
    };
    if *device != state.device {
        let text = format_args!("Resource {} belongs to device {}, not to {}.", id.0, device.0, state.device.0);
        return context.refuse(HResultCode::E_INVALIDARG, id, text);
    }
    Ok(resource.clone())
}

/// What a resource remembers, where the call has locked it.
pub(crate) fn resource_mut(objects: &mut dyn Objects, id: D3d11ResourceId) -> Option<&mut D3d11Resource> {
    match &mut find(objects, id.into())?.kind {
        D3d11Kind::Resource(resource) => Some(resource),
        _ => None,
    }
}

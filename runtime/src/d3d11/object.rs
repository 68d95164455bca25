//! The creation of objects whose handles are all alike: the size is asked, the handle created, the object put in its place.

use super::context_state::ContextKind;
use super::deferred_context::{count, facts};
use super::handle;
use super::open;
use crate::context::Context;
use crate::state::{D3d11Kind, D3d11Object, DeviceFacts, DeviceState, IcHandle, Object, Objects};
use std::sync::Arc;
use taut_schemas::{
    CreateHandle, D3d11ContextId, D3d11DeviceId, DriverCall, DriverHandle, HResult, HResultCode, HandleMemoryCall,
    HandleType, ObjectId, PrivateSize,
};

/// The device of a creation: it is there, its driver has handles per context, and it is not removed.
pub(crate) fn owner(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    (owner, call): (D3d11DeviceId, &str),
) -> HResult<Arc<DeviceFacts>> {
    open::device_undoing_mark(context, objects, owner)?;
    let Some(facts) = facts(device, owner) else {
        let text = format_args!("{call}: the adapter's driver has no handles per context.");
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, owner, text);
    };
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    Ok(facts)
}

/// Creates the handle of an object: `size` asks how large it is, `create` creates it.
pub(crate) fn make<Size, Create>(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    (handle_type, of): (HandleType, Option<&IcHandle>),
    (size, create): (
        impl FnOnce(D3d11ContextId, DriverHandle) -> Size,
        impl FnOnce(D3d11ContextId, DriverHandle, CreateHandle) -> Create,
    ),
) -> HResult<IcHandle>
where
    Size: DriverCall<Output = PrivateSize>,
    Create: HandleMemoryCall<Output = ()>,
{
    let (ic, device_handle) = (facts.immediate, facts.device_handle);
    let size = context.ddi(size(ic, device_handle));
    let depends = of.map(|of| (of.address, &of.image));
    let kind = (handle_type, size);
    let made = handle::create(context, device, facts, kind, depends, None, |context, handle, memory| {
        context.ddi_on(memory, ContextKind::Immediate, create(ic, device_handle, handle)).ok()
    })?;
    Ok(made.0)
}

/// Puts a new object in its place.
pub(crate) fn insert(
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    owner: D3d11DeviceId,
    (kind, handle): (D3d11Kind, IcHandle),
) -> ObjectId {
    let id = device.next_object();
    let object = D3d11Object { handle: Some(Arc::new(handle)), ..D3d11Object::new(owner, kind) };
    objects.insert(id, Object::d3d11(object));
    device.count_object();
    count(device, owner);
    id
}

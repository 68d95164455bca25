//! Creation of objects whose handles follow one pattern: query the size, create the handle, insert the object.

use super::context_state::ContextKind;
use super::deferred_context::{count, facts};
use super::handle;
use super::handle::HandleRequest;
use super::open;
use crate::context::Context;
use crate::state::{D3d11Kind, D3d11Object, DeviceFacts, DeviceState, IcHandle, Object, Objects};
use std::sync::Arc;
use taut_schemas::{
    CreateHandle, D3d11ContextId, D3d11DeviceId, DriverCall, DriverHandle, HResult, HResultCode, HandleMemoryCall,
    HandleType, ObjectId, PrivateSize,
};

/// Create call of the API: its device and its name, for texts of errors.
#[derive(Clone, Copy)]
pub(crate) struct CreateCall<'n> {
    pub device: D3d11DeviceId,
    pub name: &'n str,
}

/// The device of a create call. Checks that it exists, is not removed, and has a driver with handles per context.
pub(crate) fn owner(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    create_call: CreateCall<'_>,
) -> HResult<Arc<DeviceFacts>> {
    let CreateCall { device: owner, name: call } = create_call;
    open::device_clearing_access_mark(context, objects, owner)?;
    let Some(facts) = facts(device, owner) else {
        let text = format_args!("{call}: the adapter's driver has no handles per context.");
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, owner, text);
    };
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    Ok(facts)
}

/// Type of a handle to create, and the resource handle that it depends on.
#[derive(Clone, Copy)]
pub(crate) struct HandleKind<'h> {
    pub handle_type: HandleType,
    pub of: Option<&'h IcHandle>,
}

/// Functions that build the DDI calls of a handle.
pub(crate) struct HandleCalls<Size, Create> {
    /// Size query.
    pub size: Size,
    /// Call that creates the handle.
    pub create: Create,
}

/// Creates the handle of an object: `size` builds the size query, `create` the DDI call that creates it.
pub(crate) fn create_handle<Size, Create>(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    kind: HandleKind<'_>,
    calls: HandleCalls<
        impl FnOnce(D3d11ContextId, DriverHandle) -> Size,
        impl FnOnce(D3d11ContextId, DriverHandle, CreateHandle) -> Create,
    >,
) -> HResult<IcHandle>
where
    Size: DriverCall<Output = PrivateSize>,
    Create: HandleMemoryCall<Output = ()>,
{
    let HandleKind { handle_type, of } = kind;
    let HandleCalls { size, create } = calls;
    let (ic, device_handle) = (facts.immediate, facts.device_handle);
    let size = context.ddi(size(ic, device_handle));
    let dependency = of.map(|of| (of.address, &of.image));
    let request = HandleRequest { dependency, ..HandleRequest::new(handle_type, size) };
    // Handles of state objects, views, shaders and queries depend at most on their resource.
    let created = handle::create(context, device, facts, request, |context, handle, memory| {
        context.ddi_on(memory, ContextKind::Immediate, create(ic, device_handle, handle)).ok()
    })?;
    Ok(created.0)
}

/// Inserts a new object.
pub(crate) fn insert(
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    owner: D3d11DeviceId,
    kind: D3d11Kind,
    handle: IcHandle,
) -> ObjectId {
    let id = device.next_object();
    let object = D3d11Object { handle: Some(Arc::new(handle)), ..D3d11Object::new(owner, kind) };
    objects.insert(id, Object::d3d11(object));
    device.count_object();
    count(device, owner);
    id
}

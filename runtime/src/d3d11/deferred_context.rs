//! CreateDeferredContext.

use super::context_state::{ContextKind, ContextState, Contexts, DeferredHandles};
use super::open;
use super::table::Table;
use crate::context::Context;
use crate::memory::context_memory::ContextMemory;
use crate::state::{D3d11Kind, D3d11Object, DeviceFacts, DeviceState, Object, Objects};
use std::sync::Arc;
use taut_schemas::{
    CreateDeviceFlags, D3d11ContextId, D3d11DeviceId, DriverHandle, HResult, HResultCode, PrivateSize, d3d11,
    d3d11_context_ddi as ddi,
};

/// ID3D11Device::CreateDeferredContext (rules H-40 to H-42). There is no DDI call if the driver builds no command
/// lists.
pub(crate) fn create_deferred_context(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    contexts: &mut dyn Contexts,
    objects: &mut dyn Objects,
    call: &d3d11::CreateDeferredContext,
) -> HResult<D3d11ContextId> {
    let flags = open::device_clearing_access_mark(context, objects, call.device)?.flags;
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    if call.flags != 0 {
        let text = format_args!("CreateDeferredContext: ContextFlags is not 0.");
        return context.refuse(HResultCode::E_INVALIDARG, call.device, text);
    }
    // A single-threaded device has no deferred contexts (d3d11.h: D3D11_CREATE_DEVICE_SINGLETHREADED).
    if flags.contains(CreateDeviceFlags::SINGLETHREADED) {
        let text = format_args!("CreateDeferredContext: the device was created for one thread.");
        return context.refuse(HResultCode::DXGI_ERROR_INVALID_CALL, call.device, text);
    }
    let Some(facts) = facts(device, call.device) else {
        let text = format_args!("CreateDeferredContext: the adapter's driver has no handles per context.");
        return context.refuse(HResultCode::DXGI_ERROR_UNSUPPORTED, call.device, text);
    };
    let id = D3d11ContextId(device.next_object().0);
    let range = device.d3d11.new_range(device.adapter_id(), context.settings.cache_line_bytes)?;
    let memory = ContextMemory::new(range.with_allocator(context.settings.handle_allocator), false);
    let state = match facts.has_deferred_contexts() {
        true => on_driver(context, device, id, &facts, memory)?,
        false => ContextState::emulated(id, facts, memory),
    };
    open::device(context, objects, call.device)?.contexts += 1;
    objects.insert(id.into(), Object::d3d11(D3d11Object::new(call.device, D3d11Kind::Context)));
    device.count_object();
    count(device, call.device);
    contexts.insert(&[id.into()], state);
    Ok(id)
}

/// Creates the context on the driver.
fn on_driver(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    id: D3d11ContextId,
    facts: &Arc<DeviceFacts>,
    mut memory: ContextMemory,
) -> HResult<ContextState> {
    let (of, device_handle) = (facts.immediate, facts.device_handle);
    let size = context.ddi(ddi::CalcPrivateDeferredContextSize { context: of, device: device_handle });
    let PrivateSize { size_bytes } = size;
    let own = memory.allocate(size_bytes).ok_or(HResultCode::E_OUTOFMEMORY)?;
    // Rule H-40: each context has a core-layer handle of its own.
    let core_layer = DriverHandle(id.0);
    let create = ddi::CreateDeferredContext {
        context: of,
        device: device_handle,
        deferred_context: id,
        deferred_device: own,
        core_layer,
    };
    // The driver may read the device's memory while it creates the context.
    memory.add_valid_handle(device_handle, &facts.image);
    let reply = context.ddi_on(&mut memory, ContextKind::Immediate, create).ok();
    let table = Table::new(&reply.map_err(|code| facts.handle_error(device, code))?);
    // An entry marks the context as alive: released lists return to it (rule H-54).
    device.d3d11.returned.insert(id.0, Default::default());
    Ok(ContextState::deferred(id, Arc::clone(facts), DeferredHandles { device_handle: own, core_layer }, memory, table))
}

/// Driver properties from device creation, if the driver has handles per context.
pub(crate) fn facts(device: &DeviceState, id: D3d11DeviceId) -> Option<Arc<DeviceFacts>> {
    device.d3d11.devices.get(&id.0).map(|(facts, _)| Arc::clone(facts))
}

/// Increments the number of the device's live objects.
pub(crate) fn count(device: &mut DeviceState, id: D3d11DeviceId) {
    if let Some((_, alive)) = device.d3d11.devices.get_mut(&id.0) {
        *alive += 1;
    }
}

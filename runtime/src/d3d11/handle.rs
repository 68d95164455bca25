//! Immediate-context handles of objects, and the handle sizes that the driver needs for them in deferred contexts.

use super::context_state::ContextKind;
use crate::context::Context;
use crate::memory::context_memory::{ContextMemory, HandleRange, NewMemory};
use crate::state::{DeviceFacts, DeviceState, IcHandle};
use crate::violation::{ObservedValue, violate};
use std::sync::Arc;
use taut_schemas::{
    CreateHandle, DriverHandle, HResult, HResultCode, HandleSize, HandleType, PrivateSize, d3d11_context_ddi as ddi,
    rule,
};

/// Handle to create.
pub(crate) struct HandleRequest<'m> {
    pub handle_type: HandleType,
    pub size_bytes: u64,
    /// Handle that the new one depends on, with the contents of its memory.
    pub dependency: Option<(DriverHandle, &'m Arc<[u8]>)>,
    /// Memory that the driver may access in addition to the handle's memory; `None` for the memory of the device and
    /// the dependency.
    pub other_memory: Option<&'m mut ContextMemory>,
}

impl HandleRequest<'_> {
    /// Request of a handle that depends on no other.
    pub fn new(handle_type: HandleType, size: PrivateSize) -> Self {
        Self { handle_type, size_bytes: size.size_bytes, dependency: None, other_memory: None }
    }
}

/// Handle that exists on the immediate context.
pub(crate) struct KnownHandle<'i> {
    pub handle_type: HandleType,
    pub address: DriverHandle,
    /// Contents of its memory.
    pub image: &'i Arc<[u8]>,
}

/// Creates an object's handle. `create` makes the DDI call, with access to the handle's memory.
///
/// # Errors
/// E_OUTOFMEMORY; the code of `create`; DXGI_ERROR_DEVICE_REMOVED if the driver broke a rule in strict mode.
pub(crate) fn create<T>(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    request: HandleRequest<'_>,
    create: impl FnOnce(&mut Context<'_>, CreateHandle, &mut NewMemory<'_>) -> HResult<T>,
) -> HResult<(IcHandle, T)> {
    let HandleRequest { handle_type, size_bytes, dependency, other_memory } = request;
    let handle = device.d3d11.handles.allocate(size_bytes).ok_or(HResultCode::E_OUTOFMEMORY)?;
    let mut bytes = vec![0; usize::try_from(size_bytes).map_err(|_| HResultCode::E_OUTOFMEMORY)?];
    // The driver may read the memory of the device and of the dependency while it creates the handle, and no other.
    let mut seen = ContextMemory::new(HandleRange::default(), false);
    seen.add_valid_handle(facts.device_handle, &facts.image);
    if let Some((handle, image)) = dependency {
        seen.add_valid_handle(handle, image);
    }
    let other_memory = other_memory.or(Some(&mut seen));
    let data = CreateHandle {
        driver_handle: handle,
        size_bytes,
        dependency_handle: dependency.map_or(DriverHandle::default(), |(handle, _)| handle),
        ..CreateHandle::default()
    };
    let created = create(context, data, &mut NewMemory { handle, bytes: &mut bytes, other_memory });
    let created = match created {
        Ok(created) => created,
        // Rule H-78: the driver gets neither CalcDeferredContextHandleSize nor a destroy call.
        Err(code) => {
            device.d3d11.handles.release(handle, size_bytes);
            return Err(facts.handle_error(device, code));
        }
    };
    let image: Arc<[u8]> = bytes.into();
    let known = KnownHandle { handle_type, address: handle, image: &image };
    let queried = deferred_size(context, device, facts, known);
    let deferred_bytes = queried.map_err(|code| facts.handle_error(device, code))?;
    Ok((IcHandle { address: handle, size_bytes, deferred_bytes, image }, created))
}

/// Queries the size of an object's deferred-context handles (rules H-23 to H-25); 0 if the driver builds no command
/// lists.
pub(crate) fn deferred_size(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    known: KnownHandle<'_>,
) -> HResult<u64> {
    let KnownHandle { handle_type, address: ic_handle, image } = known;
    if !facts.has_deferred_contexts() {
        return Ok(0);
    }
    let mut memory = ContextMemory::new(HandleRange::default(), false);
    memory.add_valid_handle(ic_handle, image);
    memory.add_valid_handle(facts.device_handle, &facts.image);
    let call = ddi::CalcDeferredContextHandleSize {
        context: facts.immediate,
        device: facts.device_handle,
        handle_type,
        ic_handle,
    };
    let data = context.ddi_on(&mut memory, ContextKind::Immediate, call).ok();
    let PrivateSize { size_bytes } = data.map_err(|code| facts.handle_error(device, code))?;
    if !facts.sizes.contains(&HandleSize { handle_type, size_bytes }) {
        let text = format_args!(
            "The driver gives handles of {handle_type:?} {size_bytes} bytes in deferred contexts, a size that \
             CheckDeferredContextHandleSizes did not tell."
        );
        let has_type = facts.sizes.iter().any(|size| size.handle_type == handle_type);
        // Rule H-29 is about command lists, H-24 about sizes that were not polled.
        let rule = if has_type || handle_type != HandleType::COMMANDLIST { rule::H_24 } else { rule::H_29 };
        violate(context, device, rule, ObservedValue { found: size_bytes, min: 0, max: u64::MAX }, text)?;
    }
    Ok(size_bytes)
}

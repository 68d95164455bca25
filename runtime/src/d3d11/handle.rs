//! An object's handle of the immediate context, and the sizes that its driver gives handles of deferred ones.

use super::context_state::ContextKind;
use crate::context::Context;
use crate::memory::context_memory::{ContextMemory, HandleRange, NewMemory};
use crate::state::{DeviceFacts, DeviceState, IcHandle};
use crate::violation::violate;
use std::sync::Arc;
use taut_schemas::{
    CreateHandle, DriverHandle, HResult, HResultCode, HandleSize, HandleType, PrivateSize, d3d11_context_ddi as ddi,
    rule,
};

/// Creates an object's handle: `create` makes the call of the line that does it, of the handle's memory.
///
/// # Errors
/// E_OUTOFMEMORY; that of `create`; DXGI_ERROR_DEVICE_REMOVED if the driver broke a rule in strict mode.
pub(crate) fn create<T>(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    (handle_type, PrivateSize { size_bytes }): (HandleType, PrivateSize),
    dependency: Option<(DriverHandle, &Arc<[u8]>)>,
    beside: Option<&mut ContextMemory>,
    create: impl FnOnce(&mut Context<'_>, CreateHandle, &mut NewMemory<'_>) -> HResult<T>,
) -> HResult<(IcHandle, T)> {
    let handle = device.d3d11.handles.allocate(size_bytes).ok_or(HResultCode::E_OUTOFMEMORY)?;
    let mut bytes = vec![0; usize::try_from(size_bytes).map_err(|_| HResultCode::E_OUTOFMEMORY)?];
    let mut seen = ContextMemory::new(HandleRange::default(), false);
    seen.know(facts.device_handle, &facts.image);
    if let Some((handle, image)) = dependency {
        seen.know(handle, image);
    }
    let beside = beside.or(Some(&mut seen));
    let told = CreateHandle {
        driver_handle: handle,
        size_bytes,
        dependency_handle: dependency.map_or(DriverHandle::default(), |(handle, _)| handle),
        ..CreateHandle::default()
    };
    let made = create(context, told, &mut NewMemory { handle, bytes: &mut bytes, beside });
    let made = match made {
        Ok(made) => made,
        // Rule H-78: neither its size is asked for, nor is it destroyed.
        Err(code) => {
            device.d3d11.handles.release(handle, size_bytes);
            return Err(facts.noticed(device, code));
        }
    };
    let image: Arc<[u8]> = bytes.into();
    let asked = deferred_size(context, device, facts, (handle_type, handle, &image));
    let deferred_bytes = asked.map_err(|code| facts.noticed(device, code))?;
    Ok((IcHandle { address: handle, size_bytes, deferred_bytes, image }, made))
}

/// Asks how large an object's handles of deferred contexts are (rules H-23 to H-25), of a driver that builds command lists.
pub(crate) fn deferred_size(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    (handle_type, ic_handle, image): (HandleType, DriverHandle, &Arc<[u8]>),
) -> HResult<u64> {
    if !facts.has_deferred_contexts() {
        return Ok(0);
    }
    let mut memory = ContextMemory::new(HandleRange::default(), false);
    memory.know(ic_handle, image);
    memory.know(facts.device_handle, &facts.image);
    let call = ddi::CalcDeferredContextHandleSize {
        context: facts.immediate,
        device: facts.device_handle,
        handle_type,
        ic_handle,
    };
    let told = context.ddi_on(&mut memory, ContextKind::Immediate, call).ok();
    let PrivateSize { size_bytes } = told.map_err(|code| facts.noticed(device, code))?;
    if !facts.sizes.contains(&HandleSize { handle_type, size_bytes }) {
        let text = format_args!(
            "The driver gives handles of {handle_type:?} {size_bytes} bytes in deferred contexts, a size that \
             CheckDeferredContextHandleSizes did not tell."
        );
        let is_told = facts.sizes.iter().any(|size| size.handle_type == handle_type);
        let rule = if is_told || handle_type != HandleType::COMMANDLIST { rule::H_24 } else { rule::H_29 };
        violate(context, device, rule, (size_bytes, 0, u64::MAX), text)?;
    }
    Ok(size_bytes)
}

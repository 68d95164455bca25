//! Queries to a driver with handles per context at device creation.

use super::context_state::ContextKind;
use super::table::Table;
use crate::context::Context;
use crate::memory::context_memory::ContextMemory;
use crate::state::{DeviceFacts, DeviceState};
use crate::violation::{ObservedValue, violate};
use taut_schemas::{
    CreateDeviceFlags, D3d11ContextId, D3d11DeviceId, DriverHandle, HResult, HResultCode, HandleSize, HandleType,
    PrivateSize, ThreadingCaps, d3d11_context_ddi as ddi, rule,
};

/// Creates a device's immediate context on its driver, and polls the sizes of deferred-context handles (rule H-20).
///
/// # Errors
/// The driver's code; DXGI_ERROR_DEVICE_REMOVED if the driver broke a rule in strict mode.
pub(crate) fn create(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    id: D3d11DeviceId,
    immediate: D3d11ContextId,
    flags: CreateDeviceFlags,
) -> HResult<(DeviceFacts, ContextMemory, Table)> {
    let caps = context.ddi(ddi::GetThreadingCaps {});
    let builds_lists = caps.contains(ThreadingCaps::COMMANDLISTS_BUILD_2);
    if builds_lists && !caps.contains(ThreadingCaps::FREETHREADED) {
        let text = format_args!("The driver builds command lists, and is not free-threaded.");
        violate(context, device, rule::H_21, ObservedValue { found: caps.0.into(), min: 5, max: 7 }, text)?;
        return Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR);
    }
    let mut memory =
        ContextMemory::new(device.d3d11.new_range(device.adapter_id(), context.settings.cache_line_bytes)?, true);
    // The size query is made before the device exists, so it names no device.
    let PrivateSize { size_bytes } = context.ddi(ddi::CalcPrivateDeviceSize {});
    let device_handle = memory.allocate(size_bytes).ok_or(HResultCode::E_OUTOFMEMORY)?;
    let core_layer = DriverHandle(immediate.0);
    let call = ddi::CreateDevice { context: immediate, device: device_handle, core_layer };
    let table = Table::new(&context.ddi_on(&mut memory, ContextKind::Immediate, call).ok()??);
    let image = memory.image(device_handle);
    let mut facts = DeviceFacts { device: id, immediate, caps, device_handle, sizes: Vec::new(), image };
    // A device for one thread has no deferred contexts, so their sizes are not polled.
    if builds_lists && !flags.contains(CreateDeviceFlags::SINGLETHREADED) {
        facts.sizes = poll(context, device, &facts, &mut memory)?;
    }
    Ok((facts, memory, table))
}

/// Polls twice: for the number of sizes, then for the sizes.
fn poll(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    memory: &mut ContextMemory,
) -> HResult<Vec<HandleSize>> {
    let poll = |capacity| ddi::CheckDeferredContextHandleSizes {
        context: facts.immediate,
        device: facts.device_handle,
        capacity,
    };
    // Rule H-28: no error may be reported here; any error fails the creation of the device.
    let count = context.ddi_on(memory, ContextKind::Immediate, poll(None)).ok()?.count;
    let reply = context.ddi_on(memory, ContextKind::Immediate, poll(Some(count))).ok()?;
    if reply.count > count {
        let text = format_args!("The driver told {count} sizes, then {}.", reply.count);
        violate(
            context,
            device,
            rule::H_20,
            ObservedValue { found: reply.count.into(), min: 0, max: count.into() },
            text,
        )?;
    }
    let mut sizes = reply.sizes;
    sizes.truncate(count as usize);
    for size in &sizes {
        if size.size_bytes == 0 || size.handle_type.0 > HandleType::CACHESESSION.0 {
            let text = format_args!("The driver tells a size of {size:?}.");
            violate(
                context,
                device,
                rule::H_22,
                ObservedValue { found: size.size_bytes, min: 1, max: u64::MAX },
                text,
            )?;
        }
    }
    Ok(sizes)
}

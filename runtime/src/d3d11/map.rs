//! Map and Unmap of staging resources, directly accessible ones among them (rules T-05 and T-06).

use super::open;
use super::state::D3d11Resource;
use crate::context::Context;
use crate::d3d12::answer::violate;
use crate::d3d12::device::DeviceState;
use crate::memory::space::AddressSpace;
use crate::objects::Objects;
use taut_schemas::{
    CpuAccessFlags, CpuAddress, D3d11DdiResourceDesc, D3d11ResourceId, HResult, HResultCode, MapFlags, MapType,
    SharedMapData, Usage, d3d11, d3d11_ddi, rule,
};

/// ID3D11DeviceContext::Map.
///
/// While the graphics processor still writes the memory, Map of an ordinary resource waits for it, or with DO_NOT_WAIT
/// gives DXGI_ERROR_WAS_STILL_DRAWING. Nothing waits on the way to the memory of another texture, so for direct access
/// that is the answer either way, and an error of the application's.
pub(crate) fn map(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::Map,
) -> HResult<SharedMapData> {
    open::device_undoing_mark(context, objects, call.device)?;
    let resource = open::resource(context, objects, call.device, call.resource)?.clone();
    if device.is_removed() {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    if let Some((code, fault)) = fault(&resource, call) {
        return context.refuse(code, call.resource, format_args!("Map of resource {}: {fault}.", call.resource.0));
    }
    settle(context, device, objects, call, &resource)?;
    let Some(memory) = device.d3d11_memory.get_mut(resource.memory.0) else {
        return Err(HResultCode::E_HANDLE);
    };
    memory.maps += 1;
    let (address, kept) = (AddressSpace::cpu_address(memory.address), memory.layout);
    let data = context.ddi(d3d11_ddi::StagingResourceMap {
        resource: call.resource,
        subresource: call.subresource,
        map_type: call.map_type,
        memory: resource.memory,
        base_address: CpuAddress(address),
        kept,
    });
    if let Err(code) = check_answer(context, device, (address, kept.size_bytes), &data) {
        unmap_memory(device, resource.memory);
        return Err(code);
    }
    open::resource(context, objects, call.device, call.resource)?.mapped.push(call.subresource);
    Ok(data)
}

/// What is wrong with the call, in words.
fn fault(resource: &D3d11Resource, call: &d3d11::Map) -> Option<(HResultCode, &'static str)> {
    let desc = &resource.desc;
    let invalid = |what| Some((HResultCode::E_INVALIDARG, what));
    if desc.usage != Usage::STAGING {
        return invalid("its memory is the graphics processor's; only staging resources are mapped");
    }
    if call.subresource >= resource.subresources() {
        return invalid("it has no such subresource");
    }
    if !has_access(desc, call.map_type) {
        return invalid("MapType is not what CPUAccessFlags allow a staging resource");
    }
    if call.map_flags.without(MapFlags::DO_NOT_WAIT) != MapFlags::NONE {
        return invalid("MapFlags has an unknown bit");
    }
    if resource.mapped.contains(&call.subresource) {
        return invalid("the subresource is mapped already");
    }
    let unbound = resource.memory == D3d11ResourceId::NULL;
    unbound.then_some((
        HResultCode::DXGI_ERROR_INVALID_CALL,
        "a staging texture for direct access is mapped once CopyResource has bound it to a texture",
    ))
}

fn has_access(desc: &D3d11DdiResourceDesc, map_type: MapType) -> bool {
    let (read, write) = (CpuAccessFlags::READ, CpuAccessFlags::WRITE);
    match map_type {
        MapType::READ => desc.cpu_access_flags.contains(read),
        MapType::WRITE => desc.cpu_access_flags.contains(write),
        MapType::READ_WRITE => desc.cpu_access_flags.contains(read | write),
        _ => false,
    }
}

/// Waits for the graphics processor, or says that somebody has to.
fn settle(
    context: &mut Context<'_>,
    device: &DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::Map,
    resource: &D3d11Resource,
) -> HResult<()> {
    let written_by = device.d3d11_memory.get(resource.memory.0).map_or(0, |memory| memory.written_by);
    let owner = open::device(context, objects, call.device)?;
    if written_by <= owner.completed {
        return Ok(());
    }
    if resource.direct_access {
        let text = format_args!("Map of resource {}: the graphics processor still writes it.", call.resource.0);
        return context.refuse(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING, call.resource, text);
    }
    if call.map_flags.contains(MapFlags::DO_NOT_WAIT) {
        return Err(HResultCode::DXGI_ERROR_WAS_STILL_DRAWING);
    }
    owner.completed = owner.submitted;
    Ok(())
}

/// Rule T-05: the pointer lies in the memory of the resource that was mapped, or that it is bound to.
fn check_answer(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    (address, size_bytes): (u64, u64),
    data: &SharedMapData,
) -> HResult<()> {
    let (CpuAddress(found), last) = (data.base_address, address + size_bytes.max(1) - 1);
    if (address..=last).contains(&found) && data.size_bytes <= last - found + 1 {
        return Ok(());
    }
    let text = format_args!("The driver's pointer, or the size it gives, leaves the memory of the mapped texture.");
    violate(context, device, rule::T_05, (found, address, last), text)
}

/// ID3D11DeviceContext::Unmap, which returns nothing; here it says whether the subresource was mapped.
pub(crate) fn unmap(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::Unmap,
) -> HResult<()> {
    open::device_undoing_mark(context, objects, call.device)?;
    let resource = open::resource(context, objects, call.device, call.resource)?;
    let Some(at) = resource.mapped.iter().position(|mapped| *mapped == call.subresource) else {
        let text = format_args!("Subresource {} of resource {} is not mapped.", call.subresource, call.resource.0);
        return context.refuse(HResultCode::E_INVALIDARG, call.resource, text);
    };
    resource.mapped.swap_remove(at);
    let memory = resource.memory;
    context.ddi(d3d11_ddi::StagingResourceUnmap { resource: call.resource, subresource: call.subresource });
    unmap_memory(device, memory);
    Ok(())
}

/// One map of the memory of `resource` is closed.
pub(crate) fn unmap_memory(device: &mut DeviceState, resource: D3d11ResourceId) {
    if let Some(memory) = device.d3d11_memory.get_mut(resource.0) {
        memory.maps = memory.maps.saturating_sub(1);
    }
}

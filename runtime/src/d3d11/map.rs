//! Map and Unmap of staging resources, including directly accessible resources (rules T-05 and T-06).

use super::context_state::ContextState;
use super::gpu_wait::wait_for_gpu;
use super::map_by_handle;
use super::memory::{map_memory, unmap_memory};
use super::open;
use super::violation::{LockedContext, violate_in};
use crate::context::Context;
use crate::memory::space::AddressSpace;
use crate::state::{D3d11Resource, DeviceState, Objects};
use crate::violation::ObservedValue;
use taut_schemas::{
    CpuAccessFlags, CpuAddress, D3d11DdiResourceDesc, D3d11ResourceId, HResult, HResultCode, MapFlags, MapType,
    SharedMapData, Usage, d3d11, d3d11_ddi, rule,
};

/// ID3D11DeviceContext::Map.
///
/// While the GPU still writes the memory, Map of an ordinary resource waits, or with DO_NOT_WAIT returns
/// DXGI_ERROR_WAS_STILL_DRAWING. Direct access to another texture's memory never waits: Map returns that code either
/// way, as an application error.
pub(crate) fn map(
    context: &mut Context<'_>,
    mut extension: Option<&mut DeviceState>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::Map,
) -> HResult<SharedMapData> {
    open::begin(context, state, objects, call.context)?;
    if state.facts.is_some() {
        return map_by_handle::map(context, state, objects, call);
    }
    let resource = open::resource(context, state, objects, call.resource)?;
    if state.lost || extension.as_ref().is_some_and(|device| device.is_removed()) {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    if let Some((code, fault)) = fault(state, &resource, call) {
        return context.refuse(code, call.resource, format_args!("Map of resource {}: {fault}.", call.resource.0));
    }
    wait_for_gpu(context, state, call, &resource)?;
    // With an extension, the memory may belong to another resource, and the layout of its owner applies.
    let (address, driver_data) = match &mut extension {
        None => (resource.address, resource.layout),
        Some(device) => {
            let memory = device.d3d11_memory.get(resource.memory.0).ok_or(HResultCode::E_HANDLE)?;
            (memory.address, memory.layout)
        }
    };
    let address = AddressSpace::cpu_address(address);
    let data = context.ddi(d3d11_ddi::StagingResourceMap {
        resource: call.resource,
        subresource: call.subresource,
        map_type: call.map_type,
        memory: resource.memory,
        base_address: CpuAddress(address),
        driver_data,
    });
    check_answer(
        context,
        LockedContext { device: extension.as_deref_mut(), state },
        address,
        driver_data.size_bytes,
        &data,
    )?;
    state.maps.push((call.resource, call.subresource));
    if let (Some(device), Some(mapped)) = (extension, open::resource_mut(objects, call.resource)) {
        map_memory(device, resource.memory);
        mapped.maps += 1;
    }
    Ok(data)
}

/// The error of an invalid Map call, as a code and a text.
fn fault(state: &ContextState, resource: &D3d11Resource, call: &d3d11::Map) -> Option<(HResultCode, &'static str)> {
    let desc = &resource.desc;
    let invalid = |what| Some((HResultCode::E_INVALIDARG, what));
    if desc.usage != Usage::STAGING {
        return invalid("its memory is the GPU's; only staging resources are mapped");
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
    if state.maps.contains(&(call.resource, call.subresource)) {
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

/// Validates rule T-05: the pointer is in the memory of the mapped resource, or of the resource bound to it.
fn check_answer(
    context: &mut Context<'_>,
    locked: LockedContext<'_>,
    address: u64,
    size_bytes: u64,
    data: &SharedMapData,
) -> HResult<()> {
    let (CpuAddress(found), last) = (data.base_address, address + size_bytes.max(1) - 1);
    if (address..=last).contains(&found) && data.size_bytes <= last - found + 1 {
        return Ok(());
    }
    let text = format_args!("The driver's pointer, or the size it gives, leaves the memory of the mapped texture.");
    violate_in(context, locked, rule::T_05, ObservedValue { found, min: address, max: last }, text)
}

/// ID3D11DeviceContext::Unmap. The API returns nothing; the result here is an error if the subresource was not mapped.
pub(crate) fn unmap(
    context: &mut Context<'_>,
    extension: Option<&mut DeviceState>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::Unmap,
) -> HResult<()> {
    open::begin(context, state, objects, call.context)?;
    if state.facts.is_some() {
        return map_by_handle::unmap(context, state, objects, call);
    }
    let resource = open::resource(context, state, objects, call.resource)?;
    let Some(at) = state.maps.iter().position(|mapped| *mapped == (call.resource, call.subresource)) else {
        let text = format_args!("Subresource {} of resource {} is not mapped.", call.subresource, call.resource.0);
        return context.refuse(HResultCode::E_INVALIDARG, call.resource, text);
    };
    state.maps.swap_remove(at);
    context.ddi(d3d11_ddi::StagingResourceUnmap { resource: call.resource, subresource: call.subresource });
    if let (Some(device), Some(mapped)) = (extension, open::resource_mut(objects, call.resource)) {
        unmap_memory(device, resource.memory);
        mapped.maps = mapped.maps.saturating_sub(1);
    }
    Ok(())
}

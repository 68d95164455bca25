//! Map and Unmap on a driver with handles per context: staging resources in the immediate context, dynamic resources in
//! any context.

use super::context_state::{ContextKind, ContextState};
use super::gpu_wait::wait_for_gpu;
use super::held::{self, HoldTarget, handle_of, hold};
use crate::context::Context;
use crate::memory::space::AddressSpace;
use crate::state::{D3d11Kind, D3d11Resource, DeferredCommand, Objects};
use taut_schemas::{
    CpuAccessFlags, CpuAddress, D3d11ResourceId, Dimension, HResult, HResultCode, MapFlags, MapType, SharedMapData,
    TileFormat, Usage, d3d11, d3d11_context_ddi as ddi,
};

/// ID3D11DeviceContext::Map.
pub(crate) fn map(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::Map,
) -> HResult<SharedMapData> {
    if call.resource == D3d11ResourceId::NULL {
        return context.refuse(HResultCode::E_INVALIDARG, call.context, format_args!("Map: pResource is null."));
    }
    let resource = held::resource(context, state, objects, call.resource)?;
    if state.lost {
        return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED);
    }
    if let Some((code, fault)) = fault(state, &resource, call) {
        return context.refuse(code, call.resource, format_args!("Map of resource {}: {fault}.", call.resource.0));
    }
    if state.skips_driver() {
        return Err(state.failure());
    }
    if state.kind == ContextKind::Deferred {
        return map_deferred(context, state, objects, call, &resource);
    }
    wait_for_gpu(context, state, call, &resource)?;
    // A staging resource need not be referenced by the context: its handle is known for this call only.
    let passed = held::handle_for_call(context, state, objects, call.resource.into())?;
    let Some(handle) = passed else { return Err(state.failure()) };
    let (of, device, subresource) = (state.id, state.device_handle, call.subresource);
    let base_address = CpuAddress(AddressSpace::cpu_address(resource.address));
    let (resource, map_type) = (handle, call.map_type);
    let is_dynamic = map_type == MapType::WRITE_DISCARD || map_type == MapType::WRITE_NO_OVERWRITE;
    if !is_dynamic && !call.map_flags.contains(MapFlags::DO_NOT_WAIT) {
        // Map without DO_NOT_WAIT waits for all GPU work so far.
        state.contents.submit();
    }
    let data = if is_dynamic {
        let map = ddi::DynamicResourceMap { context: of, device, resource, subresource, map_type, base_address };
        state.record(context, map)
    } else {
        let map = ddi::StagingResourceMap { context: of, device, resource, subresource, map_type, base_address };
        state.record(context, map)
    };
    state.forget_passed_handles();
    let Some(data) = data else { return Err(state.failure()) };
    state.maps.push((call.resource, subresource));
    Ok(data)
}

/// Maps in a deferred context: each discard gets memory of its own, which becomes part of the list (rule H-61).
fn map_deferred(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::Map,
    resource: &D3d11Resource,
) -> HResult<SharedMapData> {
    let is = |kind: &D3d11Kind| matches!(kind, D3d11Kind::Resource(_));
    hold(context, state, objects, HoldTarget { id: call.resource.into(), kind: "Direct3D 11 resource", is })?;
    let emulated = state.deferred_commands.is_some();
    let handle = if emulated { None } else { handle_of(context, state, call.resource.into()) };
    if handle.is_none() && !emulated {
        return Err(state.failure());
    }
    // Rule H-61: the contents of each discard must survive until the list executes, so they cannot share memory.
    if call.map_type == MapType::WRITE_DISCARD {
        let backing = state.memory.range.backing(resource.layout.size_bytes).ok_or(HResultCode::E_OUTOFMEMORY)?;
        state.discarded.insert(call.resource, backing);
    }
    let base_address = CpuAddress(state.discarded.get(&call.resource).copied().unwrap_or(0));
    let (of, device, subresource) = (state.id, state.device_handle, call.subresource);
    let map_type = call.map_type;
    let Some(handle) = handle else {
        let layout = &resource.layout;
        state.defer(|| DeferredCommand::Map { resource: call.resource, subresource, map_type });
        state.maps.push((call.resource, subresource));
        let (pitch_bytes, size_bytes) = (layout.pitch_bytes, layout.size_bytes);
        let tile_format = TileFormat::LINEAR;
        return Ok(SharedMapData { base_address, tile_format, pitch_bytes, size_bytes, ..SharedMapData::default() });
    };
    let map = ddi::DynamicResourceMap { context: of, device, resource: handle, subresource, map_type, base_address };
    let Some(data) = state.record(context, map) else { return Err(state.failure()) };
    state.maps.push((call.resource, subresource));
    Ok(data)
}

/// ID3D11DeviceContext::Unmap.
pub(crate) fn unmap(
    context: &mut Context<'_>,
    state: &mut ContextState,
    objects: &mut dyn Objects,
    call: &d3d11::Unmap,
) -> HResult<()> {
    let resource = held::resource(context, state, objects, call.resource)?;
    let Some(at) = state.maps.iter().position(|mapped| *mapped == (call.resource, call.subresource)) else {
        let text = format_args!("Subresource {} of resource {} is not mapped.", call.subresource, call.resource.0);
        return context.refuse(HResultCode::E_INVALIDARG, call.resource, text);
    };
    state.maps.swap_remove(at);
    if state.defer(|| DeferredCommand::Unmap { resource: call.resource, subresource: call.subresource }) {
        return Ok(());
    }
    let Some(handle) = held::handle_for_call(context, state, objects, call.resource.into())? else { return Ok(()) };
    let (of, device, subresource) = (state.id, state.device_handle, call.subresource);
    match resource.desc.usage {
        Usage::DYNAMIC => {
            state.record(context, ddi::DynamicResourceUnmap { context: of, device, resource: handle, subresource });
        }
        _ => context.ddi(ddi::StagingResourceUnmap { context: of, device, resource: handle, subresource }),
    }
    state.forget_passed_handles();
    Ok(())
}

/// The error of an invalid Map call, as a code and a text.
fn fault(state: &ContextState, resource: &D3d11Resource, call: &d3d11::Map) -> Option<(HResultCode, &'static str)> {
    let invalid = |what| Some((HResultCode::E_INVALIDARG, what));
    let (desc, is_deferred) = (&resource.desc, state.kind == ContextKind::Deferred);
    let (read, write) = (CpuAccessFlags::READ, CpuAccessFlags::WRITE);
    let is_discard = call.map_type == MapType::WRITE_DISCARD;
    match (desc.usage, call.map_type) {
        _ if call.subresource >= resource.subresources() => return invalid("it has no such subresource"),
        (Usage::DYNAMIC, MapType::WRITE_DISCARD) => {}
        // D3D11 allows WRITE_NO_OVERWRITE for dynamic vertex and index buffers, so here for buffers only.
        (Usage::DYNAMIC, MapType::WRITE_NO_OVERWRITE) if desc.dimension == Dimension::BUFFER => {}
        (Usage::DYNAMIC, _) => return invalid("a dynamic resource is mapped to discard or without overwriting"),
        _ if is_deferred => return invalid("a deferred context maps dynamic resources alone"),
        (Usage::STAGING | Usage::DEFAULT, MapType::READ) if desc.cpu_access_flags.contains(read) => {}
        (Usage::STAGING | Usage::DEFAULT, MapType::WRITE) if desc.cpu_access_flags.contains(write) => {}
        (Usage::STAGING | Usage::DEFAULT, MapType::READ_WRITE) if desc.cpu_access_flags.contains(read | write) => {}
        (Usage::STAGING, _) => return invalid("MapType is not what CPUAccessFlags allow a staging resource"),
        _ => return invalid("its memory is the GPU's; only staging and dynamic resources are mapped"),
    }
    if call.map_flags.without(MapFlags::DO_NOT_WAIT) != MapFlags::NONE {
        return invalid("MapFlags has an unknown bit");
    }
    if state.maps.contains(&(call.resource, call.subresource)) {
        return invalid("the subresource is mapped already");
    }
    // Rule H-61: a recording cannot add to contents that it has not discarded itself.
    let first = is_deferred && !is_discard && !state.discarded.contains_key(&call.resource);
    let code = HResultCode::D3D11_ERROR_DEFERRED_CONTEXT_MAP_WITHOUT_INITIAL_DISCARD;
    first.then_some((code, "a deferred context's first Map of a resource has to discard"))
}

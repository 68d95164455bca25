//! The end of objects: whoever holds one lets go of it, and the last one destroys it (rules H-03 and H-13).

use super::context_state::ContextState;
use super::held::destroy_handle;
use super::memory;
use super::open::find;
use crate::context::Context;
use crate::state::{D3d11Kind, D3d11Object, D3d11Resource, DeviceState, Objects};
use std::sync::Arc;
use taut_schemas::{D3d11ResourceId, DriverHandle, ObjectId, d3d11_context_ddi as ddi, d3d11_ddi};

/// A holder lets go of an object, and it, if it ends, of what it held. Lists nest as deep as one likes: what is held waits its
/// turn in a list, not on the stack.
pub(crate) fn unpin(context: &mut Context<'_>, device: &mut DeviceState, objects: &mut dyn Objects, id: ObjectId) {
    let mut waiting = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next {
        if let Some(object) = find(objects, id) {
            object.pins = object.pins.saturating_sub(1);
            if object.pins == 0 && object.count == 0 {
                end(context, device, objects, id, &mut waiting);
            }
        }
        next = waiting.pop();
    }
}

/// Nobody refers to the object, and nobody holds it: it ends, and its handle of the immediate context with it.
pub(crate) fn destroy(context: &mut Context<'_>, device: &mut DeviceState, objects: &mut dyn Objects, id: ObjectId) {
    let mut waiting = Vec::new();
    end(context, device, objects, id, &mut waiting);
    while let Some(held) = waiting.pop() {
        unpin(context, device, objects, held);
    }
}

/// Ends an object; what it held is put behind `waiting`, the first last.
fn end(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    id: ObjectId,
    waiting: &mut Vec<ObjectId>,
) {
    let Some(object) = find(objects, id).cloned() else { return };
    objects.remove(id);
    match (&object.kind, &object.handle) {
        (D3d11Kind::Resource(resource), None) => {
            destroy_plain_resource(context, device, D3d11ResourceId(id.0), resource);
        }
        (D3d11Kind::CommandList(_), _) => waiting.extend(end_list(context, device, id, &object).into_iter().rev()),
        // What it keeps, the context lets go of when it is flushed.
        (D3d11Kind::ContextState, _) => {
            if let Some(ended) = device.d3d11.kept_states.get_mut(&id) {
                *ended = true;
            }
        }
        (kind, Some(handle)) => {
            let known = device.d3d11.devices.get(&object.device.0).map(|(facts, _)| Arc::clone(facts));
            if let Some(facts) = known {
                destroy_handle(context, kind, (facts.immediate, facts.device_handle), handle.address);
            }
            device.d3d11.handles.release(handle.address, handle.size_bytes);
            match kind {
                D3d11Kind::Resource(_) => free_memory(device, id),
                D3d11Kind::State(_) => device.d3d11.states.retain(|_, state| ObjectId::from(*state) != id),
                D3d11Kind::View(view) => {
                    device.d3d11.view_resources.remove(&id);
                    waiting.push(view.resource.into());
                }
                _ => {}
            }
        }
        _ => {}
    }
    leave_device(context, device, &object);
}

fn free_memory(device: &mut DeviceState, id: ObjectId) {
    if let Some(memory) = device.d3d11_memory.remove(id.0) {
        device.memory.release(memory.address, memory.layout.size_bytes);
    }
}

/// One of the device's objects is gone; a device that is released goes with the last.
pub(crate) fn leave_device(context: &mut Context<'_>, device: &mut DeviceState, object: &D3d11Object) {
    let Some((facts, alive)) = device.d3d11.devices.get_mut(&object.device.0) else { return };
    *alive = alive.saturating_sub(1);
    if *alive == 0 {
        let (context_id, device_handle) = (facts.immediate, facts.device_handle);
        device.d3d11.devices.remove(&object.device.0);
        context.ddi(ddi::DestroyDevice { context: context_id, device: device_handle });
    }
}

fn destroy_plain_resource(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    id: D3d11ResourceId,
    resource: &D3d11Resource,
) {
    (0..resource.maps).for_each(|_| memory::unmap_memory(device, resource.memory));
    // The driver hears of a resource with memory of its own when that memory goes.
    if resource.memory != id {
        context.ddi(d3d11_ddi::DestroyResource { resource: id });
    }
    if resource.memory != D3d11ResourceId::NULL {
        memory::leave(context, device, resource.memory);
    }
}

/// A command list is taken out of use, and waits for the context that made it; if that is gone, it is destroyed (rule H-54).
/// Gives what it held, which is to be let go of.
fn end_list(context: &mut Context<'_>, device: &mut DeviceState, id: ObjectId, object: &D3d11Object) -> Vec<ObjectId> {
    let Some(record) = device.d3d11.lists.remove(&id) else { return Vec::new() };
    let known = device.d3d11.devices.get(&object.device.0).map(|(facts, _)| Arc::clone(facts));
    if let (Some(facts), Some(handle)) = (known, &object.handle) {
        let (of, list) = ((facts.immediate, facts.device_handle), handle.address);
        match device.d3d11.returned.get_mut(&record.maker.0) {
            Some([out_of_use, _]) => {
                out_of_use.push((list, handle.size_bytes));
                context.ddi(ddi::RecycleDestroyCommandList { context: of.0, device: of.1, command_list: list });
            }
            None => {
                context.ddi(ddi::DestroyCommandList { context: of.0, device: of.1, command_list: list });
                device.d3d11.handles.release(list, handle.size_bytes);
            }
        }
    }
    record.holds
}

/// The end of a context: its handles are closed, its lists out of use destroyed, what it holds let go of.
pub(crate) fn destroy_context(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
) {
    let ended = std::mem::take(state);
    let mut state = ended;
    super::held::close_all(context, &mut state);
    if let Some(facts) = state.facts.clone().filter(|facts| facts.immediate != state.id && state.tokens.is_none()) {
        context.ddi(ddi::DestroyDevice { context: state.id, device: state.device_handle });
        for (list, size_bytes) in device.d3d11.returned.remove(&state.id.0).unwrap_or_default().concat() {
            destroy_unused_list(context, device, (facts.immediate, facts.device_handle), (list, size_bytes));
        }
    }
    for (id, held) in &state.held {
        if held.pinned {
            unpin(context, device, objects, *id);
        }
    }
    for id in &state.let_go {
        unpin(context, device, objects, *id);
    }
    for id in state.kept.keys() {
        device.d3d11.kept_states.remove(id);
    }
}

fn destroy_unused_list(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    (of, device_handle): (taut_schemas::D3d11ContextId, DriverHandle),
    (list, size_bytes): (DriverHandle, u64),
) {
    context.ddi(ddi::DestroyCommandList { context: of, device: device_handle, command_list: list });
    device.d3d11.handles.release(list, size_bytes);
}

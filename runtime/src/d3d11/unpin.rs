//! Reference counting of objects: the last holder to drop its pin destroys the object (rules H-03 and H-13).

use super::context_state::ContextState;
use super::held::destroy_handle;
use super::memory;
use super::open::find;
use crate::context::Context;
use crate::state::{D3d11Kind, D3d11Object, D3d11Resource, DeviceFacts, DeviceState, Objects};
use std::sync::Arc;
use taut_schemas::{D3d11ResourceId, DriverHandle, ObjectId, d3d11_context_ddi as ddi, d3d11_ddi};

/// Drops a pin of an object, and the object's own pins of others if it ends. Lists nest to any depth, so pins to drop
/// are queued in a list instead of on the call stack.
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

/// Destroys an object without references and pins, together with its immediate-context handle.
pub(crate) fn destroy(context: &mut Context<'_>, device: &mut DeviceState, objects: &mut dyn Objects, id: ObjectId) {
    let mut waiting = Vec::new();
    end(context, device, objects, id, &mut waiting);
    while let Some(held) = waiting.pop() {
        unpin(context, device, objects, held);
    }
}

/// Destroys an object; the objects it pinned are pushed to `waiting`, in reverse order because `waiting` is a stack.
fn end(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    id: ObjectId,
    waiting: &mut Vec<ObjectId>,
) {
    let Some(object) = find(objects, id).cloned() else { return };
    objects.remove(id);
    // The object is removed from the table first, so that objects which end with it do not find it.
    match (&object.kind, &object.handle) {
        (D3d11Kind::Resource(resource), None) => {
            destroy_plain_resource(context, device, D3d11ResourceId(id.0), resource);
        }
        (D3d11Kind::CommandList(_), _) => waiting.extend(end_list(context, device, id, &object).into_iter().rev()),
        // A context releases the bindings of an ended state object at its next Flush.
        (D3d11Kind::ContextState, _) => {
            if let Some(ended) = device.d3d11.stored_states.get_mut(&id) {
                *ended = true;
            }
        }
        (kind, Some(handle)) => {
            let known = device.d3d11.devices.get(&object.device.0).map(|(facts, _)| Arc::clone(facts));
            if let Some(facts) = known {
                destroy_handle(context, kind, facts.immediate, facts.device_handle, handle.address);
            }
            device.d3d11.handles.release(handle.address, handle.size_bytes);
            // Released after the driver's destroy call, which may access the memory.
            match kind {
                D3d11Kind::Resource(_) => free_memory(device, id),
                D3d11Kind::State(_) => device.d3d11.states.retain(|_, state| ObjectId::from(*state) != id),
                D3d11Kind::View(view) => {
                    device.d3d11.view_resources.remove(&id);
                    // Rule H-09: the view's handle is destroyed before the resource's.
                    waiting.push(view.resource.into());
                }
                _ => {}
            }
        }
        _ => {}
    }
    uncount_object(context, device, &object);
}

fn free_memory(device: &mut DeviceState, id: ObjectId) {
    if let Some(memory) = device.d3d11_memory.remove(id.0) {
        device.memory.release(memory.address, memory.layout.size_bytes);
    }
}

/// Decrements the device's object count; a released device is destroyed with its last object.
pub(crate) fn uncount_object(context: &mut Context<'_>, device: &mut DeviceState, object: &D3d11Object) {
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
    // A mapped resource may be released, so its open maps of shared memory are closed here.
    (0..resource.maps).for_each(|_| memory::unmap_memory(device, resource.memory));
    // The driver gets DestroyResource of a resource with memory of its own when that memory is freed.
    if resource.memory != id {
        context.ddi(d3d11_ddi::DestroyResource { resource: id });
    }
    if resource.memory != D3d11ResourceId::NULL {
        memory::drop_user(context, device, resource.memory);
    }
}

/// Marks a command list as unused, so that the context that created it can recycle it; if that context is gone,
/// destroys the list (rule H-54). Returns the objects whose pins are to be dropped.
fn end_list(context: &mut Context<'_>, device: &mut DeviceState, id: ObjectId, object: &D3d11Object) -> Vec<ObjectId> {
    let Some(record) = device.d3d11.lists.remove(&id) else { return Vec::new() };
    let known = device.d3d11.devices.get(&object.device.0).map(|(facts, _)| Arc::clone(facts));
    if let (Some(facts), Some(handle)) = (known, &object.handle) {
        let (of, list) = ((facts.immediate, facts.device_handle), handle.address);
        match device.d3d11.returned.get_mut(&record.recorder.0) {
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

/// Destroys a context: closes its handles, destroys its unused lists, and drops its pins.
pub(crate) fn destroy_context(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    state: &mut ContextState,
    objects: &mut dyn Objects,
) {
    // The context is taken out of its slot first: a call on its id then finds an absent context.
    let ended = std::mem::take(state);
    let mut state = ended;
    super::held::close_all(context, &mut state);
    // The immediate context's DestroyDevice is the device's own, and comes with its last object.
    if let Some(facts) =
        state.facts.clone().filter(|facts| facts.immediate != state.id && state.deferred_commands.is_none())
    {
        context.ddi(ddi::DestroyDevice { context: state.id, device: state.device_handle });
        for (list, size_bytes) in device.d3d11.returned.remove(&state.id.0).unwrap_or_default().concat() {
            destroy_unused_list(context, device, &facts, list, size_bytes);
        }
    }
    for (id, held) in &state.held {
        if held.pinned {
            unpin(context, device, objects, *id);
        }
    }
    for id in &state.abandoned_objects {
        unpin(context, device, objects, *id);
    }
    for id in state.stored_bindings.keys() {
        device.d3d11.stored_states.remove(id);
    }
}

fn destroy_unused_list(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    facts: &DeviceFacts,
    list: DriverHandle,
    size_bytes: u64,
) {
    let (of, device_handle) = (facts.immediate, facts.device_handle);
    context.ddi(ddi::DestroyCommandList { context: of, device: device_handle, command_list: list });
    device.d3d11.handles.release(list, size_bytes);
}

//! Release of the last reference to resources and heaps.
//!
//! A placed resource keeps its heap's memory alive, not the heap's handle: once the heap's reference count is 0, its
//! handle is dead, but the memory and the driver's heap live until the last resource placed in it is released. The
//! driver then destroys the resource first and the heap after it. Release works on a removed device, as in Direct3D.
//! The runtime updates its own state before it calls the driver, so that a panic in the driver leaves the memory state
//! consistent.

use crate::context::{Context, no_such_object};
use crate::state::{DeviceState, ObjectKind, Objects, ResourcePlacement};
use taut_schemas::{Dimension, HResult, HResultCode, ObjectId, d3d12, d3d12_ddi};

/// IUnknown::Release of a resource's last reference. The resource may still be mapped.
pub(crate) fn release_resource(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::ReleaseResource,
) -> HResult<()> {
    let id = ObjectId::from(call.resource);
    let alive = objects.get(id).is_some_and(|object| object.as_resource().is_some());
    let Some(ObjectKind::Resource(resource)) = alive.then(|| objects.remove(id)).flatten().map(|object| object.kind)
    else {
        return no_such_object(context, "resource", id);
    };
    let destroy = d3d12_ddi::DestroyHeapAndResource { resource: call.resource, ..Default::default() };
    context.destroy(destroy, || {
        if resource.desc.dimension == Dimension::BUFFER {
            // Addresses of released buffers must not be found by later bindings.
            device.buffers.remove(call.resource, resource.address);
        }
        match resource.home {
            ResourcePlacement::Committed | ResourcePlacement::Reserved => {
                device.memory.release(resource.address, resource.size_bytes)
            }
            ResourcePlacement::Placed(heap) => {
                if let Some(record) = device.heaps.get_mut(heap.0) {
                    record.placed -= 1;
                }
            }
        }
    });
    if let ResourcePlacement::Placed(heap) = resource.home {
        device.destroy_heap_if_unused(context, heap);
    }
    Ok(())
}

/// IUnknown::Release of a heap's last reference.
pub(crate) fn release_heap(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::ReleaseHeap,
) -> HResult<()> {
    let id = ObjectId::from(call.heap);
    if objects.get(id).is_none_or(|object| object.as_heap().is_none()) || objects.remove(id).is_none() {
        return no_such_object(context, "heap", id);
    }
    let Some(record) = device.heaps.get_mut(call.heap.0) else { return Err(HResultCode::E_HANDLE) };
    record.released = true;
    device.destroy_heap_if_unused(context, call.heap);
    Ok(())
}

//! The final Release of resources and heaps.
//!
//! A placed resource holds its heap's memory, not the heap: once the heap's public reference count is 0 its handle is
//! dead, but its memory, and the driver's heap, live until the last resource placed in it goes. The driver is then
//! told of the resource first and of the heap after it. Releasing works on a removed device, as it does in Direct3D. The
//! driver is told last: if it panics, what the runtime keeps of the memory is whole.

use crate::context::{Context, no_such};
use crate::state::{DeviceState, Home, ObjectKind, Objects};
use taut_schemas::{Dimension, HResult, HResultCode, ObjectId, d3d12, d3d12_ddi};

/// IUnknown::Release of a resource, to 0. It may still be mapped.
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
        return no_such(context, "resource", id);
    };
    let destroy = d3d12_ddi::DestroyHeapAndResource { resource: call.resource, ..Default::default() };
    context.destroy(destroy, || {
        if resource.desc.dimension == Dimension::BUFFER {
            device.buffers.remove(call.resource, resource.address);
        }
        match resource.home {
            Home::Committed | Home::Reserved => device.memory.release(resource.address, resource.size_bytes),
            Home::Placed(heap) => {
                if let Some(record) = device.heaps.get_mut(heap.0) {
                    record.placed -= 1;
                }
            }
        }
    });
    if let Home::Placed(heap) = resource.home {
        device.destroy_heap_if_unused(context, heap);
    }
    Ok(())
}

/// IUnknown::Release of a heap, to 0.
pub(crate) fn release_heap(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::ReleaseHeap,
) -> HResult<()> {
    let id = ObjectId::from(call.heap);
    if objects.get(id).is_none_or(|object| object.as_heap().is_none()) || objects.remove(id).is_none() {
        return no_such(context, "heap", id);
    }
    let Some(record) = device.heaps.get_mut(call.heap.0) else { return Err(HResultCode::E_HANDLE) };
    record.released = true;
    device.destroy_heap_if_unused(context, call.heap);
    Ok(())
}

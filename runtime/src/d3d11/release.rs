//! The final Release of Direct3D 11 resources and devices.
//!
//! Memory to which a staging texture is bound outlives the texture it was created for. A device's resources outlive its
//! handle: they hold the device, and can only be released.

use super::map::unmap_memory;
use super::memory;
use crate::context::Context;
use crate::d3d12::device::DeviceState;
use crate::d3d12::no_such;
use crate::objects::{ObjectKind, Objects};
use taut_schemas::{D3d11ResourceId, HResult, ObjectId, d3d11, d3d11_ddi};

/// IUnknown::Release of a resource, to 0. It may still be mapped.
pub(crate) fn release_resource(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::ReleaseResource,
) -> HResult<()> {
    let id = ObjectId::from(call.resource);
    let alive = objects.get(id).is_some_and(|object| object.as_d3d11_resource().is_some());
    let Some(ObjectKind::D3d11Resource(resource)) =
        alive.then(|| objects.remove(id)).flatten().map(|object| object.kind)
    else {
        return no_such(context, "Direct3D 11 resource", id);
    };
    resource.mapped.iter().for_each(|_| unmap_memory(device, resource.memory));
    // The driver hears of a resource with memory of its own when that memory goes.
    if resource.memory != call.resource {
        context.ddi(d3d11_ddi::DestroyResource { resource: call.resource });
    }
    if resource.memory != D3d11ResourceId::NULL {
        memory::leave(context, device, resource.memory);
    }
    Ok(())
}

/// IUnknown::Release of a device, to 0.
pub(crate) fn release_device(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d11::ReleaseDevice,
) -> HResult<()> {
    let id = ObjectId::from(call.device);
    let alive = objects.get_mut(id).is_some_and(|object| object.as_d3d11_device_mut().is_some());
    match alive.then(|| objects.remove(id)).flatten() {
        Some(_) => Ok(()),
        None => no_such(context, "Direct3D 11 device", id),
    }
}

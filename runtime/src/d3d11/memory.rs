//! Who uses a resource's memory.

use crate::context::Context;
use crate::state::DeviceState;
use taut_schemas::{D3d11ResourceId, d3d11_ddi};

/// One more staging texture is bound to the memory of `resource`.
pub(crate) fn share(device: &mut DeviceState, resource: D3d11ResourceId) {
    if let Some(memory) = device.d3d11_memory.get_mut(resource.0) {
        memory.users += 1;
    }
}

/// One map of the memory of `resource` is opened.
pub(crate) fn map_memory(device: &mut DeviceState, resource: D3d11ResourceId) {
    if let Some(memory) = device.d3d11_memory.get_mut(resource.0) {
        memory.maps += 1;
    }
}

/// One map of the memory of `resource` is closed.
pub(crate) fn unmap_memory(device: &mut DeviceState, resource: D3d11ResourceId) {
    if let Some(memory) = device.d3d11_memory.get_mut(resource.0) {
        memory.maps = memory.maps.saturating_sub(1);
    }
}

/// One user of the memory of `resource` is gone; with the last, the memory goes, and the driver is told.
pub(crate) fn leave(context: &mut Context<'_>, device: &mut DeviceState, resource: D3d11ResourceId) {
    let Some(memory) = device.d3d11_memory.get_mut(resource.0) else { return };
    memory.users -= 1;
    if memory.users == 0
        && let Some(memory) = device.d3d11_memory.remove(resource.0)
    {
        context.ddi(d3d11_ddi::DestroyResource { resource });
        device.memory.release(memory.address, memory.layout.size_bytes);
    }
}

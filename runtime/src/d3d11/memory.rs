//! Reference counts of resource memory.

use crate::context::Context;
use crate::state::DeviceState;
use taut_schemas::{D3d11ResourceId, d3d11_ddi};

/// Adds a user of the memory of `resource`: a staging texture that is bound to it.
pub(crate) fn share(device: &mut DeviceState, resource: D3d11ResourceId) {
    if let Some(memory) = device.d3d11_memory.get_mut(resource.0) {
        memory.users += 1;
    }
}

/// Counts a map of the memory of `resource`.
pub(crate) fn map_memory(device: &mut DeviceState, resource: D3d11ResourceId) {
    if let Some(memory) = device.d3d11_memory.get_mut(resource.0) {
        memory.maps += 1;
    }
}

/// Counts an unmap of the memory of `resource`.
pub(crate) fn unmap_memory(device: &mut DeviceState, resource: D3d11ResourceId) {
    if let Some(memory) = device.d3d11_memory.get_mut(resource.0) {
        memory.maps = memory.maps.saturating_sub(1);
    }
}

/// Removes a user of the memory of `resource`. With the last user the memory is freed and the driver gets
/// DestroyResource.
pub(crate) fn drop_user(context: &mut Context<'_>, device: &mut DeviceState, resource: D3d11ResourceId) {
    let Some(memory) = device.d3d11_memory.get_mut(resource.0) else { return };
    memory.users -= 1;
    if memory.users == 0
        && let Some(memory) = device.d3d11_memory.remove(resource.0)
    {
        // The driver's resource lives as long as its memory.
        context.ddi(d3d11_ddi::DestroyResource { resource });
        device.memory.release(memory.address, memory.layout.size_bytes);
    }
}

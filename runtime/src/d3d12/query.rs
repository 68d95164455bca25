//! GetDesc and GetGPUVirtualAddress.

use crate::context::{Context, no_such_object};
use crate::state::{Objects, ResourceState};
use taut_schemas::{Dimension, GpuVirtualAddress, HResult, HeapDesc, ResourceDesc, ResourceId, d3d12};

/// ID3D12Resource::GetDesc: as created, with mip levels and alignment resolved (rule A-22).
pub(crate) fn get_desc(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::GetDesc,
) -> HResult<ResourceDesc> {
    Ok(resource(context, objects, call.resource)?.desc)
}

/// ID3D12Heap::GetDesc: as created, with the alignment resolved.
pub(crate) fn get_heap_desc(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::GetHeapDesc,
) -> HResult<HeapDesc> {
    match objects.get(call.heap.into()).and_then(|object| object.as_heap()) {
        Some(heap) => Ok(*heap),
        None => no_such_object(context, "heap", call.heap.into()),
    }
}

/// ID3D12Resource::GetGPUVirtualAddress: a buffer's address; 0 for textures.
pub(crate) fn get_gpu_virtual_address(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::GetGPUVirtualAddress,
) -> HResult<GpuVirtualAddress> {
    let resource = resource(context, objects, call.resource)?;
    Ok(GpuVirtualAddress(if resource.desc.dimension == Dimension::BUFFER { resource.address } else { 0 }))
}

/// The state of a live resource.
pub(crate) fn resource<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    id: ResourceId,
) -> HResult<&'o ResourceState> {
    match objects.get(id.into()).and_then(|object| object.as_resource()) {
        Some(resource) => Ok(resource),
        None => no_such_object(context, "resource", id.into()),
    }
}

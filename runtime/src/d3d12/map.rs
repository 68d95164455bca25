//! Map and Unmap, counted per subresource.

use super::effects::region_of;
use crate::context::{Context, no_such_object};
use crate::memory::space::AddressSpace;
use crate::state::{Objects, ResourceState};
use std::fmt;
use taut_schemas::{
    CopyBox, CpuAddress, Dimension, HResult, HResultCode, MemoryRange, MessageId, MessageSeverity, ObjectId,
    ResourceId, d3d12,
};

/// Message ids of Map and Unmap for the same errors.
struct MapMessages {
    heap: MessageId,
    subresource: MessageId,
    range: MessageId,
}

const MAP: MapMessages = MapMessages {
    heap: MessageId::MAP_INVALIDHEAP,
    subresource: MessageId::MAP_INVALIDSUBRESOURCE,
    range: MessageId::MAP_INVALIDRANGE,
};

const UNMAP: MapMessages = MapMessages {
    heap: MessageId::UNMAP_INVALIDHEAP,
    subresource: MessageId::UNMAP_INVALIDSUBRESOURCE,
    range: MessageId::UNMAP_INVALIDRANGE,
};

/// ID3D12Resource::Map. The address is the same each time. A texture that is not row-major has no address (Direct3D
/// requires ppData to be NULL then).
pub(crate) fn map(context: &mut Context<'_>, objects: &mut dyn Objects, call: &d3d12::Map) -> HResult<CpuAddress> {
    let resource = checked(
        context,
        objects,
        MapTarget { resource: call.resource, subresource: call.subresource, range: call.read_range.as_ref() },
        &MAP,
    )?;
    match resource.maps.iter_mut().find(|(mapped, _)| *mapped == call.subresource) {
        Some((_, count)) => *count = count.saturating_add(1),
        None => resource.maps.push((call.subresource, 1)),
    }
    Ok(CpuAddress(if resource.is_linear() { AddressSpace::cpu_address(resource.address) } else { 0 }))
}

/// ID3D12Resource::Unmap. The API call returns nothing; the result here is an error if the debug layer reports one.
pub(crate) fn unmap(context: &mut Context<'_>, objects: &mut dyn Objects, call: &d3d12::Unmap) -> HResult<()> {
    let id = call.resource;
    let resource = checked(
        context,
        objects,
        MapTarget { resource: id, subresource: call.subresource, range: call.written_range.as_ref() },
        &UNMAP,
    )?;
    let Some(at) = resource.maps.iter().position(|(mapped, _)| *mapped == call.subresource) else {
        let text = format_args!("Subresource {} of resource {} is not mapped.", call.subresource, id.0);
        return refuse(context, MessageId::RESOURCE_UNMAP_NOTMAPPED, id, text);
    };
    match &mut resource.maps[at].1 {
        1 => drop(resource.maps.swap_remove(at)),
        count => *count -= 1,
    }
    Ok(())
}

/// ID3D12Resource::WriteToSubresource. The bytes are no part of the runtime.
pub(crate) fn write_to_subresource(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::WriteToSubresource,
) -> HResult<()> {
    check_box(context, objects, call.resource, call.subresource, call.dst_box.as_ref())
}

/// ID3D12Resource::ReadFromSubresource. The bytes are no part of the runtime.
pub(crate) fn read_from_subresource(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::ReadFromSubresource,
) -> HResult<()> {
    check_box(context, objects, call.resource, call.subresource, call.src_box.as_ref())
}

/// Checks a box of a subresource that the processor reads or writes.
fn check_box(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    id: ResourceId,
    subresource: u32,
    copied: Option<&CopyBox>,
) -> HResult<()> {
    let resource = checked(context, objects, MapTarget { resource: id, subresource, range: None }, &MAP)?;
    let is_in = match (copied, region_of(resource, subresource)) {
        (Some(copied), Some(region)) => region.within(copied).is_some(),
        (None, Some(_)) => true,
        // A buffer has one row.
        (Some(copied), None) => copied.left <= copied.right && u64::from(copied.right) <= resource.desc.width,
        (None, None) => resource.desc.dimension == Dimension::BUFFER,
    };
    if is_in {
        return Ok(());
    }
    let text = format_args!("Subresource {subresource} of resource {} does not contain the box.", id.0);
    refuse(context, MAP.subresource, id, text)
}

/// Subresource and range of a map or unmap call.
struct MapTarget<'r> {
    resource: ResourceId,
    subresource: u32,
    range: Option<&'r MemoryRange>,
}

fn checked<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    target: MapTarget<'_>,
    messages: &MapMessages,
) -> HResult<&'o mut ResourceState> {
    let MapTarget { resource: id, subresource, range } = target;
    let Some(resource) = objects.get_mut(id.into()).and_then(|object| object.as_resource_mut()) else {
        return no_such_object(context, "resource", id.into());
    };
    if !resource.mappable {
        let text = format_args!("Resource {} lies in memory that the processor cannot reach.", id.0);
        return refuse(context, messages.heap, id, text);
    }
    let count = resource.subresources;
    if subresource >= count {
        let text = format_args!("Resource {} has {count} subresources; there is no {subresource}.", id.0);
        return refuse(context, messages.subresource, id, text);
    }
    // Ranges of buffers end at the width, not at the allocation's size.
    let end = if resource.desc.dimension == Dimension::BUFFER { resource.desc.width } else { resource.size_bytes };
    match range {
        Some(range) if range.begin > range.end || range.end > end => {
            let text = format_args!("Range {} to {} is not within 0 to {end}.", range.begin, range.end);
            refuse(context, messages.range, id, text)
        }
        _ => Ok(resource),
    }
}

fn refuse<T>(
    context: &mut Context<'_>,
    message_id: MessageId,
    id: ResourceId,
    description: fmt::Arguments<'_>,
) -> HResult<T> {
    context.message(MessageSeverity::ERROR, message_id, ObjectId::from(id), description);
    Err(HResultCode::E_INVALIDARG)
}

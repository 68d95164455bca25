//! Map and Unmap: counted per subresource.

use crate::context::{Context, no_such};
use crate::memory::space::AddressSpace;
use crate::state::{Objects, ResourceState};
use std::fmt;
use taut_schemas::{
    CpuAddress, Dimension, HResult, HResultCode, MemoryRange, MessageId, MessageSeverity, ObjectId, ResourceId, d3d12,
};

/// What Map and Unmap say of the same mistakes.
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

/// ID3D12Resource::Map. The address is the same each time; a texture that is not row-major has none to give (its
/// pointer must be NULL in Direct3D).
pub(crate) fn map(context: &mut Context<'_>, objects: &mut dyn Objects, call: &d3d12::Map) -> HResult<CpuAddress> {
    let resource = checked(context, objects, (call.resource, call.subresource, call.read_range.as_ref()), &MAP)?;
    match resource.maps.iter_mut().find(|(mapped, _)| *mapped == call.subresource) {
        Some((_, count)) => *count = count.saturating_add(1),
        None => resource.maps.push((call.subresource, 1)),
    }
    Ok(CpuAddress(if resource.is_linear() { AddressSpace::cpu_address(resource.address) } else { 0 }))
}

/// ID3D12Resource::Unmap. Direct3D's returns nothing; here it says whether the debug layer had to complain.
pub(crate) fn unmap(context: &mut Context<'_>, objects: &mut dyn Objects, call: &d3d12::Unmap) -> HResult<()> {
    let id = call.resource;
    let resource = checked(context, objects, (id, call.subresource, call.written_range.as_ref()), &UNMAP)?;
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

fn checked<'o>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    (id, subresource, range): (ResourceId, u32, Option<&MemoryRange>),
    messages: &MapMessages,
) -> HResult<&'o mut ResourceState> {
    let Some(resource) = objects.get_mut(id.into()).and_then(|object| object.as_resource_mut()) else {
        return no_such(context, "resource", id.into());
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

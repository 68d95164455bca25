//! Heap descriptions: of heaps, and of the implicit heaps of committed resources (rule A-05).

use super::invalid;
use crate::context::Context;
use crate::d3d12::translate;
use crate::driver::caps::Caps;
use crate::placement::{KIB_64, MIB_4};
use crate::state::Adapter;
use taut_schemas::{CpuPageProperty, HResult, HeapDesc, HeapFlags, HeapProperties, HeapType, MemoryPool, MessageId};

/// All bits of D3D12_HEAP_FLAGS (d3d12.h); other bits are invalid.
const KNOWN: u32 = 0x3fed;

const DENY: HeapFlags =
    HeapFlags(HeapFlags::DENY_BUFFERS.0 | HeapFlags::DENY_RT_DS_TEXTURES.0 | HeapFlags::DENY_NON_RT_DS_TEXTURES.0);

/// Message ids of heap errors, which differ between CreateHeap and CreateCommittedResource.
struct HeapMessages {
    heap_type: MessageId,
    cpu_page_property: MessageId,
    memory_pool: MessageId,
    properties: MessageId,
    unsupported_type: MessageId,
    unrecognized_flags: MessageId,
    flags: MessageId,
}

const CREATE_HEAP: HeapMessages = HeapMessages {
    heap_type: MessageId::CREATEHEAP_UNRECOGNIZEDHEAPTYPE,
    cpu_page_property: MessageId::CREATEHEAP_UNRECOGNIZEDCPUPAGEPROPERTIES,
    memory_pool: MessageId::CREATEHEAP_UNRECOGNIZEDMEMORYPOOL,
    properties: MessageId::CREATEHEAP_INVALIDPROPERTIES,
    unsupported_type: MessageId::CREATEHEAP_INVALIDHEAPTYPE,
    unrecognized_flags: MessageId::CREATEHEAP_UNRECOGNIZEDMISCFLAGS,
    flags: MessageId::CREATEHEAP_INVALIDMISCFLAGS,
};

const CREATE_COMMITTED: HeapMessages = HeapMessages {
    heap_type: MessageId::CREATERESOURCEANDHEAP_UNRECOGNIZEDHEAPTYPE,
    cpu_page_property: MessageId::CREATERESOURCEANDHEAP_UNRECOGNIZEDCPUPAGEPROPERTIES,
    memory_pool: MessageId::CREATERESOURCEANDHEAP_UNRECOGNIZEDMEMORYPOOL,
    properties: MessageId::CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES,
    unsupported_type: MessageId::CREATERESOURCEANDHEAP_INVALIDHEAPTYPE,
    unrecognized_flags: MessageId::CREATERESOURCEANDHEAP_UNRECOGNIZEDHEAPMISCFLAGS,
    flags: MessageId::CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS,
};

/// Validates a heap's description.
pub(crate) fn check_heap(
    context: &mut Context<'_>,
    adapter: &Adapter,
    desc: &HeapDesc,
    protected_session: bool,
) -> HResult<()> {
    if desc.size_bytes == 0 {
        let text = format_args!("SizeInBytes is 0; expected at least 1.");
        return invalid(context, MessageId::CREATEHEAP_INVALIDSIZE, text);
    }
    // Rule A-20: tight alignment changes nothing about the alignment of heaps.
    if ![0, KIB_64, MIB_4].contains(&desc.alignment_bytes) {
        let text = format_args!("Alignment is {}; expected 0, {KIB_64} or {MIB_4}.", desc.alignment_bytes);
        return invalid(context, MessageId::CREATEHEAP_INVALIDALIGNMENT, text);
    }
    check_properties(context, &adapter.caps, &desc.properties, &CREATE_HEAP)?;
    check_flags(context, &adapter.caps, desc.flags, &desc.properties, protected_session, &CREATE_HEAP)?;
    let refused = if desc.flags.contains(HeapFlags::ALLOW_DISPLAY) {
        Some("a heap without a resource cannot be displayed")
    } else if desc.flags.contains(DENY) {
        Some("it denies everything")
    } else if adapter.caps.resource_heap_tier < 2 && (desc.flags.0 & DENY.0).count_ones() != 2 {
        // In tier 1 a heap must deny two of the three kinds (d3d12.h: D3D12_RESOURCE_HEAP_TIER_1).
        Some("with resource heap tier 1, a heap takes one kind of resource")
    } else {
        None
    };
    refused.map_or(Ok(()), |why| refuse_flags(context, desc.flags, why, &CREATE_HEAP))
}

/// Validates the implicit heap of a committed resource. `displayable`: the resource could be a back buffer.
pub(crate) fn check_implicit_heap(
    context: &mut Context<'_>,
    adapter: &Adapter,
    properties: &HeapProperties,
    flags: HeapFlags,
    protected_session: bool,
    displayable: bool,
) -> HResult<()> {
    check_properties(context, &adapter.caps, properties, &CREATE_COMMITTED)?;
    check_flags(context, &adapter.caps, flags, properties, protected_session, &CREATE_COMMITTED)?;
    let refused = if flags.intersects(DENY) {
        Some("what the heap takes follows from its resource, so no DENY flag may be set")
    } else if flags.contains(HeapFlags::ALLOW_DISPLAY) && !(displayable && properties.heap_type == HeapType::DEFAULT) {
        Some("the resource cannot be displayed")
    } else {
        None
    };
    refused.map_or(Ok(()), |why| refuse_flags(context, flags, why, &CREATE_COMMITTED))
}

fn check_properties(
    context: &mut Context<'_>,
    caps: &Caps,
    properties: &HeapProperties,
    messages: &HeapMessages,
) -> HResult<()> {
    let HeapProperties { heap_type, cpu_page_property, memory_pool, .. } = *properties;
    if !(HeapType::DEFAULT.0..=HeapType::GPU_UPLOAD.0).contains(&heap_type.0) {
        return invalid(context, messages.heap_type, format_args!("Heap type {} is none.", heap_type.0));
    }
    if cpu_page_property.0 > CpuPageProperty::WRITE_BACK.0 {
        let text = format_args!("CPUPageProperty {} is none.", cpu_page_property.0);
        return invalid(context, messages.cpu_page_property, text);
    }
    if memory_pool.0 > MemoryPool::L1.0 {
        return invalid(context, messages.memory_pool, format_args!("Memory pool {} is none.", memory_pool.0));
    }
    if heap_type == HeapType::GPU_UPLOAD && !caps.gpu_upload_heaps {
        return invalid(context, messages.unsupported_type, format_args!("The adapter has no GPU_UPLOAD heaps."));
    }
    if let Some(why) = contradiction(caps, properties) {
        let text = format_args!("Heap type {heap_type:?}, {cpu_page_property:?}, pool {memory_pool:?}: {why}.");
        return invalid(context, messages.properties, text);
    }
    Ok(())
}

fn contradiction(caps: &Caps, properties: &HeapProperties) -> Option<&'static str> {
    let HeapProperties { heap_type, cpu_page_property, memory_pool, creation_node_mask, visible_node_mask } =
        *properties;
    let custom = heap_type == HeapType::CUSTOM;
    let (no_page, no_pool) = (cpu_page_property == CpuPageProperty::UNKNOWN, memory_pool == MemoryPool::UNKNOWN);
    if custom && (no_page || no_pool) {
        Some("a custom heap names both page property and memory pool")
    } else if !(custom || no_page && no_pool) {
        Some("only a custom heap names page property and memory pool")
    } else if custom && memory_pool == MemoryPool::L1 && caps.uma {
        Some("an adapter of unified memory has no pool L1")
    } else if custom
        && memory_pool == MemoryPool::L1
        && cpu_page_property != CpuPageProperty::NOT_AVAILABLE
        && !caps.gpu_upload_heaps
    {
        Some("the processor cannot reach pool L1 without GPU upload heaps")
    } else if creation_node_mask > 1 || visible_node_mask > 1 {
        Some("the adapter has one node")
    } else {
        None
    }
}

fn check_flags(
    context: &mut Context<'_>,
    caps: &Caps,
    flags: HeapFlags,
    properties: &HeapProperties,
    protected_session: bool,
    messages: &HeapMessages,
) -> HResult<()> {
    let unknown = flags.0 & !KNOWN;
    if unknown != 0 {
        let text = format_args!("Heap flags 0x{:x} have bits 0x{unknown:x}, which are none.", flags.0);
        return invalid(context, messages.unrecognized_flags, text);
    }
    if flags == HeapFlags::NONE && !protected_session {
        return Ok(());
    }
    let shared = flags.contains(HeapFlags::SHARED);
    let protected = flags.contains(HeapFlags::HARDWARE_PROTECTED) || protected_session;
    let refused = if flags.contains(HeapFlags::SHARED_CROSS_ADAPTER) && !shared {
        Some("SHARED_CROSS_ADAPTER needs SHARED")
    } else if shared && translate::is_mappable(properties) {
        Some("memory that the processor reaches cannot be shared")
    } else if protected && caps.protected_resource_session_support == 0 {
        Some("the adapter has no protected resource sessions")
    } else {
        None
    };
    refused.map_or(Ok(()), |why| refuse_flags(context, flags, why, messages))
}

fn refuse_flags(context: &mut Context<'_>, flags: HeapFlags, why: &str, messages: &HeapMessages) -> HResult<()> {
    invalid(context, messages.flags, format_args!("Heap flags 0x{:x}: {why}.", flags.0))
}

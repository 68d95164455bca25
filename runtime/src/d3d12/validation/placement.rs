//! Validation of a resource's heap and offset (rule A-05).

use super::{Plan, invalid};
use crate::context::Context;
use crate::d3d12::answer::Answer;
use crate::placement::{MIB_4, ResourceClass};
use crate::state::Adapter;
use taut_schemas::{
    HResult, HResultCode, HeapDesc, HeapFlags, HeapProperties, HeapType, MessageId, MessageSeverity, ObjectId,
    ResourceFlags,
};

const ID: MessageId = MessageId::CREATERESOURCEANDHEAP_INVALID_PARAMETERS;

/// Validates that an upload or readback heap contains neither a texture nor a buffer with unordered access.
pub(crate) fn check_heap_type(context: &mut Context<'_>, plan: &Plan, properties: &HeapProperties) -> HResult<()> {
    let heap_type = properties.heap_type;
    if !matches!(heap_type, HeapType::UPLOAD | HeapType::READBACK) {
        return Ok(());
    }
    if plan.class != ResourceClass::Buffer {
        return invalid(context, ID, format_args!("A heap of type {heap_type:?} takes buffers, not textures."));
    }
    if plan.desc.flags.contains(ResourceFlags::ALLOW_UNORDERED_ACCESS) {
        let text = format_args!("A buffer in a heap of type {heap_type:?} cannot allow unordered access.");
        return invalid(context, MessageId::CREATERESOURCE_INVALIDMISCFLAGS, text);
    }
    Ok(())
}

// D3D12_RESOURCE_STATES (d3d12.h).
const COPY_DEST: u32 = 0x400;
const RESOLVE_DEST: u32 = 0x1000;
const RESOLVE_SOURCE: u32 = 0x2000;
const GENERIC_READ: u32 = 0xac3;

/// Validates the initial state of a resource in an upload or readback heap, whose state cannot change (d3d12.h:
/// D3D12_HEAP_TYPE). `state` is `None` for calls that have a layout in its place.
///
/// # Errors
/// E_INVALIDARG without enhanced barriers; with them the resource is created and the message remains.
pub(crate) fn check_initial_state(
    context: &mut Context<'_>,
    adapter: &Adapter,
    properties: &HeapProperties,
    state: Option<u32>,
) -> HResult<()> {
    let (required, name, other) = match properties.heap_type {
        HeapType::UPLOAD => (GENERIC_READ, "GENERIC_READ (0xac3)", RESOLVE_SOURCE),
        HeapType::READBACK => (COPY_DEST, "COPY_DEST (0x400)", RESOLVE_DEST),
        _ => return Ok(()),
    };
    let Some(found) = state.filter(|state| ![required, other].contains(state)) else { return Ok(()) };
    let heap_type = properties.heap_type;
    context.message(
        MessageSeverity::ERROR,
        MessageId::RESOURCE_BARRIER_INVALID_HEAP,
        ObjectId::NULL,
        format_args!("A resource in a heap of type {heap_type:?} has the initial state {name}, found 0x{found:x}."),
    );
    if adapter.caps.enhanced_barriers { Ok(()) } else { Err(HResultCode::E_INVALIDARG) }
}

/// Validates that the heap's flags, alignment and type allow resources of this kind.
pub(crate) fn check_heap_kind(context: &mut Context<'_>, plan: &Plan, heap: &HeapDesc) -> HResult<()> {
    let (denied, kind) = match plan.class {
        ResourceClass::Buffer => (HeapFlags::DENY_BUFFERS, "buffers"),
        _ if plan.shape.render_target_or_depth_stencil => {
            (HeapFlags::DENY_RT_DS_TEXTURES, "render-target and depth-stencil textures")
        }
        _ => (HeapFlags::DENY_NON_RT_DS_TEXTURES, "textures that are neither render target nor depth-stencil"),
    };
    if heap.flags.intersects(denied) {
        let id = MessageId::CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES;
        return invalid(context, id, format_args!("The heap's flags 0x{:x} deny {kind}.", heap.flags.0));
    }
    if plan.class == ResourceClass::Msaa && heap.alignment_bytes < MIB_4 {
        let alignment = heap.alignment_bytes;
        let text = format_args!("The heap's alignment is {alignment}; one that holds MSAA textures has {MIB_4}.");
        return invalid(context, ID, text);
    }
    check_heap_type(context, plan, &heap.properties)
}

/// Validates that the resource fits in the heap at this offset.
pub(crate) fn check_offset(
    context: &mut Context<'_>,
    answer: &Answer,
    heap: &HeapDesc,
    heap_offset_bytes: u64,
) -> HResult<()> {
    let Answer { size_bytes, alignment_bytes, .. } = *answer;
    if !heap_offset_bytes.is_multiple_of(alignment_bytes) {
        let text = format_args!(
            "HeapOffset {heap_offset_bytes} is not a multiple of the resource's alignment {alignment_bytes}."
        );
        return invalid(context, ID, text);
    }
    let heap_size = heap.size_bytes;
    match heap_offset_bytes.checked_add(size_bytes) {
        Some(end) if end <= heap_size => Ok(()),
        _ => {
            let text = format_args!(
                "HeapOffset {heap_offset_bytes} + size {size_bytes} is beyond the heap's size {heap_size}."
            );
            invalid(context, ID, text)
        }
    }
}

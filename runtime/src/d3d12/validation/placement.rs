//! Whether a resource may lie in a heap, and where (rule A-05).

use super::{Plan, invalid};
use crate::context::Context;
use crate::d3d12::answer::Answer;
use crate::placement::{MIB_4, ResourceClass};
use taut_schemas::{HResult, HeapDesc, HeapFlags, HeapProperties, HeapType, MessageId, ResourceFlags};

const ID: MessageId = MessageId::CREATERESOURCEANDHEAP_INVALID_PARAMETERS;

/// What upload and readback heaps cannot hold: textures, and buffers that the GPU writes at will.
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

/// Whether the heap takes resources of this kind.
pub(crate) fn check_heap_kind(context: &mut Context<'_>, plan: &Plan, heap: &HeapDesc) -> HResult<()> {
    let (denied, kind) = match plan.class {
        ResourceClass::Buffer => (HeapFlags::DENY_BUFFERS, "buffers"),
        _ if plan.shape.render_target_or_depth_stencil => {
            (HeapFlags::DENY_RT_DS_TEXTURES, "render-target and depth-stencil textures")
        }
        _ => (HeapFlags::DENY_NON_RT_DS_TEXTURES, "textures that are neither render target nor depth-stencil"),
    };
    if heap.flags.intersects(denied) {
        return invalid(context, ID, format_args!("The heap's flags 0x{:x} deny {kind}.", heap.flags.0));
    }
    if plan.class == ResourceClass::Msaa && heap.alignment_bytes < MIB_4 {
        let alignment = heap.alignment_bytes;
        let text = format_args!("The heap's alignment is {alignment}; one that holds MSAA textures has {MIB_4}.");
        return invalid(context, ID, text);
    }
    check_heap_type(context, plan, &heap.properties)
}

/// Whether the resource fits at this offset.
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

//! Calls of command lists that record their arguments, some with effects on memory, and change nothing else. The API calls
//! return nothing; the results here are errors where the debug layer reports one. A list with a refused command fails to
//! close.

use super::command_list::recording;
use super::effects::{self, Effects, NoEffect};
use crate::context::{Context, no_such_object};
use crate::revision::Revision;
use crate::state::{CommandList, DeviceState, Objects};
use std::sync::Arc;
use taut_schemas::{Call, CommandListId, HResult, HResultCode, ObjectId, d3d12};

/// The list, if it is open. Objects that the call names have to exist.
fn record<'o, C: Call>(
    context: &mut Context<'_>,
    objects: &'o mut dyn Objects,
    id: CommandListId,
    call: &C,
) -> HResult<&'o mut CommandList> {
    let mut missing = ObjectId::NULL;
    call.visit_objects(&mut |object| {
        if missing == ObjectId::NULL && objects.get(object).is_none() {
            missing = object;
        }
    });
    let list = recording(context, objects, id)?;
    if missing != ObjectId::NULL {
        list.failed = true;
        return no_such_object(context, "object", missing);
    }
    Ok(list)
}

/// Adds a command's effects to its list. A refused command is reported, and makes the list fail to close; builds before
/// revision 4 ignored it.
fn add(
    context: &mut Context<'_>,
    list: &mut CommandList,
    id: CommandListId,
    method: &str,
    found: Effects,
) -> HResult<()> {
    match found {
        Ok(effects) => {
            if !effects.is_empty() {
                Arc::make_mut(&mut list.effects).extend(effects);
            }
            Ok(())
        }
        Err(NoEffect::Refused(reason)) if context.settings.revision >= Revision::COMMAND_BOUNDS => {
            list.failed = true;
            let text = format_args!("Command list {}: {method}: {reason}.", id.0);
            context.refuse(HResultCode::E_INVALIDARG, id, text)
        }
        Err(_) => Ok(()),
    }
}

macro_rules! recorded {
    ($( $function:ident $Call:ident $(=> $effects:path)? $(, |$list:ident, $call:ident| $effect:expr)?; )*) => { $(
        #[doc = concat!("ID3D12GraphicsCommandList::", stringify!($Call), ".")]
        pub(crate) fn $function(
            context: &mut Context<'_>,
            objects: &mut dyn Objects,
            call: &d3d12::$Call,
        ) -> HResult<()> {
            let found = { Effects::Ok(Vec::new()) $( .and_then(|_| $effects(objects, call)) )? };
            let list = record(context, objects, call.command_list, call)?;
            add(context, list, call.command_list, stringify!($Call), found)?;
            $( { let ($list, $call) = (&mut *list, call); $effect } )?
            let _ = list;
            Ok(())
        }
    )* };
}

recorded! {
    ia_set_primitive_topology IASetPrimitiveTopology;
    ia_set_index_buffer IASetIndexBuffer;
    ia_set_vertex_buffers IASetVertexBuffers;
    so_set_targets SOSetTargets;
    rs_set_viewports RSSetViewports;
    rs_set_scissor_rects RSSetScissorRects;
    om_set_blend_factor OMSetBlendFactor;
    om_set_stencil_ref OMSetStencilRef;
    om_set_render_targets OMSetRenderTargets;
    set_descriptor_heaps SetDescriptorHeaps;
    set_compute_root_signature SetComputeRootSignature,
        |list, call| list.compute_root_signature = call.root_signature;
    set_graphics_root_signature SetGraphicsRootSignature,
        |list, call| list.graphics_root_signature = call.root_signature;
    set_compute_root_descriptor_table SetComputeRootDescriptorTable;
    set_graphics_root_descriptor_table SetGraphicsRootDescriptorTable;
    set_compute_root32_bit_constant SetComputeRoot32BitConstant;
    set_graphics_root32_bit_constant SetGraphicsRoot32BitConstant;
    set_compute_root_constant_buffer_view SetComputeRootConstantBufferView;
    set_graphics_root_constant_buffer_view SetGraphicsRootConstantBufferView;
    set_compute_root_shader_resource_view SetComputeRootShaderResourceView;
    set_graphics_root_shader_resource_view SetGraphicsRootShaderResourceView;
    set_compute_root_unordered_access_view SetComputeRootUnorderedAccessView;
    set_graphics_root_unordered_access_view SetGraphicsRootUnorderedAccessView;
    set_predication SetPredication;
    copy_buffer_region CopyBufferRegion => effects::copy_buffer_region;
    copy_texture_region CopyTextureRegion => effects::copy_texture_region;
    copy_resource CopyResource => effects::copy_resource;
    copy_tiles CopyTiles => effects::copy_tiles;
    resolve_subresource ResolveSubresource => effects::resolve_subresource;
    resource_barrier ResourceBarrier;
    execute_bundle ExecuteBundle => effects::execute_bundle;
    clear_depth_stencil_view ClearDepthStencilView => effects::clear_depth_stencil_view;
    clear_render_target_view ClearRenderTargetView => effects::clear_render_target_view;
    clear_unordered_access_view_uint ClearUnorderedAccessViewUint => effects::clear_unordered_access_view_uint;
    clear_unordered_access_view_float ClearUnorderedAccessViewFloat => effects::clear_unordered_access_view_float;
    discard_resource DiscardResource;
    begin_query BeginQuery;
    end_query EndQuery => effects::end_query;
    resolve_query_data ResolveQueryData => effects::resolve_query_data;
    set_marker SetMarker;
    begin_event BeginEvent;
    end_event EndEvent;
    execute_indirect ExecuteIndirect;
    atomic_copy_buffer_uint AtomicCopyBufferUINT => effects::atomic_copy_buffer_uint;
    atomic_copy_buffer_uint64 AtomicCopyBufferUINT64 => effects::atomic_copy_buffer_uint64;
    om_set_depth_bounds OMSetDepthBounds;
    set_sample_positions SetSamplePositions;
    resolve_subresource_region ResolveSubresourceRegion => effects::resolve_subresource_region;
    set_view_instance_mask SetViewInstanceMask;
}

/// ID3D12GraphicsCommandList2::WriteBufferImmediate.
pub(crate) fn write_buffer_immediate(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::WriteBufferImmediate,
) -> HResult<()> {
    let found = effects::write_buffer_immediate(&device.memory, call);
    let list = record(context, objects, call.command_list, call)?;
    add(context, list, call.command_list, "WriteBufferImmediate", found)
}

/// A command with an invalid argument, which a front end refuses.
pub(crate) fn invalid_command(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::InvalidCommand,
) -> HResult<()> {
    let list = recording(context, objects, call.command_list)?;
    list.failed = true;
    let (id, method) = (call.command_list, &call.method);
    let text =
        format_args!("Command list {}: {method} has an invalid argument, NULL or a count beyond the limit.", id.0);
    context.refuse(HResultCode::E_INVALIDARG, id, text)
}

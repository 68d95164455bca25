//! Calls of command lists that record their arguments and change nothing else. The API calls return nothing; the results
//! here are errors where the debug layer reports one. A list with a refused command fails to close.

use super::command_list::recording;
use crate::context::{Context, no_such_object};
use crate::state::{CommandList, Objects};
use taut_schemas::{Call, CommandListId, HResult, ObjectId, d3d12};

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

macro_rules! recorded {
    ($( $function:ident $Call:ident $(, |$list:ident, $call:ident| $effect:expr)?; )*) => { $(
        #[doc = concat!("ID3D12GraphicsCommandList::", stringify!($Call), ".")]
        pub(crate) fn $function(
            context: &mut Context<'_>,
            objects: &mut dyn Objects,
            call: &d3d12::$Call,
        ) -> HResult<()> {
            let list = record(context, objects, call.command_list, call)?;
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
    copy_buffer_region CopyBufferRegion;
    copy_texture_region CopyTextureRegion;
    copy_resource CopyResource;
    copy_tiles CopyTiles;
    resolve_subresource ResolveSubresource;
    resource_barrier ResourceBarrier;
    execute_bundle ExecuteBundle;
    clear_depth_stencil_view ClearDepthStencilView;
    clear_render_target_view ClearRenderTargetView;
    clear_unordered_access_view_uint ClearUnorderedAccessViewUint;
    clear_unordered_access_view_float ClearUnorderedAccessViewFloat;
    discard_resource DiscardResource;
    begin_query BeginQuery;
    end_query EndQuery;
    resolve_query_data ResolveQueryData;
    set_marker SetMarker;
    begin_event BeginEvent;
    end_event EndEvent;
    execute_indirect ExecuteIndirect;
}

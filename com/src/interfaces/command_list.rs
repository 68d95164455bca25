//! d3d12.h, command lists. Written by tools/interfaces.py.

use super::define::interface;
use super::{ID3D12DeviceChild, ID3D12DeviceChildTable};
use crate::unsafe_abi::{
    CopyBox, CpuDescriptor, DiscardRegion, GpuDescriptor, Hresult, ImmediateParameter, In, IndexBufferView, Interface,
    Rect, ResourceBarrier, SamplePosition, StreamOutputBufferView, SubresourceBytes, TextureCopyLocation,
    TileRegionSize, TiledCoordinate, VertexBufferView, Viewport, Words,
};

interface! {
    /// ID3D12CommandList.
    ID3D12CommandList / ID3D12CommandListTable: ID3D12DeviceChild / ID3D12DeviceChildTable = 0x7116d91c_e7e4_47ce_b8c6_ec8168f437e5 {
        8 get_type GetType() -> u32;
    }
}

interface! {
    /// ID3D12GraphicsCommandList.
    ID3D12GraphicsCommandList / ID3D12GraphicsCommandListTable: ID3D12CommandList / ID3D12CommandListTable = 0x5b160d0f_ac1b_4185_8ba8_b3ae42a5a455 {
        9 close Close() -> Hresult;
        10 reset Reset(p_allocator: Interface, p_initial_state: Interface) -> Hresult;
        11 clear_state ClearState(p_pipeline_state: Interface) -> ();
        12 draw_instanced DrawInstanced(vertex_count_per_instance: u32, instance_count: u32, start_vertex_location: u32, start_instance_location: u32) -> ();
        13 draw_indexed_instanced DrawIndexedInstanced(index_count_per_instance: u32, instance_count: u32, start_index_location: u32, base_vertex_location: i32, start_instance_location: u32) -> ();
        14 dispatch Dispatch(thread_group_count_x: u32, thread_group_count_y: u32, thread_group_count_z: u32) -> ();
        15 copy_buffer_region CopyBufferRegion(p_dst_buffer: Interface, dst_offset: u64, p_src_buffer: Interface, src_offset: u64, num_bytes: u64) -> ();
        16 copy_texture_region CopyTextureRegion(p_dst: In<TextureCopyLocation>, dst_x: u32, dst_y: u32, dst_z: u32, p_src: In<TextureCopyLocation>, p_src_box: In<CopyBox>) -> ();
        17 copy_resource CopyResource(p_dst_resource: Interface, p_src_resource: Interface) -> ();
        18 copy_tiles CopyTiles(p_tiled_resource: Interface, p_tile_region_start_coordinate: In<TiledCoordinate>, p_tile_region_size: In<TileRegionSize>, p_buffer: Interface, buffer_start_offset_in_bytes: u64, flags: u32) -> ();
        19 resolve_subresource ResolveSubresource(p_dst_resource: Interface, dst_subresource: u32, p_src_resource: Interface, src_subresource: u32, format: u32) -> ();
        20 ia_set_primitive_topology IASetPrimitiveTopology(primitive_topology: u32) -> ();
        21 rs_set_viewports RSSetViewports(num_viewports: u32, p_viewports: In<Viewport>) -> ();
        22 rs_set_scissor_rects RSSetScissorRects(num_rects: u32, p_rects: In<Rect>) -> ();
        23 om_set_blend_factor OMSetBlendFactor(blend_factor: In<Words>) -> ();
        24 om_set_stencil_ref OMSetStencilRef(stencil_ref: u32) -> ();
        25 set_pipeline_state SetPipelineState(p_pipeline_state: Interface) -> ();
        26 resource_barrier ResourceBarrier(num_barriers: u32, p_barriers: In<ResourceBarrier>) -> ();
        27 execute_bundle ExecuteBundle(p_command_list: Interface) -> ();
        28 set_descriptor_heaps SetDescriptorHeaps(num_descriptor_heaps: u32, pp_descriptor_heaps: In<Interface>) -> ();
        29 set_compute_root_signature SetComputeRootSignature(p_root_signature: Interface) -> ();
        30 set_graphics_root_signature SetGraphicsRootSignature(p_root_signature: Interface) -> ();
        31 set_compute_root_descriptor_table SetComputeRootDescriptorTable(root_parameter_index: u32, base_descriptor: GpuDescriptor) -> ();
        32 set_graphics_root_descriptor_table SetGraphicsRootDescriptorTable(root_parameter_index: u32, base_descriptor: GpuDescriptor) -> ();
        33 set_compute_root_32_bit_constant SetComputeRoot32BitConstant(root_parameter_index: u32, src_data: u32, dest_offset_in_32_bit_values: u32) -> ();
        34 set_graphics_root_32_bit_constant SetGraphicsRoot32BitConstant(root_parameter_index: u32, src_data: u32, dest_offset_in_32_bit_values: u32) -> ();
        35 set_compute_root_32_bit_constants SetComputeRoot32BitConstants(root_parameter_index: u32, num_32_bit_values_to_set: u32, p_src_data: In<u8>, dest_offset_in_32_bit_values: u32) -> ();
        36 set_graphics_root_32_bit_constants SetGraphicsRoot32BitConstants(root_parameter_index: u32, num_32_bit_values_to_set: u32, p_src_data: In<u8>, dest_offset_in_32_bit_values: u32) -> ();
        37 set_compute_root_constant_buffer_view SetComputeRootConstantBufferView(root_parameter_index: u32, buffer_location: u64) -> ();
        38 set_graphics_root_constant_buffer_view SetGraphicsRootConstantBufferView(root_parameter_index: u32, buffer_location: u64) -> ();
        39 set_compute_root_shader_resource_view SetComputeRootShaderResourceView(root_parameter_index: u32, buffer_location: u64) -> ();
        40 set_graphics_root_shader_resource_view SetGraphicsRootShaderResourceView(root_parameter_index: u32, buffer_location: u64) -> ();
        41 set_compute_root_unordered_access_view SetComputeRootUnorderedAccessView(root_parameter_index: u32, buffer_location: u64) -> ();
        42 set_graphics_root_unordered_access_view SetGraphicsRootUnorderedAccessView(root_parameter_index: u32, buffer_location: u64) -> ();
        43 ia_set_index_buffer IASetIndexBuffer(p_view: In<IndexBufferView>) -> ();
        44 ia_set_vertex_buffers IASetVertexBuffers(start_slot: u32, num_views: u32, p_views: In<VertexBufferView>) -> ();
        45 so_set_targets SOSetTargets(start_slot: u32, num_views: u32, p_views: In<StreamOutputBufferView>) -> ();
        46 om_set_render_targets OMSetRenderTargets(num_render_target_descriptors: u32, p_render_target_descriptors: In<CpuDescriptor>, r_ts_single_handle_to_descriptor_range: u32, p_depth_stencil_descriptor: In<CpuDescriptor>) -> ();
        47 clear_depth_stencil_view ClearDepthStencilView(depth_stencil_view: CpuDescriptor, clear_flags: u32, depth: f32, stencil: u8, num_rects: u32, p_rects: In<Rect>) -> ();
        48 clear_render_target_view ClearRenderTargetView(render_target_view: CpuDescriptor, color_rgba: In<Words>, num_rects: u32, p_rects: In<Rect>) -> ();
        49 clear_unordered_access_view_uint ClearUnorderedAccessViewUint(view_gpu_handle_in_current_heap: GpuDescriptor, view_cpu_handle: CpuDescriptor, p_resource: Interface, values: In<Words>, num_rects: u32, p_rects: In<Rect>) -> ();
        50 clear_unordered_access_view_float ClearUnorderedAccessViewFloat(view_gpu_handle_in_current_heap: GpuDescriptor, view_cpu_handle: CpuDescriptor, p_resource: Interface, values: In<Words>, num_rects: u32, p_rects: In<Rect>) -> ();
        51 discard_resource DiscardResource(p_resource: Interface, p_region: In<DiscardRegion>) -> ();
        52 begin_query BeginQuery(p_query_heap: Interface, kind: u32, index: u32) -> ();
        53 end_query EndQuery(p_query_heap: Interface, kind: u32, index: u32) -> ();
        54 resolve_query_data ResolveQueryData(p_query_heap: Interface, kind: u32, start_index: u32, num_queries: u32, p_destination_buffer: Interface, aligned_destination_buffer_offset: u64) -> ();
        55 set_predication SetPredication(p_buffer: Interface, aligned_buffer_offset: u64, operation: u32) -> ();
        56 set_marker SetMarker(metadata: u32, p_data: In<u8>, size: u32) -> ();
        57 begin_event BeginEvent(metadata: u32, p_data: In<u8>, size: u32) -> ();
        58 end_event EndEvent() -> ();
        59 execute_indirect ExecuteIndirect(p_command_signature: Interface, max_command_count: u32, p_argument_buffer: Interface, argument_buffer_offset: u64, p_count_buffer: Interface, count_buffer_offset: u64) -> ();
    }
}

interface! {
    /// ID3D12GraphicsCommandList1.
    ID3D12GraphicsCommandList1 / ID3D12GraphicsCommandList1Table: ID3D12GraphicsCommandList / ID3D12GraphicsCommandListTable = 0x553103fb_1fe7_4557_bb38_946d7d0e7ca7 {
        60 atomic_copy_buffer_uint AtomicCopyBufferUINT(p_dst_buffer: Interface, dst_offset: u64, p_src_buffer: Interface, src_offset: u64, dependencies: u32, pp_dependent_resources: In<Interface>, p_dependent_subresource_ranges: In<SubresourceBytes>) -> ();
        61 atomic_copy_buffer_uint64 AtomicCopyBufferUINT64(p_dst_buffer: Interface, dst_offset: u64, p_src_buffer: Interface, src_offset: u64, dependencies: u32, pp_dependent_resources: In<Interface>, p_dependent_subresource_ranges: In<SubresourceBytes>) -> ();
        62 om_set_depth_bounds OMSetDepthBounds(min: f32, max: f32) -> ();
        63 set_sample_positions SetSamplePositions(num_samples_per_pixel: u32, num_pixels: u32, p_sample_positions: In<SamplePosition>) -> ();
        64 resolve_subresource_region ResolveSubresourceRegion(p_dst_resource: Interface, dst_subresource: u32, dst_x: u32, dst_y: u32, p_src_resource: Interface, src_subresource: u32, p_src_rect: In<Rect>, format: u32, resolve_mode: u32) -> ();
        65 set_view_instance_mask SetViewInstanceMask(mask: u32) -> ();
    }
}

interface! {
    /// ID3D12GraphicsCommandList2.
    ID3D12GraphicsCommandList2 / ID3D12GraphicsCommandList2Table: ID3D12GraphicsCommandList1 / ID3D12GraphicsCommandList1Table = 0x38c3e585_ff17_412c_9150_4fc6f9d72a28 {
        66 write_buffer_immediate WriteBufferImmediate(count: u32, p_params: In<ImmediateParameter>, p_modes: In<u32>) -> ();
    }
}

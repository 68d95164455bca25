//! d3d12.h, ID3D12Device to ID3D12Device3. Written by tools/interfaces.py.

use super::define::interface;
use super::{ID3D12Object, ID3D12ObjectTable};
use crate::unsafe_abi::{
    AllocationInfo, ClearValue, CommandQueueDesc, CommandSignatureDesc, ComputePipelineHead, ConstantBufferViewDesc,
    CpuDescriptor, DepthStencilViewDesc, DescriptorHeapDesc, EventFd, GraphicsPipelineHead, Guid, HeapDesc,
    HeapProperties, Hresult, In, Interface, Luid, Opaque, Out, OutPointer, PackedMipInfo, PipelineStreamDesc,
    PlacedFootprint, QueryHeapDesc, RenderTargetViewDesc, ResourceDesc, SamplerDesc, ShaderResourceViewDesc,
    SubresourceTiling, TileShape, UnorderedAccessViewDesc, WideText,
};

interface! {
    /// ID3D12Device.
    ID3D12Device / ID3D12DeviceTable: ID3D12Object / ID3D12ObjectTable = 0x189819f1_1db6_4b57_be54_1821339b85f7 {
        7 get_node_count GetNodeCount() -> u32;
        8 create_command_queue CreateCommandQueue(p_desc: In<CommandQueueDesc>, riid: In<Guid>, pp_command_queue: OutPointer) -> Hresult;
        9 create_command_allocator CreateCommandAllocator(kind: u32, riid: In<Guid>, pp_command_allocator: OutPointer) -> Hresult;
        10 create_graphics_pipeline_state CreateGraphicsPipelineState(p_desc: In<GraphicsPipelineHead>, riid: In<Guid>, pp_pipeline_state: OutPointer) -> Hresult;
        11 create_compute_pipeline_state CreateComputePipelineState(p_desc: In<ComputePipelineHead>, riid: In<Guid>, pp_pipeline_state: OutPointer) -> Hresult;
        12 create_command_list CreateCommandList(node_mask: u32, kind: u32, p_command_allocator: Interface, p_initial_state: Interface, riid: In<Guid>, pp_command_list: OutPointer) -> Hresult;
        13 check_feature_support CheckFeatureSupport(feature: u32, p_feature_support_data: Out<u8>, feature_support_data_size: u32) -> Hresult;
        14 create_descriptor_heap CreateDescriptorHeap(p_descriptor_heap_desc: In<DescriptorHeapDesc>, riid: In<Guid>, ppv_heap: OutPointer) -> Hresult;
        15 get_descriptor_handle_increment_size GetDescriptorHandleIncrementSize(descriptor_heap_type: u32) -> u32;
        16 create_root_signature CreateRootSignature(node_mask: u32, p_blob_with_root_signature: In<u8>, blob_length_in_bytes: usize, riid: In<Guid>, ppv_root_signature: OutPointer) -> Hresult;
        17 create_constant_buffer_view CreateConstantBufferView(p_desc: In<ConstantBufferViewDesc>, dest_descriptor: CpuDescriptor) -> ();
        18 create_shader_resource_view CreateShaderResourceView(p_resource: Interface, p_desc: In<ShaderResourceViewDesc>, dest_descriptor: CpuDescriptor) -> ();
        19 create_unordered_access_view CreateUnorderedAccessView(p_resource: Interface, p_counter_resource: Interface, p_desc: In<UnorderedAccessViewDesc>, dest_descriptor: CpuDescriptor) -> ();
        20 create_render_target_view CreateRenderTargetView(p_resource: Interface, p_desc: In<RenderTargetViewDesc>, dest_descriptor: CpuDescriptor) -> ();
        21 create_depth_stencil_view CreateDepthStencilView(p_resource: Interface, p_desc: In<DepthStencilViewDesc>, dest_descriptor: CpuDescriptor) -> ();
        22 create_sampler CreateSampler(p_desc: In<SamplerDesc>, dest_descriptor: CpuDescriptor) -> ();
        23 copy_descriptors CopyDescriptors(num_dest_descriptor_ranges: u32, p_dest_descriptor_range_starts: In<CpuDescriptor>, p_dest_descriptor_range_sizes: In<u32>, num_src_descriptor_ranges: u32, p_src_descriptor_range_starts: In<CpuDescriptor>, p_src_descriptor_range_sizes: In<u32>, descriptor_heaps_type: u32) -> ();
        24 copy_descriptors_simple CopyDescriptorsSimple(num_descriptors: u32, dest_descriptor_range_start: CpuDescriptor, src_descriptor_range_start: CpuDescriptor, descriptor_heaps_type: u32) -> ();
        25 get_resource_allocation_info GetResourceAllocationInfo(visible_mask: u32, num_resource_descs: u32, p_resource_descs: In<ResourceDesc>) => AllocationInfo;
        26 get_custom_heap_properties GetCustomHeapProperties(node_mask: u32, heap_type: u32) => HeapProperties;
        27 create_committed_resource CreateCommittedResource(p_heap_properties: In<HeapProperties>, heap_flags: u32, p_desc: In<ResourceDesc>, initial_resource_state: u32, p_optimized_clear_value: In<ClearValue>, riid_resource: In<Guid>, ppv_resource: OutPointer) -> Hresult;
        28 create_heap CreateHeap(p_desc: In<HeapDesc>, riid: In<Guid>, ppv_heap: OutPointer) -> Hresult;
        29 create_placed_resource CreatePlacedResource(p_heap: Interface, heap_offset: u64, p_desc: In<ResourceDesc>, initial_state: u32, p_optimized_clear_value: In<ClearValue>, riid: In<Guid>, ppv_resource: OutPointer) -> Hresult;
        30 create_reserved_resource CreateReservedResource(p_desc: In<ResourceDesc>, initial_state: u32, p_optimized_clear_value: In<ClearValue>, riid: In<Guid>, ppv_resource: OutPointer) -> Hresult;
        31 create_shared_handle CreateSharedHandle(p_object: Interface, p_attributes: Opaque, access: u32, name: WideText, p_handle: Out<EventFd>) -> Hresult;
        32 open_shared_handle OpenSharedHandle(nt_handle: EventFd, riid: In<Guid>, ppv_obj: OutPointer) -> Hresult;
        33 open_shared_handle_by_name OpenSharedHandleByName(name: WideText, access: u32, p_nt_handle: Out<EventFd>) -> Hresult;
        34 make_resident MakeResident(num_objects: u32, pp_objects: In<Interface>) -> Hresult;
        35 evict Evict(num_objects: u32, pp_objects: In<Interface>) -> Hresult;
        36 create_fence CreateFence(initial_value: u64, flags: u32, riid: In<Guid>, pp_fence: OutPointer) -> Hresult;
        37 get_device_removed_reason GetDeviceRemovedReason() -> Hresult;
        38 get_copyable_footprints GetCopyableFootprints(p_resource_desc: In<ResourceDesc>, first_subresource: u32, num_subresources: u32, base_offset: u64, p_layouts: Out<PlacedFootprint>, p_num_rows: Out<u32>, p_row_size_in_bytes: Out<u64>, p_total_bytes: Out<u64>) -> ();
        39 create_query_heap CreateQueryHeap(p_desc: In<QueryHeapDesc>, riid: In<Guid>, ppv_heap: OutPointer) -> Hresult;
        40 set_stable_power_state SetStablePowerState(enable: u32) -> Hresult;
        41 create_command_signature CreateCommandSignature(p_desc: In<CommandSignatureDesc>, p_root_signature: Interface, riid: In<Guid>, ppv_command_signature: OutPointer) -> Hresult;
        42 get_resource_tiling GetResourceTiling(p_tiled_resource: Interface, p_num_tiles_for_entire_resource: Out<u32>, p_packed_mip_desc: Out<PackedMipInfo>, p_standard_tile_shape_for_non_packed_mips: Out<TileShape>, p_num_subresource_tilings: Out<u32>, first_subresource_tiling_to_get: u32, p_subresource_tilings_for_non_packed_mips: Out<SubresourceTiling>) -> ();
        43 get_adapter_luid GetAdapterLuid() => Luid;
    }
}

interface! {
    /// ID3D12Device1.
    ID3D12Device1 / ID3D12Device1Table: ID3D12Device / ID3D12DeviceTable = 0x77acce80_638e_4e65_8895_c1f23386863e {
        44 create_pipeline_library CreatePipelineLibrary(p_library_blob: In<u8>, blob_length: usize, riid: In<Guid>, pp_pipeline_library: OutPointer) -> Hresult;
        45 set_event_on_multiple_fence_completion SetEventOnMultipleFenceCompletion(pp_fences: In<Interface>, p_fence_values: In<u64>, num_fences: u32, flags: u32, h_event: EventFd) -> Hresult;
        46 set_residency_priority SetResidencyPriority(num_objects: u32, pp_objects: In<Interface>, p_priorities: In<u32>) -> Hresult;
    }
}

interface! {
    /// ID3D12Device2.
    ID3D12Device2 / ID3D12Device2Table: ID3D12Device1 / ID3D12Device1Table = 0x30baa41e_b15b_475c_a0bb_1af5c5b64328 {
        47 create_pipeline_state CreatePipelineState(p_desc: In<PipelineStreamDesc>, riid: In<Guid>, pp_pipeline_state: OutPointer) -> Hresult;
    }
}

interface! {
    /// ID3D12Device3.
    ID3D12Device3 / ID3D12Device3Table: ID3D12Device2 / ID3D12Device2Table = 0x81dadc15_2bad_4392_93c5_101345c4aa98 {
        48 open_existing_heap_from_address OpenExistingHeapFromAddress(p_address: In<u8>, riid: In<Guid>, ppv_heap: OutPointer) -> Hresult;
        49 open_existing_heap_from_file_mapping OpenExistingHeapFromFileMapping(h_file_mapping: EventFd, riid: In<Guid>, ppv_heap: OutPointer) -> Hresult;
        50 enqueue_make_resident EnqueueMakeResident(flags: u32, num_objects: u32, pp_objects: In<Interface>, p_fence_to_signal: Interface, fence_value_to_signal: u64) -> Hresult;
    }
}

//! d3d12.h, ID3D12GraphicsCommandList: draws, copies, clears, queries, barriers, markers.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_list_work_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Records a draw with indices. d3d12.h: ID3D12GraphicsCommandList::DrawIndexedInstanced.
            92 DrawIndexedInstanced [objects] = draw_indexed_instanced(
                /// The command list.
                command_list: CommandListId,
                /// IndexCountPerInstance.
                index_count_per_instance: u32 as Count,
                /// InstanceCount.
                instance_count: u32 as Count,
                /// StartIndexLocation.
                start_index_location: u32,
                /// BaseVertexLocation, as the bits of an INT.
                base_vertex_location: u32,
                /// StartInstanceLocation.
                start_instance_location: u32,
            ) -> HResult<()>;

            /// Records a copy between buffers. d3d12.h: ID3D12GraphicsCommandList::CopyBufferRegion.
            93 CopyBufferRegion [objects] = copy_buffer_region(
                /// The command list.
                command_list: CommandListId,
                /// pDstBuffer.
                dst_buffer: ResourceId,
                /// DstOffset, in bytes.
                dst_offset_bytes: u64 as Offset,
                /// pSrcBuffer.
                src_buffer: ResourceId,
                /// SrcOffset, in bytes.
                src_offset_bytes: u64 as Offset,
                /// NumBytes.
                num_bytes: u64 as Size,
            ) -> HResult<()>;

            /// Records a copy of a subresource, or between a subresource and a buffer. d3d12.h:
            /// ID3D12GraphicsCommandList::CopyTextureRegion.
            94 CopyTextureRegion [objects] = copy_texture_region(
                /// The command list.
                command_list: CommandListId,
                /// pDst.
                dst: TextureCopyLocation,
                /// DstX.
                dst_x: u32,
                /// DstY.
                dst_y: u32,
                /// DstZ.
                dst_z: u32,
                /// pSrc.
                src: TextureCopyLocation,
                /// pSrcBox; NULL copies the whole subresource.
                src_box: Option<CopyBox>,
            ) -> HResult<()>;

            /// Records a copy of a resource. d3d12.h: ID3D12GraphicsCommandList::CopyResource.
            95 CopyResource [objects] = copy_resource(
                /// The command list.
                command_list: CommandListId,
                /// pDstResource.
                dst_resource: ResourceId,
                /// pSrcResource.
                src_resource: ResourceId,
            ) -> HResult<()>;

            /// Records a copy between tiles and a buffer. d3d12.h: ID3D12GraphicsCommandList::CopyTiles.
            96 CopyTiles [objects] = copy_tiles(
                /// The command list.
                command_list: CommandListId,
                /// pTiledResource.
                tiled_resource: ResourceId,
                /// pTileRegionStartCoordinate.
                region_start: TiledCoordinate,
                /// pTileRegionSize.
                region_size: TileRegionSize,
                /// pBuffer.
                buffer: ResourceId,
                /// BufferStartOffsetInBytes.
                buffer_start_offset_bytes: u64 as Offset,
                /// Flags, D3D12_TILE_COPY_FLAGS.
                flags: u32 as Flags,
            ) -> HResult<()>;

            /// Records the resolve of a multisampled subresource. d3d12.h:
            /// ID3D12GraphicsCommandList::ResolveSubresource.
            97 ResolveSubresource [objects] = resolve_subresource(
                /// The command list.
                command_list: CommandListId,
                /// pDstResource.
                dst_resource: ResourceId,
                /// DstSubresource.
                dst_subresource: u32 as Count,
                /// pSrcResource.
                src_resource: ResourceId,
                /// SrcSubresource.
                src_subresource: u32 as Count,
                /// Format.
                format: Format,
            ) -> HResult<()>;

            /// Records barriers. d3d12.h: ID3D12GraphicsCommandList::ResourceBarrier.
            98 ResourceBarrier [objects] = resource_barrier(
                /// The command list.
                command_list: CommandListId,
                /// pBarriers.
                barriers: Vec<ResourceBarrierDesc>,
            ) -> HResult<()>;

            /// Records the execution of a bundle. d3d12.h: ID3D12GraphicsCommandList::ExecuteBundle.
            99 ExecuteBundle [objects] = execute_bundle(
                /// The command list.
                command_list: CommandListId,
                /// pCommandList.
                bundle: CommandListId,
            ) -> HResult<()>;

            /// Records the clear of a depth-stencil view. d3d12.h: ID3D12GraphicsCommandList::ClearDepthStencilView.
            100 ClearDepthStencilView [objects] = clear_depth_stencil_view(
                /// The command list.
                command_list: CommandListId,
                /// DepthStencilView.
                depth_stencil_view: CpuDescriptorHandle,
                /// ClearFlags, D3D12_CLEAR_FLAGS.
                clear_flags: u32 as Flags,
                /// Depth, as the bits of a float.
                depth: u32,
                /// Stencil.
                stencil: u8,
                /// pRects.
                rects: Vec<Rect>,
                /// The view in the descriptor at the time of the call; of the null resource if it is not known.
                view: ClearedView,
            ) -> HResult<()>;

            /// Records the clear of a render target view. d3d12.h: ID3D12GraphicsCommandList::ClearRenderTargetView.
            101 ClearRenderTargetView [objects] = clear_render_target_view(
                /// The command list.
                command_list: CommandListId,
                /// RenderTargetView.
                render_target_view: CpuDescriptorHandle,
                /// ColorRGBA.
                color: ClearWords,
                /// pRects.
                rects: Vec<Rect>,
                /// The view in the descriptor at the time of the call; of the null resource if it is not known.
                view: ClearedView,
            ) -> HResult<()>;

            /// Records the clear of an unordered access view. d3d12.h:
            /// ID3D12GraphicsCommandList::ClearUnorderedAccessViewUint.
            102 ClearUnorderedAccessViewUint [objects] = clear_unordered_access_view_uint(
                /// The command list.
                command_list: CommandListId,
                /// ViewGPUHandleInCurrentHeap.
                view_gpu_handle: GpuDescriptorHandle,
                /// ViewCPUHandle.
                view_cpu_handle: CpuDescriptorHandle,
                /// pResource.
                resource: ResourceId,
                /// Values.
                values: ClearWords,
                /// pRects.
                rects: Vec<Rect>,
                /// The view in the descriptor at the time of the call; of the null resource if it is not known.
                view: ClearedView,
            ) -> HResult<()>;

            /// Records the clear of an unordered access view. d3d12.h:
            /// ID3D12GraphicsCommandList::ClearUnorderedAccessViewFloat.
            103 ClearUnorderedAccessViewFloat [objects] = clear_unordered_access_view_float(
                /// The command list.
                command_list: CommandListId,
                /// ViewGPUHandleInCurrentHeap.
                view_gpu_handle: GpuDescriptorHandle,
                /// ViewCPUHandle.
                view_cpu_handle: CpuDescriptorHandle,
                /// pResource.
                resource: ResourceId,
                /// Values.
                values: ClearWords,
                /// pRects.
                rects: Vec<Rect>,
                /// The view in the descriptor at the time of the call; of the null resource if it is not known.
                view: ClearedView,
            ) -> HResult<()>;

            /// Records that contents of a resource are no longer needed. d3d12.h:
            /// ID3D12GraphicsCommandList::DiscardResource.
            104 DiscardResource [objects] = discard_resource(
                /// The command list.
                command_list: CommandListId,
                /// pResource.
                resource: ResourceId,
                /// pRegion, without its rectangles; NULL discards all.
                subresources: Option<SubresourceRange>,
                /// pRegion->pRects.
                rects: Vec<Rect>,
            ) -> HResult<()>;

            /// Records the begin of a query. d3d12.h: ID3D12GraphicsCommandList::BeginQuery.
            105 BeginQuery [objects] = begin_query(
                /// The command list.
                command_list: CommandListId,
                /// pQueryHeap.
                query_heap: QueryHeapId,
                /// Type, a D3D12_QUERY_TYPE.
                query_type: u32,
                /// Index.
                index: u32 as Count,
            ) -> HResult<()>;

            /// Records the end of a query. d3d12.h: ID3D12GraphicsCommandList::EndQuery.
            106 EndQuery [objects] = end_query(
                /// The command list.
                command_list: CommandListId,
                /// pQueryHeap.
                query_heap: QueryHeapId,
                /// Type, a D3D12_QUERY_TYPE.
                query_type: u32,
                /// Index.
                index: u32 as Count,
            ) -> HResult<()>;

            /// Records the copy of query results to a buffer. d3d12.h: ID3D12GraphicsCommandList::ResolveQueryData.
            107 ResolveQueryData [objects] = resolve_query_data(
                /// The command list.
                command_list: CommandListId,
                /// pQueryHeap.
                query_heap: QueryHeapId,
                /// Type, a D3D12_QUERY_TYPE.
                query_type: u32,
                /// StartIndex.
                start_index: u32 as Count,
                /// NumQueries.
                num_queries: u32 as Count,
                /// pDestinationBuffer.
                destination_buffer: ResourceId,
                /// AlignedDestinationBufferOffset, in bytes.
                aligned_destination_buffer_offset_bytes: u64 as Offset,
            ) -> HResult<()>;

            /// Records a marker for tools. d3d12.h: ID3D12GraphicsCommandList::SetMarker.
            108 SetMarker [objects] = set_marker(
                /// The command list.
                command_list: CommandListId,
                /// Metadata.
                metadata: u32,
                /// pData.
                data: Bytes,
            ) -> HResult<()>;

            /// Records the begin of a region for tools. d3d12.h: ID3D12GraphicsCommandList::BeginEvent.
            109 BeginEvent [objects] = begin_event(
                /// The command list.
                command_list: CommandListId,
                /// Metadata.
                metadata: u32,
                /// pData.
                data: Bytes,
            ) -> HResult<()>;

            /// Records the end of a region for tools. d3d12.h: ID3D12GraphicsCommandList::EndEvent.
            110 EndEvent [objects] = end_event(
                /// The command list.
                command_list: CommandListId,
            ) -> HResult<()>;

            /// Records commands whose arguments are in a buffer. d3d12.h: ID3D12GraphicsCommandList::ExecuteIndirect.
            111 ExecuteIndirect [objects] = execute_indirect(
                /// The command list.
                command_list: CommandListId,
                /// pCommandSignature.
                command_signature: CommandSignatureId,
                /// MaxCommandCount.
                max_command_count: u32 as Count,
                /// pArgumentBuffer.
                argument_buffer: ResourceId,
                /// ArgumentBufferOffset, in bytes.
                argument_buffer_offset_bytes: u64 as Offset,
                /// pCountBuffer; may be NULL.
                count_buffer: ResourceId,
                /// CountBufferOffset, in bytes.
                count_buffer_offset_bytes: u64 as Offset,
            ) -> HResult<()>;

            /// Frees the memory of an allocator's commands, for which no list may be recording. d3d12.h:
            /// ID3D12CommandAllocator::Reset.
            112 ResetCommandAllocator [objects] = reset_command_allocator(
                /// The command allocator.
                command_allocator: CommandAllocatorId,
            ) -> HResult<()>;

            /// Records a command with an invalid argument: NULL or an object of another kind where one is required, or a
            /// count beyond the limit. The list fails to close.
            135 InvalidCommand [objects] = invalid_command(
                /// The command list.
                command_list: CommandListId,
                /// Name of the method.
                method: String,
            ) -> HResult<()>;
        }
    };
}

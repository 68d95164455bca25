//! d3d12.h, ID3D12GraphicsCommandList1 and ID3D12GraphicsCommandList2.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_later_list_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Records an indivisible copy of 32 bits, after the writes of other resources. d3d12.h:
            /// ID3D12GraphicsCommandList1::AtomicCopyBufferUINT.
            138 AtomicCopyBufferUINT [objects] = atomic_copy_buffer_uint(
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
                /// ppDependentResources: resources whose writes precede the copy.
                dependent_resources: Vec<ResourceId>,
                /// pDependentSubresourceRanges.
                dependent_ranges: Vec<SubresourceBytes>,
            ) -> HResult<()>;

            /// Records an indivisible copy of 64 bits, after the writes of other resources. d3d12.h:
            /// ID3D12GraphicsCommandList1::AtomicCopyBufferUINT64.
            139 AtomicCopyBufferUINT64 [objects] = atomic_copy_buffer_uint64(
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
                /// ppDependentResources: resources whose writes precede the copy.
                dependent_resources: Vec<ResourceId>,
                /// pDependentSubresourceRanges.
                dependent_ranges: Vec<SubresourceBytes>,
            ) -> HResult<()>;

            /// Sets the bounds of the depth bounds test. d3d12.h: ID3D12GraphicsCommandList1::OMSetDepthBounds.
            140 OMSetDepthBounds [objects] = om_set_depth_bounds(
                /// The command list.
                command_list: CommandListId,
                /// Min, as the bits of a float.
                min: u32,
                /// Max, as the bits of a float.
                max: u32,
            ) -> HResult<()>;

            /// Sets the positions of samples in their pixels. d3d12.h: ID3D12GraphicsCommandList1::SetSamplePositions.
            141 SetSamplePositions [objects] = set_sample_positions(
                /// The command list.
                command_list: CommandListId,
                /// NumSamplesPerPixel; 0 resets the positions.
                num_samples_per_pixel: u32 as Count,
                /// NumPixels.
                num_pixels: u32 as Count,
                /// pSamplePositions.
                sample_positions: Vec<SamplePosition>,
            ) -> HResult<()>;

            /// Records the resolve of a part of a multisampled subresource. d3d12.h:
            /// ID3D12GraphicsCommandList1::ResolveSubresourceRegion.
            142 ResolveSubresourceRegion [objects] = resolve_subresource_region(
                /// The command list.
                command_list: CommandListId,
                /// pDstResource.
                dst_resource: ResourceId,
                /// DstSubresource.
                dst_subresource: u32 as Count,
                /// DstX.
                dst_x: u32,
                /// DstY.
                dst_y: u32,
                /// pSrcResource.
                src_resource: ResourceId,
                /// SrcSubresource.
                src_subresource: u32 as Count,
                /// pSrcRect; NULL resolves the whole subresource.
                src_rect: Option<Rect>,
                /// Format.
                format: Format,
                /// ResolveMode, a D3D12_RESOLVE_MODE.
                resolve_mode: u32,
            ) -> HResult<()>;

            /// Sets the mask of view instances. d3d12.h: ID3D12GraphicsCommandList1::SetViewInstanceMask.
            143 SetViewInstanceMask [objects] = set_view_instance_mask(
                /// The command list.
                command_list: CommandListId,
                /// Mask.
                mask: u32 as Flags,
            ) -> HResult<()>;

            /// Records writes of 32-bit values to addresses of the GPU. The addresses have to be in memory of the adapter.
            /// d3d12.h: ID3D12GraphicsCommandList2::WriteBufferImmediate.
            144 WriteBufferImmediate [device, objects] = write_buffer_immediate(
                /// The command list.
                command_list: CommandListId,
                /// pParams.
                params: Vec<WriteBufferImmediateParameter>,
                /// pModes, each a D3D12_WRITEBUFFERIMMEDIATE_MODE; empty for NULL, which is DEFAULT for all.
                modes: Vec<u32>,
            ) -> HResult<()>;
        }
    };
}

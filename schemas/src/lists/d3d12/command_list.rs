//! d3d12.h, ID3D12GraphicsCommandList and its allocator; the video decoder's list.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_command_list_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates an allocator of command-list memory. d3d12.h: ID3D12Device::CreateCommandAllocator.
            38 CreateCommandAllocator [device, objects] creates CommandAllocatorId = create_command_allocator(
                /// The creating device.
                device: DeviceId,
                /// type.
                list_type: CommandListType,
            ) -> HResult<CommandAllocatorId>;

            /// Releases the last reference to a command allocator. unknwn.h: IUnknown::Release.
            39 ReleaseCommandAllocator [objects] = release_command_allocator(
                /// The command allocator.
                command_allocator: CommandAllocatorId,
            ) -> HResult<()>;

            /// Creates a command list in the recording state. d3d12.h: ID3D12Device::CreateCommandList.
            40 CreateCommandList [device, objects] creates CommandListId = create_command_list(
                /// The creating device.
                device: DeviceId,
                /// nodeMask.
                node_mask: u32 as Flags,
                /// type.
                list_type: CommandListType,
                /// pCommandAllocator.
                command_allocator: CommandAllocatorId,
                /// pInitialState; may be NULL.
                initial_state: PipelineStateId,
            ) -> HResult<CommandListId>;

            /// Releases the last reference to a command list. unknwn.h: IUnknown::Release.
            41 ReleaseCommandList [objects] = release_command_list(
                /// The command list.
                command_list: CommandListId,
            ) -> HResult<()>;

            /// Resets a command list to the recording state. d3d12.h: ID3D12GraphicsCommandList::Reset.
            42 ResetCommandList [objects] = reset_command_list(
                /// The command list.
                command_list: CommandListId,
                /// pAllocator.
                command_allocator: CommandAllocatorId,
                /// pInitialState; may be NULL.
                initial_state: PipelineStateId,
            ) -> HResult<()>;

            /// Ends a command list's recording. d3d12.h: ID3D12GraphicsCommandList::Close.
            43 CloseCommandList [objects] = close_command_list(
                /// The command list.
                command_list: CommandListId,
            ) -> HResult<()>;

            /// Sets the pipeline state of subsequent draws. d3d12.h: ID3D12GraphicsCommandList::SetPipelineState.
            44 SetPipelineState [objects] = set_pipeline_state(
                /// The command list.
                command_list: CommandListId,
                /// pPipelineState.
                pipeline_state: PipelineStateId,
            ) -> HResult<()>;

            /// Sets constants of subsequent draws. d3d12.h: ID3D12GraphicsCommandList::SetGraphicsRoot32BitConstants.
            45 SetGraphicsRoot32BitConstants [objects] = set_graphics_root_32bit_constants(
                /// The command list.
                command_list: CommandListId,
                /// RootParameterIndex; constants are parameter 0.
                root_parameter_index: u32 as Count,
                /// pSrcData.
                src_data: Vec<u32>,
                /// DestOffsetIn32BitValues.
                dest_offset_in_32bit_values: u32 as Count,
            ) -> HResult<()>;

            /// Sets constants of subsequent dispatches. d3d12.h:
            /// ID3D12GraphicsCommandList::SetComputeRoot32BitConstants.
            46 SetComputeRoot32BitConstants [objects] = set_compute_root_32bit_constants(
                /// The command list.
                command_list: CommandListId,
                /// RootParameterIndex; constants are parameter 0.
                root_parameter_index: u32 as Count,
                /// pSrcData.
                src_data: Vec<u32>,
                /// DestOffsetIn32BitValues.
                dest_offset_in_32bit_values: u32 as Count,
            ) -> HResult<()>;

            /// Records a draw. d3d12.h: ID3D12GraphicsCommandList::DrawInstanced.
            47 DrawInstanced [objects] = draw_instanced(
                /// The command list.
                command_list: CommandListId,
                /// VertexCountPerInstance.
                vertex_count_per_instance: u32 as Count,
                /// InstanceCount.
                instance_count: u32 as Count,
                /// StartVertexLocation.
                start_vertex_location: u32,
                /// StartInstanceLocation.
                start_instance_location: u32,
            ) -> HResult<()>;

            /// Records a dispatch. d3d12.h: ID3D12GraphicsCommandList::Dispatch.
            48 Dispatch [objects] = dispatch(
                /// The command list.
                command_list: CommandListId,
                /// ThreadGroupCountX.
                thread_group_count_x: u32 as Count,
                /// ThreadGroupCountY.
                thread_group_count_y: u32 as Count,
                /// ThreadGroupCountZ.
                thread_group_count_z: u32 as Count,
            ) -> HResult<()>;

            /// Records a dispatch of rays. d3d12.h: ID3D12GraphicsCommandList4::DispatchRays.
            29 DispatchRays [device] = dispatch_rays(
                /// The command list's device.
                device: DeviceId,
                /// pDesc.
                desc: DispatchRaysDesc,
            ) -> HResult<()>;

            /// Records the build of an acceleration structure, or of an array of opacity micromaps. d3d12.h:
            /// ID3D12GraphicsCommandList4::BuildRaytracingAccelerationStructure.
            30 BuildRaytracingAccelerationStructure [device] = build_raytracing_acceleration_structure(
                /// The command list's device.
                device: DeviceId,
                /// pDesc, without its geometries.
                desc: BuildRaytracingAccelerationStructureDesc,
                /// pDesc->Inputs.pGeometryDescs or ppGeometryDescs, for a bottom level.
                geometry_descs: Vec<RaytracingGeometryDesc>,
            ) -> HResult<()>;

            /// Records the decoding of a video frame. d3d12video.h: ID3D12VideoDecodeCommandList1::DecodeFrame1.
            31 DecodeFrame1 [device, objects] = decode_frame1(
                /// The command list's device.
                device: DeviceId,
                /// pInputArguments->CompressedBitstream.
                compressed_bitstream: VideoDecodeCompressedBitstream,
                /// pOutputArguments->Histograms; elements without a buffer may be left out.
                histograms: Vec<VideoDecodeOutputHistogram>,
            ) -> HResult<()>;
        }
    };
}

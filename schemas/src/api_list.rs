//! The API calls: d3d12.h, `ID3D12Device` to `ID3D12Device12`, `ID3D12Resource`, `ID3D12Heap`, `ID3D12Object`; command
//! lists, queues and fences as far as background processing needs them; the operating system's events they signal.

/// Hands the list of API calls to a macro.
///
/// A line is: documentation, number, name, `[locks]`, `creates` and the kind of object that it creates (`HeapId`; of several
/// `[ResourceId]`), method, arguments, result. A number's role stands behind its type (`u64 as Size`); without one it is a
/// plain value. Numbers of lines are never reused; arguments are only appended.
#[macro_export]
macro_rules! for_each_api_call {
    ($handler:ident) => {
        $handler! {
            /// Creates the adapter's device, or gives the one there is. d3d12.h: D3D12CreateDevice.
            1 CreateDevice [device] = create_device(
                /// MinimumFeatureLevel, a D3D_FEATURE_LEVEL.
                minimum_feature_level: u32,
            ) -> HResult<DeviceId>;

            /// Asks what the driver supports. d3d12.h: ID3D12Device::CheckFeatureSupport.
            2 CheckFeatureSupport [device] = check_feature_support(
                /// The device asked.
                device: DeviceId,
                /// Feature.
                feature: Feature,
                /// pFeatureSupportData before the call, FeatureSupportDataSize bytes.
                data: Bytes,
            ) -> HResult<FeatureData>;

            /// Size and alignment of resources laid one after another. d3d12.h: ID3D12Device::GetResourceAllocationInfo.
            3 GetResourceAllocationInfo [device] = get_resource_allocation_info(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
                /// pResourceDescs.
                descs: Vec<ResourceDesc>,
            ) -> AllocationInfo;

            /// The same, and each resource's place. d3d12.h: ID3D12Device4::GetResourceAllocationInfo1.
            4 GetResourceAllocationInfo1 [device] = get_resource_allocation_info1(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
                /// pResourceDescs.
                descs: Vec<ResourceDesc>,
                /// Whether pResourceAllocationInfo1 is given; NULL is allowed.
                want_infos: bool,
            ) -> AllocationInfos;

            /// The same for D3D12_RESOURCE_DESC1. d3d12.h: ID3D12Device8::GetResourceAllocationInfo2.
            5 GetResourceAllocationInfo2 [device] = get_resource_allocation_info2(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
                /// pResourceDescs, but for their mip regions.
                descs: Vec<ResourceDesc>,
                /// SamplerFeedbackMipRegion of each description.
                mip_regions: Vec<MipRegion>,
                /// Whether pResourceAllocationInfo1 is given; NULL is allowed.
                want_infos: bool,
            ) -> AllocationInfos;

            /// The same with castable formats. d3d12.h: ID3D12Device12::GetResourceAllocationInfo3.
            6 GetResourceAllocationInfo3 [device] = get_resource_allocation_info3(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
                /// pResourceDescs, but for their mip regions.
                descs: Vec<ResourceDesc>,
                /// SamplerFeedbackMipRegion of each description.
                mip_regions: Vec<MipRegion>,
                /// pNumCastableFormats: how many formats each description may be cast to.
                num_castable_formats: Vec<u32>,
                /// ppCastableFormats, one description's after another.
                castable_formats: Vec<Format>,
                /// Whether pResourceAllocationInfo1 is given; NULL is allowed.
                want_infos: bool,
            ) -> AllocationInfos;

            /// Creates a heap for placed resources. d3d12.h: ID3D12Device::CreateHeap.
            7 CreateHeap [device, objects] creates HeapId = create_heap(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: HeapDesc,
            ) -> HResult<HeapId>;

            /// Creates a heap, possibly protected. d3d12.h: ID3D12Device4::CreateHeap1.
            8 CreateHeap1 [device, objects] creates HeapId = create_heap1(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: HeapDesc,
                /// Whether pProtectedSession is given.
                protected_session: bool,
            ) -> HResult<HeapId>;

            /// Creates a resource with a heap of its own. d3d12.h: ID3D12Device::CreateCommittedResource.
            9 CreateCommittedResource [device, objects] creates ResourceId = create_committed_resource(
                /// The device that creates it.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialResourceState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// The same, possibly protected. d3d12.h: ID3D12Device4::CreateCommittedResource1.
            10 CreateCommittedResource1 [device, objects] creates ResourceId = create_committed_resource1(
                /// The device that creates it.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialResourceState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// Whether pProtectedSession is given.
                protected_session: bool,
            ) -> HResult<ResourceId>;

            /// The same for D3D12_RESOURCE_DESC1. d3d12.h: ID3D12Device8::CreateCommittedResource2.
            11 CreateCommittedResource2 [device, objects] creates ResourceId = create_committed_resource2(
                /// The device that creates it.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc, but for its mip region.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialResourceState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// Whether pProtectedSession is given.
                protected_session: bool,
            ) -> HResult<ResourceId>;

            /// The same with a barrier layout and castable formats. d3d12.h: ID3D12Device10::CreateCommittedResource3.
            12 CreateCommittedResource3 [device, objects] creates ResourceId = create_committed_resource3(
                /// The device that creates it.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc, but for its mip region.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialLayout, a D3D12_BARRIER_LAYOUT.
                initial_layout: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// Whether pProtectedSession is given.
                protected_session: bool,
                /// pCastableFormats.
                castable_formats: Vec<Format>,
            ) -> HResult<ResourceId>;

            /// Creates a resource in a heap. d3d12.h: ID3D12Device::CreatePlacedResource.
            13 CreatePlacedResource [device, objects] creates ResourceId = create_placed_resource(
                /// The device that creates it.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64 as Offset,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// The same for D3D12_RESOURCE_DESC1. d3d12.h: ID3D12Device8::CreatePlacedResource1.
            14 CreatePlacedResource1 [device, objects] creates ResourceId = create_placed_resource1(
                /// The device that creates it.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64 as Offset,
                /// pDesc, but for its mip region.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// The same with a barrier layout and castable formats. d3d12.h: ID3D12Device10::CreatePlacedResource2.
            15 CreatePlacedResource2 [device, objects] creates ResourceId = create_placed_resource2(
                /// The device that creates it.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64 as Offset,
                /// pDesc, but for its mip region.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialLayout, a D3D12_BARRIER_LAYOUT.
                initial_layout: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// pCastableFormats.
                castable_formats: Vec<Format>,
            ) -> HResult<ResourceId>;

            /// Creates a resource of address space alone. d3d12.h: ID3D12Device::CreateReservedResource.
            16 CreateReservedResource [device, objects] creates ResourceId = create_reserved_resource(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// The Release that takes a resource's public reference count to 0. unknwn.h: IUnknown::Release.
            17 ReleaseResource [device, objects] = release_resource(
                /// The resource released.
                resource: ResourceId,
            ) -> HResult<()>;

            /// The Release that takes a heap's public reference count to 0. unknwn.h: IUnknown::Release.
            18 ReleaseHeap [device, objects] = release_heap(
                /// The heap released.
                heap: HeapId,
            ) -> HResult<()>;

            /// The description a resource was created with, defaults resolved. d3d12.h: ID3D12Resource::GetDesc.
            19 GetDesc [objects] = get_desc(
                /// The resource asked.
                resource: ResourceId,
            ) -> HResult<ResourceDesc>;

            /// The description a heap was created with. d3d12.h: ID3D12Heap::GetDesc.
            20 GetHeapDesc [objects] = get_heap_desc(
                /// The heap asked.
                heap: HeapId,
            ) -> HResult<HeapDesc>;

            /// A buffer's address; 0 for a texture. d3d12.h: ID3D12Resource::GetGPUVirtualAddress.
            21 GetGPUVirtualAddress [objects] = get_gpu_virtual_address(
                /// The resource asked.
                resource: ResourceId,
            ) -> HResult<GpuVirtualAddress>;

            /// Names an object for tools. d3d12.h: ID3D12Object::SetName.
            22 SetName [objects] = set_name(
                /// The object named.
                object: ObjectId,
                /// Name.
                name: String,
            ) -> HResult<()>;

            /// Gives the processor access to a subresource. d3d12.h: ID3D12Resource::Map.
            23 Map [objects] = map(
                /// The resource mapped.
                resource: ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// pReadRange.
                read_range: Option<MemoryRange>,
            ) -> HResult<CpuAddress>;

            /// Ends the processor's access. d3d12.h: ID3D12Resource::Unmap.
            24 Unmap [objects] = unmap(
                /// The resource unmapped.
                resource: ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// pWrittenRange.
                written_range: Option<MemoryRange>,
            ) -> HResult<()>;

            /// Lays a texture's subresources out in a buffer, as copies between the two need them. d3d12.h:
            /// ID3D12Device::GetCopyableFootprints.
            25 GetCopyableFootprints [device] = get_copyable_footprints(
                /// The device asked.
                device: DeviceId,
                /// pResourceDesc.
                desc: ResourceDesc,
                /// FirstSubresource.
                first_subresource: u32 as Count,
                /// NumSubresources.
                num_subresources: u32 as Count,
                /// BaseOffset, in bytes.
                base_offset_bytes: u64 as Offset,
            ) -> CopyableFootprints;

            /// Makes a descriptor of a constant buffer. d3d12.h: ID3D12Device::CreateConstantBufferView.
            26 CreateConstantBufferView [device] = create_constant_buffer_view(
                /// The device that makes it.
                device: DeviceId,
                /// pDesc; NULL makes a null descriptor.
                desc: Option<ConstantBufferViewDesc>,
            ) -> HResult<()>;

            /// Makes a descriptor that shaders read through. d3d12.h: ID3D12Device::CreateShaderResourceView.
            27 CreateShaderResourceView [device, objects] = create_shader_resource_view(
                /// The device that makes it.
                device: DeviceId,
                /// pResource; NULL makes a null descriptor.
                resource: ResourceId,
                /// pDesc; NULL views the whole resource in its own format.
                desc: Option<ShaderResourceViewDesc>,
            ) -> HResult<()>;

            /// Makes a descriptor that shaders read and write through. d3d12.h:
            /// ID3D12Device::CreateUnorderedAccessView.
            28 CreateUnorderedAccessView [device, objects] = create_unordered_access_view(
                /// The device that makes it.
                device: DeviceId,
                /// pResource; NULL makes a null descriptor.
                resource: ResourceId,
                /// pCounterResource.
                counter_resource: ResourceId,
                /// pDesc; NULL views the whole resource in its own format.
                desc: Option<UnorderedAccessViewDesc>,
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
                /// pDesc, but for its geometries.
                desc: BuildRaytracingAccelerationStructureDesc,
                /// pDesc->Inputs.pGeometryDescs or ppGeometryDescs, of a bottom level.
                geometry_descs: Vec<RaytracingGeometryDesc>,
            ) -> HResult<()>;

            /// Records the decoding of a video frame. d3d12video.h: ID3D12VideoDecodeCommandList1::DecodeFrame1.
            31 DecodeFrame1 [device, objects] = decode_frame1(
                /// The command list's device.
                device: DeviceId,
                /// pInputArguments->CompressedBitstream.
                compressed_bitstream: VideoDecodeCompressedBitstream,
                /// pOutputArguments->Histograms; those without a buffer may be left out.
                histograms: Vec<VideoDecodeOutputHistogram>,
            ) -> HResult<()>;

            /// Says how much a driver may measure and optimise in the background. d3d12.h:
            /// ID3D12Device6::SetBackgroundProcessingMode.
            32 SetBackgroundProcessingMode [device, queue] = set_background_processing_mode(
                /// The device.
                device: DeviceId,
                /// Mode.
                mode: BackgroundProcessingMode,
                /// MeasurementsAction.
                measurements_action: MeasurementsAction,
                /// hEventToSignalUponCompletion; may be NULL.
                event: EventHandle,
                /// Whether pbFurtherMeasurementsDesired is given; NULL is allowed.
                want_further: bool,
            ) -> HResult<FurtherMeasurements>;

            /// Creates a pipeline state for drawing. d3d12.h: ID3D12Device::CreateGraphicsPipelineState, of whose
            /// description the pixel shader alone is kept; its constants are the root signature.
            33 CreateGraphicsPipelineState [device, queue, objects] creates PipelineStateId = create_graphics_pipeline_state(
                /// The device that creates it.
                device: DeviceId,
                /// PS: a shader in the project's form, as JSON.
                shader: Bytes,
            ) -> HResult<PipelineStateId>;

            /// Creates a pipeline state for dispatches. d3d12.h: ID3D12Device::CreateComputePipelineState.
            34 CreateComputePipelineState [device, queue, objects] creates PipelineStateId = create_compute_pipeline_state(
                /// The device that creates it.
                device: DeviceId,
                /// CS: a shader in the project's form, as JSON.
                shader: Bytes,
            ) -> HResult<PipelineStateId>;

            /// Gives up the last reference to a pipeline state. unknwn.h: IUnknown::Release.
            35 ReleasePipelineState [queue, objects] = release_pipeline_state(
                /// The pipeline state.
                pipeline_state: PipelineStateId,
            ) -> HResult<()>;

            /// Creates a command queue. d3d12.h: ID3D12Device::CreateCommandQueue.
            36 CreateCommandQueue [device, queue, objects] creates CommandQueueId = create_command_queue(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: CommandQueueDesc,
            ) -> HResult<CommandQueueId>;

            /// Gives up the last reference to a command queue. unknwn.h: IUnknown::Release.
            37 ReleaseCommandQueue [queue, objects] = release_command_queue(
                /// The command queue.
                command_queue: CommandQueueId,
            ) -> HResult<()>;

            /// Creates the memory of command lists. d3d12.h: ID3D12Device::CreateCommandAllocator.
            38 CreateCommandAllocator [device, objects] creates CommandAllocatorId = create_command_allocator(
                /// The device that creates it.
                device: DeviceId,
                /// type.
                list_type: CommandListType,
            ) -> HResult<CommandAllocatorId>;

            /// Gives up the last reference to a command allocator. unknwn.h: IUnknown::Release.
            39 ReleaseCommandAllocator [objects] = release_command_allocator(
                /// The command allocator.
                command_allocator: CommandAllocatorId,
            ) -> HResult<()>;

            /// Creates a command list, open for recording. d3d12.h: ID3D12Device::CreateCommandList.
            40 CreateCommandList [device, objects] creates CommandListId = create_command_list(
                /// The device that creates it.
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

            /// Gives up the last reference to a command list. unknwn.h: IUnknown::Release.
            41 ReleaseCommandList [objects] = release_command_list(
                /// The command list.
                command_list: CommandListId,
            ) -> HResult<()>;

            /// Opens a command list for recording anew. d3d12.h: ID3D12GraphicsCommandList::Reset.
            42 ResetCommandList [objects] = reset_command_list(
                /// The command list.
                command_list: CommandListId,
                /// pAllocator.
                command_allocator: CommandAllocatorId,
                /// pInitialState; may be NULL.
                initial_state: PipelineStateId,
            ) -> HResult<()>;

            /// Ends recording. d3d12.h: ID3D12GraphicsCommandList::Close.
            43 CloseCommandList [objects] = close_command_list(
                /// The command list.
                command_list: CommandListId,
            ) -> HResult<()>;

            /// Sets the pipeline state of the draws to come. d3d12.h: ID3D12GraphicsCommandList::SetPipelineState.
            44 SetPipelineState [objects] = set_pipeline_state(
                /// The command list.
                command_list: CommandListId,
                /// pPipelineState.
                pipeline_state: PipelineStateId,
            ) -> HResult<()>;

            /// Sets constants of the draws to come. d3d12.h: ID3D12GraphicsCommandList::SetGraphicsRoot32BitConstants.
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

            /// Sets constants of the dispatches to come. d3d12.h: ID3D12GraphicsCommandList::SetComputeRoot32BitConstants.
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

            /// Submits command lists. d3d12.h: ID3D12CommandQueue::ExecuteCommandLists.
            49 ExecuteCommandLists [queue, objects] = execute_command_lists(
                /// The command queue.
                command_queue: CommandQueueId,
                /// ppCommandLists.
                command_lists: Vec<CommandListId>,
            ) -> HResult<()>;

            /// Sets a fence once everything submitted before is done. d3d12.h: ID3D12CommandQueue::Signal.
            50 CommandQueueSignal [queue, objects] = command_queue_signal(
                /// The command queue.
                command_queue: CommandQueueId,
                /// pFence.
                fence: FenceId,
                /// Value.
                value: u64,
            ) -> HResult<()>;

            /// Keeps what is submitted after it waiting for a fence. d3d12.h: ID3D12CommandQueue::Wait.
            51 CommandQueueWait [queue, objects] = command_queue_wait(
                /// The command queue.
                command_queue: CommandQueueId,
                /// pFence.
                fence: FenceId,
                /// Value.
                value: u64,
            ) -> HResult<()>;

            /// Ends a frame. dxgi.h: IDXGISwapChain::Present, of a swap chain on this command queue.
            52 Present [queue, objects] = present(
                /// The command queue.
                command_queue: CommandQueueId,
                /// SyncInterval.
                sync_interval: u32,
            ) -> HResult<()>;

            /// Creates a fence. d3d12.h: ID3D12Device::CreateFence.
            53 CreateFence [device, queue, objects] creates FenceId = create_fence(
                /// The device that creates it.
                device: DeviceId,
                /// InitialValue.
                initial_value: u64,
                /// Flags.
                flags: FenceFlags,
            ) -> HResult<FenceId>;

            /// Gives up the last reference to a fence. unknwn.h: IUnknown::Release.
            54 ReleaseFence [queue, objects] = release_fence(
                /// The fence.
                fence: FenceId,
            ) -> HResult<()>;

            /// The fence's value; UINT64_MAX once the device is removed. d3d12.h: ID3D12Fence::GetCompletedValue.
            55 GetCompletedValue [queue, objects] = get_completed_value(
                /// The fence.
                fence: FenceId,
            ) -> HResult<FenceValue>;

            /// Signals an event once the fence has the value. d3d12.h: ID3D12Fence::SetEventOnCompletion.
            56 SetEventOnCompletion [queue, objects] = set_event_on_completion(
                /// The fence.
                fence: FenceId,
                /// Value.
                value: u64,
                /// hEvent.
                event: EventHandle,
            ) -> HResult<()>;

            /// Creates an event of the operating system. synchapi.h: CreateEventW.
            57 CreateEvent [queue] = create_event(
                /// bManualReset.
                manual_reset: bool,
                /// bInitialState.
                initial_state: bool,
            ) -> HResult<EventHandle>;

            /// Closes an event's handle. handleapi.h: CloseHandle.
            58 CloseHandle [queue] = close_handle(
                /// hObject.
                event: EventHandle,
            ) -> HResult<()>;

            /// Begins to wait for an event. synchapi.h: WaitForSingleObject, as far as it does not block.
            59 BeginWaitForSingleObject [queue] = begin_wait_for_single_object(
                /// hHandle.
                event: EventHandle,
                /// dwMilliseconds; 0xffffffff is for ever.
                timeout_ms: u32,
            ) -> HResult<WaitStatus>;

            /// Ends the wait that the last call but for this began: the event was signalled, or time is up. Legal only when
            /// that is so.
            60 FinishWaitForSingleObject [queue] = finish_wait_for_single_object(
                /// hHandle.
                event: EventHandle,
                /// Time is up.
                timed_out: bool,
            ) -> HResult<WaitStatus>;

            /// Gives up the last reference to a device, beginning its destruction. unknwn.h: IUnknown::Release.
            61 ReleaseDevice [device, queue] = release_device(
                /// The device.
                device: DeviceId,
            ) -> HResult<()>;

            /// Ends the destruction of a device, once no background task is left of it.
            62 FinishReleaseDevice [device, queue] = finish_release_device(
                /// The device.
                device: DeviceId,
            ) -> HResult<()>;

            /// Why the device was removed. d3d12.h: ID3D12Device::GetDeviceRemovedReason.
            63 GetDeviceRemovedReason [device] = get_device_removed_reason(
                /// The device.
                device: DeviceId,
            ) -> HResult<()>;

            /// Turns the operating system's developer mode on or off. Not a call of Direct3D: a setting of the machine, made
            /// while programs run.
            64 SetDeveloperMode [queue] = set_developer_mode(
                /// On or off.
                enabled: bool,
            ) -> HResult<()>;
        }
    };
}

/// Arguments of the API calls, one struct per line of [`for_each_api_call!`](crate::for_each_api_call).
pub mod api {
    use crate::call::{Call, Layer, LockSet, define_calls, describe_start};
    use crate::event::{EventCode, Opcode};
    use crate::field::{Bytes, Field, HandleMap};
    use crate::row::{CodecError, Decoder, Encoder};
    use crate::table::{EventHead, SchemaTable};
    use crate::{bind::*, code::*, desc::*, execution_desc::*, format::Format, hresult::HResult, id::*};

    macro_rules! structs {
        ($($list:tt)*) => { define_calls! { Api; $($list)* } };
    }
    for_each_api_call!(structs);
}

pub(crate) use api::describe;

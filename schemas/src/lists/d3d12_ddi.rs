//! d3d12umddi.h: from the runtime to the user-mode driver. A call runs under the locks of the API call that makes it;
//! in a call marked `with callbacks` the driver may call back.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_ddi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queries the driver for one kind of capabilities. d3d12umddi.h: PFND3D12DDI_GETCAPS.
            3072 GetCaps = get_caps(
                /// D3D12DDIARG_GETCAPS::Type.
                caps_type: DdiCapsType,
                /// D3D12DDIARG_GETCAPS::DataSize, in bytes.
                data_size_bytes: u32 as Size,
            ) -> HResult<CapsData>;

            /// Queries the driver for a resource's size and alignment. d3d12umddi.h:
            /// PFND3D12DDI_CHECKRESOURCEALLOCATIONINFO_0088.
            3073 CheckResourceAllocationInfo = check_resource_allocation_info(
                /// The D3D12DDIARG_CREATERESOURCE_0088.
                desc: DdiResourceDesc,
                /// AlignmentRestriction, in bytes: with the tight flag the min acceptable alignment, else the alignment
                /// that the application requested; 0 leaves the choice to the driver.
                alignment_restriction_bytes: u32 as Alignment,
                /// VisibleNodeMask.
                visible_node_mask: u32 as Flags,
            ) -> DdiAllocationInfo;

            /// Queries the driver for the size and alignment of a created resource. d3d12umddi.h:
            /// PFND3D12DDI_CHECKEXISTINGRESOURCEALLOCATIONINFO_0022.
            3074 CheckExistingResourceAllocationInfo = check_existing_resource_allocation_info(
                /// hDrvResource, by its runtime handle.
                resource: ResourceId,
                /// The driver's data in the memory of hDrvResource.
                driver_data was kept: DdiAllocationInfo,
            ) -> DdiAllocationInfo;

            /// Creates a heap, a resource, or a resource with an implicit heap. d3d12umddi.h:
            /// PFND3D12DDI_CREATEHEAPANDRESOURCE_0088.
            3075 CreateHeapAndResource = create_heap_and_resource(
                /// The D3D12DDIARG_CREATEHEAP_0001; none for a placed or reserved resource.
                heap_desc: Option<DdiHeapDesc>,
                /// hDrvHeap, by its runtime handle; null where the runtime has none (committed, reserved).
                heap: HeapId,
                /// The D3D12DDIARG_CREATERESOURCE_0088; none for a heap alone.
                resource_desc: Option<DdiResourceDesc>,
                /// hDrvResource, by its runtime handle; null for a heap alone.
                resource: ResourceId,
                /// The min acceptable alignment, in bytes: the argument of CheckResourceAllocationInfo.
                alignment_restriction_bytes: u32 as Alignment,
            ) -> HResult<DdiAllocationInfo>;

            /// Destroys heaps and resources of CreateHeapAndResource. d3d12umddi.h:
            /// PFND3D12DDI_DESTROYHEAPANDRESOURCE_0080.
            3076 DestroyHeapAndResource = destroy_heap_and_resource(
                /// hDrvHeap, by its runtime handle; null if no heap is destroyed.
                heap: HeapId,
                /// hDrvResource, by its runtime handle; null if no resource is destroyed.
                resource: ResourceId,
            ) -> ();

            /// Queries the versions of the DDI that the driver implements. d3d12umddi.h:
            /// PFND3D12DDI_GETSUPPORTEDVERSIONS.
            3077 GetSupportedVersions = get_supported_versions() -> HResult<SupportedVersions>;

            /// Sets the extent of the driver's measurements and optimisations. d3d12umddi.h:
            /// PFND3D12DDI_SET_BACKGROUND_PROCESSING_MODE_0062, which has no result.
            3078 SetBackgroundProcessingMode0062 with callbacks = set_background_processing_mode_0062(
                /// Mode.
                mode: BackgroundProcessingMode,
                /// MeasurementsAction.
                measurements_action: MeasurementsAction,
            ) -> ();

            /// As SetBackgroundProcessingMode0062, with a result. d3d12umddi.h:
            /// PFND3D12DDI_SET_BACKGROUND_PROCESSING_MODE_0063.
            3079 SetBackgroundProcessingMode0063 with callbacks = set_background_processing_mode_0063(
                /// Mode.
                mode: BackgroundProcessingMode,
                /// MeasurementsAction.
                measurements_action: MeasurementsAction,
            ) -> Option<FurtherMeasurements>;

            /// Creates a pipeline state. d3d12umddi.h: PFND3D12DDI_CREATEPIPELINESTATE.
            3080 CreatePipelineState with callbacks = create_pipeline_state(
                /// hDrvPipelineState, by its runtime handle.
                pipeline_state: PipelineStateId,
                /// The shader.
                shader: Bytes,
            ) -> HResult<()>;

            /// Destroys a pipeline state. d3d12umddi.h: PFND3D12DDI_DESTROYPIPELINESTATE.
            3081 DestroyPipelineState with callbacks = destroy_pipeline_state(
                /// hDrvPipelineState, by its runtime handle.
                pipeline_state: PipelineStateId,
            ) -> ();

            /// Submits command lists; the driver selects the shader of each draw. d3d12umddi.h:
            /// PFND3D12DDI_EXECUTECOMMANDLISTS.
            3082 ExecuteCommandLists with callbacks = execute_command_lists(
                /// hDrvCommandQueue, by its runtime handle.
                command_queue: CommandQueueId,
                /// Number of the operation among those of all command queues.
                submission: u64,
                /// The draws and dispatches of all lists, in order.
                draws: Vec<DrawCommand>,
                /// Constants of the draws, concatenated.
                constants: Vec<u32>,
            ) -> Vec<Selection>;

            /// Makes the driver read its counters of a completed submission. Real drivers do so without a call; the
            /// line stands for any mechanism of theirs.
            3083 CollectMeasurements with callbacks = collect_measurements(
                /// hDrvCommandQueue, by its runtime handle.
                command_queue: CommandQueueId,
                /// Number of the operation.
                submission: u64,
                /// Result of each draw, in order.
                runs: Vec<DrawRun>,
            ) -> ();

            /// Ends a task: the part of pfnCallback of QueueProcessingWork that follows the work itself. d3d12umddi.h:
            /// PFND3D12DDI_UMD_CALLBACK_METHOD.
            3084 ProcessBackgroundWork with callbacks = process_background_work(
                /// The task.
                task: TaskId,
                /// pContext.
                context: u64,
                /// Result of the work.
                outcome: CompileOutcome,
            ) derived product: Product -> WorkVerdict;

            /// Cancels a task: pfnCancel of QueueProcessingWork. d3d12umddi.h: PFND3D12DDI_UMD_CALLBACK_METHOD.
            3085 CancelBackgroundWork with callbacks = cancel_background_work(
                /// The task.
                task: TaskId,
                /// pContext.
                context: u64,
            ) -> ();

            /// Destroys the device. d3d12umddi.h: PFND3D12DDI_DESTROYDEVICE.
            3086 DestroyDevice with callbacks = destroy_device() -> ();

            /// Opens a resource that another adapter shares. d3d12umddi.h: PFND3D12DDI_OPENHEAPANDRESOURCE_0003.
            3087 OpenHeapAndResource = open_heap_and_resource(
                /// The resource, as the creating device described it.
                resource_desc: DdiResourceDesc,
                /// hDrvResource, by its runtime handle.
                resource: ResourceId,
            ) -> HResult<()>;

            /// Creates a descriptor of a row-major texture that is shared across adapters. d3d12umddi.h:
            /// PFND3D12DDI_CREATE_SHADER_RESOURCE_VIEW_0002, PFND3D12DDI_CREATE_UNORDERED_ACCESS_VIEW_0002,
            /// PFND3D12DDI_CREATE_RENDER_TARGET_VIEW_0002; the result is the driver's error code from pfnSetErrorCb.
            3088 CreateRowMajorTextureView = create_row_major_texture_view(
                /// hDrvResource, by its runtime handle.
                resource: ResourceId,
                /// Kind of the view.
                view: TextureView,
                /// The view's format.
                format: Format,
            ) -> HResult<()>;

            /// Begins a task of a driver that checks for work first: the part of pfnCallback of QueueProcessingWork
            /// that precedes the work itself. The result is false if there is nothing to do, as when the pipeline state
            /// is gone (rule B-70). d3d12umddi.h: PFND3D12DDI_UMD_CALLBACK_METHOD.
            3089 BeginBackgroundWork with callbacks = begin_background_work(
                /// The task.
                task: TaskId,
                /// pContext.
                context: u64,
            ) -> TaskBeginning;

            /// Closes a command list, for a driver that queues work from its recording calls; on the thread that
            /// recorded the list. d3d12umddi.h: PFND3D12DDI_CLOSECOMMANDLIST.
            3090 CloseCommandList with callbacks = close_command_list(
                /// hDrvCommandList, by its runtime handle.
                command_list: CommandListId,
                /// The pipeline states of the list's draws, each once, in order of their handles.
                pipeline_states: Vec<PipelineStateId>,
            ) -> ();

            /// Runs the driver's own thread, which the driver has woken. Real drivers have threads without such a call;
            /// the line stands for them.
            3091 RunDriverThread with callbacks = run_driver_thread() -> ();

            /// Returns the size of descriptors of a heap type, in bytes. d3d12umddi.h:
            /// PFND3D12DDI_GET_DESCRIPTOR_SIZE_IN_BYTES.
            3092 GetDescriptorSizeInBytes = get_descriptor_size_in_bytes(
                /// The heap type.
                heap_type: DescriptorHeapType,
            ) -> u32;
        }
    };
}

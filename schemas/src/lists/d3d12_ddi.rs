//! d3d12umddi.h: from the runtime to the user-mode driver. A call runs under its caller's locks; in those that say
//! `with callbacks` the driver may call back.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d12_ddi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Asks the driver for one kind of capabilities. d3d12umddi.h: PFND3D12DDI_GETCAPS.
            3072 GetCaps = get_caps(
                /// D3D12DDIARG_GETCAPS::Type.
                caps_type: DdiCapsType,
                /// D3D12DDIARG_GETCAPS::DataSize, in bytes.
                data_size_bytes: u32 as Size,
            ) -> HResult<CapsData>;

            /// Asks the driver for a resource's size and alignment. d3d12umddi.h:
            /// PFND3D12DDI_CHECKRESOURCEALLOCATIONINFO_0088.
            3073 CheckResourceAllocationInfo = check_resource_allocation_info(
                /// The D3D12DDIARG_CREATERESOURCE_0088.
                desc: DdiResourceDesc,
                /// AlignmentRestriction, in bytes: with the tight flag the least acceptable alignment, else the
                /// alignment the application asked for; 0 leaves it to the driver.
                alignment_restriction_bytes: u32 as Alignment,
                /// VisibleNodeMask.
                visible_node_mask: u32 as Flags,
            ) -> DdiAllocationInfo;

            /// Asks the driver for the size and alignment of a resource it has created. d3d12umddi.h:
            /// PFND3D12DDI_CHECKEXISTINGRESOURCEALLOCATIONINFO_0022.
            3074 CheckExistingResourceAllocationInfo = check_existing_resource_allocation_info(
                /// hDrvResource, by its runtime handle.
                resource: ResourceId,
                /// What the driver keeps in the memory behind hDrvResource.
                kept: DdiAllocationInfo,
            ) -> DdiAllocationInfo;

            /// Creates a heap, a resource, or a resource with a heap of its own. d3d12umddi.h:
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
                /// The least acceptable alignment, in bytes: what CheckResourceAllocationInfo was asked with.
                alignment_restriction_bytes: u32 as Alignment,
            ) -> HResult<DdiAllocationInfo>;

            /// Destroys what CreateHeapAndResource created. d3d12umddi.h: PFND3D12DDI_DESTROYHEAPANDRESOURCE_0080.
            3076 DestroyHeapAndResource = destroy_heap_and_resource(
                /// hDrvHeap, by its runtime handle; null if no heap is destroyed.
                heap: HeapId,
                /// hDrvResource, by its runtime handle; null if no resource is destroyed.
                resource: ResourceId,
            ) -> ();

            /// Asks the driver which versions of the DDI it speaks. d3d12umddi.h: PFND3D12DDI_GETSUPPORTEDVERSIONS.
            3077 GetSupportedVersions = get_supported_versions() -> HResult<SupportedVersions>;

            /// Tells the driver how much it may measure and optimise. d3d12umddi.h:
            /// PFND3D12DDI_SET_BACKGROUND_PROCESSING_MODE_0062, which answers nothing.
            3078 SetBackgroundProcessingMode0062 with callbacks = set_background_processing_mode_0062(
                /// Mode.
                mode: BackgroundProcessingMode,
                /// MeasurementsAction.
                measurements_action: MeasurementsAction,
            ) -> ();

            /// The same, with an answer. d3d12umddi.h: PFND3D12DDI_SET_BACKGROUND_PROCESSING_MODE_0063.
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
                /// Number of the operation among all of all command queues.
                submission: u64,
                /// The draws and dispatches of all lists, in order.
                draws: Vec<DrawCommand>,
                /// Their constants, one draw's after another.
                constants: Vec<u32>,
            ) -> Vec<Selection>;

            /// The driver reads its counters of a submission that is done. Drivers do this by themselves; the line stands for
            /// whatever way they have.
            3083 CollectMeasurements with callbacks = collect_measurements(
                /// hDrvCommandQueue, by its runtime handle.
                command_queue: CommandQueueId,
                /// Number of the operation.
                submission: u64,
                /// What each draw did, in order.
                runs: Vec<DrawRun>,
            ) -> ();

            /// Ends a task: what pfnCallback of QueueProcessingWork does once the work itself is done. d3d12umddi.h:
            /// PFND3D12DDI_UMD_CALLBACK_METHOD.
            3084 ProcessBackgroundWork with callbacks = process_background_work(
                /// The task.
                task: TaskId,
                /// pContext.
                context: u64,
                /// What the work gave.
                outcome: CompileOutcome,
            ) given product: Product -> WorkVerdict;

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
                /// The resource, as its maker described it.
                resource_desc: DdiResourceDesc,
                /// hDrvResource, by its runtime handle.
                resource: ResourceId,
            ) -> HResult<()>;

            /// Makes a descriptor of a row-major texture that is shared across adapters. d3d12umddi.h:
            /// PFND3D12DDI_CREATE_SHADER_RESOURCE_VIEW_0002, PFND3D12DDI_CREATE_UNORDERED_ACCESS_VIEW_0002,
            /// PFND3D12DDI_CREATE_RENDER_TARGET_VIEW_0002; the code is what the driver reports with pfnSetErrorCb.
            3088 CreateRowMajorTextureView = create_row_major_texture_view(
                /// hDrvResource, by its runtime handle.
                resource: ResourceId,
                /// Which of the three.
                view: TextureView,
                /// The view's format.
                format: Format,
            ) -> HResult<()>;

            /// Begins a task, of a driver that looks first: what pfnCallback of QueueProcessingWork does before the work itself.
            /// Answers whether there is anything to do; where its pipeline state is gone, nothing is (rule B-70). d3d12umddi.h:
            /// PFND3D12DDI_UMD_CALLBACK_METHOD.
            3089 BeginBackgroundWork with callbacks = begin_background_work(
                /// The task.
                task: TaskId,
                /// pContext.
                context: u64,
            ) -> TaskBeginning;

            /// A command list is closed, of a driver that queues work from its recording calls; on the thread that recorded
            /// it. d3d12umddi.h: PFND3D12DDI_CLOSECOMMANDLIST.
            3090 CloseCommandList with callbacks = close_command_list(
                /// hDrvCommandList, by its runtime handle.
                command_list: CommandListId,
                /// The pipeline states that it draws with, each once, in order of their handles.
                pipeline_states: Vec<PipelineStateId>,
            ) -> ();

            /// What a driver does on a thread of its own, which it has woken. Drivers do this by themselves; the line stands for
            /// whatever threads they have.
            3091 RunDriverThread with callbacks = run_driver_thread() -> ();
        }
    };
}

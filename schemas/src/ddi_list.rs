//! The DDI calls: d3d12umddi.h and d3d10umddi.h, from the runtime to the user-mode driver.

use crate::callback_list::Callbacks;

/// Hands the list of DDI calls to a macro. Lines are made like those of
/// [`for_each_api_call!`](crate::for_each_api_call); a DDI call runs under its caller's locks. In those marked
/// `[callbacks]` the driver may call back.
#[macro_export]
macro_rules! for_each_ddi_call {
    ($handler:ident) => {
        $handler! {
            /// Asks the driver for one kind of capabilities. d3d12umddi.h: PFND3D12DDI_GETCAPS.
            256 GetCaps [] = get_caps(
                /// D3D12DDIARG_GETCAPS::Type.
                caps_type: DdiCapsType,
                /// D3D12DDIARG_GETCAPS::DataSize, in bytes.
                data_size_bytes: u32 as Size,
            ) -> HResult<CapsData>;

            /// Asks the driver for a resource's size and alignment. d3d12umddi.h:
            /// PFND3D12DDI_CHECKRESOURCEALLOCATIONINFO_0088.
            257 CheckResourceAllocationInfo [] = check_resource_allocation_info(
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
            258 CheckExistingResourceAllocationInfo [] = check_existing_resource_allocation_info(
                /// hDrvResource, by its runtime handle.
                resource: ResourceId,
                /// What the driver keeps in the memory behind hDrvResource.
                kept: DdiAllocationInfo,
            ) -> DdiAllocationInfo;

            /// Creates a heap, a resource, or a resource with a heap of its own. d3d12umddi.h:
            /// PFND3D12DDI_CREATEHEAPANDRESOURCE_0088.
            259 CreateHeapAndResource [] = create_heap_and_resource(
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
            260 DestroyHeapAndResource [] = destroy_heap_and_resource(
                /// hDrvHeap, by its runtime handle; null if no heap is destroyed.
                heap: HeapId,
                /// hDrvResource, by its runtime handle; null if no resource is destroyed.
                resource: ResourceId,
            ) -> ();

            /// Asks the driver which versions of the DDI it speaks. d3d12umddi.h: PFND3D12DDI_GETSUPPORTEDVERSIONS.
            261 GetSupportedVersions [] = get_supported_versions() -> HResult<SupportedVersions>;

            /// Tells the driver how much it may measure and optimise. d3d12umddi.h:
            /// PFND3D12DDI_SET_BACKGROUND_PROCESSING_MODE_0062, which answers nothing.
            262 SetBackgroundProcessingMode0062 [callbacks] = set_background_processing_mode_0062(
                /// Mode.
                mode: BackgroundProcessingMode,
                /// MeasurementsAction.
                measurements_action: MeasurementsAction,
            ) -> ();

            /// The same, with an answer. d3d12umddi.h: PFND3D12DDI_SET_BACKGROUND_PROCESSING_MODE_0063.
            263 SetBackgroundProcessingMode0063 [callbacks] = set_background_processing_mode_0063(
                /// Mode.
                mode: BackgroundProcessingMode,
                /// MeasurementsAction.
                measurements_action: MeasurementsAction,
            ) -> Option<FurtherMeasurements>;

            /// Creates a pipeline state. d3d12umddi.h: PFND3D12DDI_CREATEPIPELINESTATE.
            264 CreatePipelineState [callbacks] = create_pipeline_state(
                /// hDrvPipelineState, by its runtime handle.
                pipeline_state: PipelineStateId,
                /// The shader.
                shader: Bytes,
            ) -> HResult<()>;

            /// Destroys a pipeline state. d3d12umddi.h: PFND3D12DDI_DESTROYPIPELINESTATE.
            265 DestroyPipelineState [callbacks] = destroy_pipeline_state(
                /// hDrvPipelineState, by its runtime handle.
                pipeline_state: PipelineStateId,
            ) -> ();

            /// Submits command lists; the driver selects the shader of each draw. d3d12umddi.h:
            /// PFND3D12DDI_EXECUTECOMMANDLISTS.
            266 ExecuteCommandListsDdi [callbacks] = execute_command_lists(
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
            267 CollectMeasurements [callbacks] = collect_measurements(
                /// hDrvCommandQueue, by its runtime handle.
                command_queue: CommandQueueId,
                /// Number of the operation.
                submission: u64,
                /// What each draw did, in order.
                runs: Vec<DrawRun>,
            ) -> ();

            /// Ends a task: what pfnCallback of QueueProcessingWork does once the work itself is done. d3d12umddi.h:
            /// PFND3D12DDI_UMD_CALLBACK_METHOD.
            268 ProcessBackgroundWork [callbacks] = process_background_work(
                /// The task.
                task: TaskId,
                /// pContext.
                context: u64,
                /// What the work gave.
                outcome: CompileOutcome,
            ) -> WorkVerdict;

            /// Cancels a task: pfnCancel of QueueProcessingWork. d3d12umddi.h: PFND3D12DDI_UMD_CALLBACK_METHOD.
            269 CancelBackgroundWork [callbacks] = cancel_background_work(
                /// The task.
                task: TaskId,
                /// pContext.
                context: u64,
            ) -> ();

            /// Destroys the device. d3d12umddi.h: PFND3D12DDI_DESTROYDEVICE.
            270 DestroyDevice [callbacks] = destroy_device() -> ();

            /// Asks the driver for its vendor's extensions. The document names only the call above it, Init; how that
            /// reaches the driver is the vendor's secret, so this line stands for whatever it is.
            384 GetExtensions [] = get_extensions() -> AvailableExtensions;

            /// Creates a Direct3D 11 resource. d3d10umddi.h: PFND3D11DDI_CREATERESOURCE, which answers nothing; the layout
            /// is what the driver keeps.
            385 CreateResource [] = create_resource(
                /// The D3D11DDIARG_CREATERESOURCE.
                desc: D3d11DdiResourceDesc,
                /// Whether SetDirectAccessResourceExtension came before.
                direct_access: bool,
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
            ) -> HResult<D3d11ResourceLayout>;

            /// Destroys a Direct3D 11 resource. d3d10umddi.h: PFND3D10DDI_DESTROYRESOURCE.
            386 DestroyResource [] = destroy_resource(
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
            ) -> ();

            /// Copies a resource, or binds a pair for direct access. d3d10umddi.h: PFND3D10DDI_RESOURCECOPY, which answers
            /// nothing.
            387 ResourceCopy [] = resource_copy(
                /// hDrvResource of the destination, by its runtime handle.
                destination: D3d11ResourceId,
                /// hDrvResource of the source, by its runtime handle.
                source: D3d11ResourceId,
                /// What the driver keeps of both: they are a staging texture and a texture for direct access.
                direct_access_pair: bool,
            ) -> CopyOutcome;

            /// Gives the processor access to a staging resource. d3d10umddi.h: PFND3D10DDI_RESOURCEMAP
            /// (pfnStagingResourceMap).
            388 StagingResourceMap [] = staging_resource_map(
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// The D3D10_DDI_MAP, numbered as the API does.
                map_type: MapType,
                /// The resource whose memory is mapped: the same, or the texture it is bound to.
                memory: D3d11ResourceId,
                /// Where that memory lies for the processor.
                base_address: CpuAddress,
                /// What the driver keeps of the resource whose memory it is.
                kept: D3d11ResourceLayout,
            ) -> SharedMapData;

            /// Ends the processor's access. d3d10umddi.h: PFND3D10DDI_RESOURCEUNMAP (pfnStagingResourceUnmap).
            389 StagingResourceUnmap [] = staging_resource_unmap(
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
            ) -> ();
        }
    };
}

/// Arguments of the DDI calls, one struct per line of [`for_each_ddi_call!`](crate::for_each_ddi_call).
pub mod ddi {
    use super::Driver;
    use crate::call::{Call, Layer, LockSet, define_calls, describe_start};
    use crate::callback_list::Callbacks;
    use crate::event::{EventCode, Opcode};
    use crate::field::{Bytes, Field, HandleMap};
    use crate::row::{CodecError, Decoder, Encoder};
    use crate::table::{EventHead, SchemaTable};
    use crate::{code::*, d3d11_desc::*, desc::*, execution_desc::*, hresult::HResult, id::*};

    macro_rules! structs {
        ($($list:tt)*) => { define_calls! { Ddi; $($list)* } };
    }
    for_each_ddi_call!(structs);

    /// A DDI call that a driver model can be given.
    pub trait DriverCall: Call {
        /// Makes the call.
        fn dispatch(&self, driver: &dyn Driver) -> Self::Output;
    }

    /// A DDI call in which the driver may call back.
    pub trait CallbackCall: Call {
        /// Makes the call.
        fn dispatch(&self, driver: &dyn Driver, callbacks: &mut dyn Callbacks) -> Self::Output;
    }

    macro_rules! dispatch {
        ($( $(#[$doc:meta])+ $id:literal $Name:ident [$($with:ident)?] = $method:ident($($args:tt)*) -> $Output:ty; )*) => {
            $( dispatch_one! { [$($with)?] $Name $method $Output } )*
        };
    }
    macro_rules! dispatch_one {
        ([] $Name:ident $method:ident $Output:ty) => {
            impl DriverCall for $Name {
                fn dispatch(&self, driver: &dyn Driver) -> $Output {
                    driver.$method(self)
                }
            }
        };
        ([callbacks] $Name:ident $method:ident $Output:ty) => {
            impl CallbackCall for $Name {
                fn dispatch(&self, driver: &dyn Driver, callbacks: &mut dyn Callbacks) -> $Output {
                    driver.$method(callbacks, self)
                }
            }
        };
    }
    for_each_ddi_call!(dispatch);
}

macro_rules! driver_trait {
    ($( $(#[$doc:meta])+ $id:literal $Name:ident [$($with:ident)?] = $method:ident($($args:tt)*) -> $Output:ty; )*) => {
        use crate::{d3d11_desc::*, desc::*, execution_desc::*, hresult::HResult};

        /// A user-mode driver: one function per DDI call.
        ///
        /// A driver is a pure function of what it is told: the runtime keeps for it what a real driver would keep in
        /// the memory behind its handles.
        pub trait Driver: Send + Sync { $(
            $(#[$doc])+
            fn $method(&self, $($with: &mut dyn Callbacks,)? call: &ddi::$Name) -> $Output;
        )* }

        /// A driver that stands before another and passes on what it does not change.
        pub trait DriverLayer: Send + Sync {
            /// The driver behind it.
            fn below(&self) -> &dyn Driver;
        $(
            /// Passed on as it is.
            fn $method(&self, $($with: &mut dyn Callbacks,)? call: &ddi::$Name) -> $Output {
                self.below().$method($($with,)? call)
            }
        )* }

        impl<L: DriverLayer> Driver for L { $(
            fn $method(&self, $($with: &mut dyn Callbacks,)? call: &ddi::$Name) -> $Output {
                DriverLayer::$method(self, $($with,)? call)
            }
        )* }
    };
}
for_each_ddi_call!(driver_trait);

pub(crate) use ddi::describe;

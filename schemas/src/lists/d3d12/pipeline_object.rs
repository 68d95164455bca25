//! d3d12.h, ID3D12Device: objects of pipelines whose contents the runtime does not read.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_pipeline_object_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a root signature. d3d12.h: ID3D12Device::CreateRootSignature.
            113 CreateRootSignature [device, objects] creates RootSignatureId = create_root_signature(
                /// The creating device.
                device: DeviceId,
                /// nodeMask.
                node_mask: u32 as Flags,
                /// pBlobWithRootSignature.
                blob: Bytes,
            ) -> HResult<RootSignatureId>;

            /// Releases the last reference to a root signature. unknwn.h: IUnknown::Release.
            114 ReleaseRootSignature [objects] = release_root_signature(
                /// The root signature.
                root_signature: RootSignatureId,
            ) -> HResult<()>;

            /// Creates a query heap. d3d12.h: ID3D12Device::CreateQueryHeap.
            115 CreateQueryHeap [device, objects] creates QueryHeapId = create_query_heap(
                /// The creating device.
                device: DeviceId,
                /// pDesc.
                desc: QueryHeapDesc,
            ) -> HResult<QueryHeapId>;

            /// Releases the last reference to a query heap. unknwn.h: IUnknown::Release.
            116 ReleaseQueryHeap [objects] = release_query_heap(
                /// The query heap.
                query_heap: QueryHeapId,
            ) -> HResult<()>;

            /// Creates a command signature. d3d12.h: ID3D12Device::CreateCommandSignature.
            117 CreateCommandSignature [device, objects] creates CommandSignatureId = create_command_signature(
                /// The creating device.
                device: DeviceId,
                /// pDesc, without its arguments.
                desc: CommandSignatureDesc,
                /// Type of each element of pDesc->pArgumentDescs, a D3D12_INDIRECT_ARGUMENT_TYPE.
                argument_types: Vec<u32>,
                /// pRootSignature; may be NULL.
                root_signature: RootSignatureId,
            ) -> HResult<CommandSignatureId>;

            /// Releases the last reference to a command signature. unknwn.h: IUnknown::Release.
            118 ReleaseCommandSignature [objects] = release_command_signature(
                /// The command signature.
                command_signature: CommandSignatureId,
            ) -> HResult<()>;

            /// Creates a pipeline state for draws whose shaders the runtime does not read. d3d12.h:
            /// ID3D12Device::CreateGraphicsPipelineState.
            119 CreateOpaqueGraphicsPipelineState [device, objects] creates PipelineStateId = create_opaque_graphics_pipeline_state(
                /// The creating device.
                device: DeviceId,
                /// pRootSignature; may be NULL.
                root_signature: RootSignatureId,
                /// VS, PS, DS, HS, GS; without those of length 0.
                shaders: Vec<OpaqueShader>,
            ) -> HResult<PipelineStateId>;

            /// Creates a pipeline state for dispatches whose shader the runtime does not read. d3d12.h:
            /// ID3D12Device::CreateComputePipelineState.
            120 CreateOpaqueComputePipelineState [device, objects] creates PipelineStateId = create_opaque_compute_pipeline_state(
                /// The creating device.
                device: DeviceId,
                /// pRootSignature; may be NULL.
                root_signature: RootSignatureId,
                /// CS; without elements if its length is 0.
                shaders: Vec<OpaqueShader>,
            ) -> HResult<PipelineStateId>;
        }
    };
}

//! d3d12.h, ID3D12GraphicsCommandList: state for subsequent draws and dispatches.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_list_state_calls {
    ($handler:ident $($with:tt)*) => {
        $crate::with_bindings_of_both_pipelines! { $handler [$($with)*] {
            /// Resets the state of a command list; a pipeline state may be set. d3d12.h:
            /// ID3D12GraphicsCommandList::ClearState.
            68 ClearCommandListState [objects] = clear_command_list_state(
                /// The command list.
                command_list: CommandListId,
                /// pPipelineState; may be NULL.
                pipeline_state: PipelineStateId,
            ) -> HResult<()>;

            /// Sets the primitive topology. d3d12.h: ID3D12GraphicsCommandList::IASetPrimitiveTopology.
            69 IASetPrimitiveTopology [objects] = ia_set_primitive_topology(
                /// The command list.
                command_list: CommandListId,
                /// PrimitiveTopology, a D3D_PRIMITIVE_TOPOLOGY.
                primitive_topology: u32,
            ) -> HResult<()>;

            /// Binds an index buffer. d3d12.h: ID3D12GraphicsCommandList::IASetIndexBuffer.
            70 IASetIndexBuffer [objects] = ia_set_index_buffer(
                /// The command list.
                command_list: CommandListId,
                /// pView; NULL unbinds.
                view: Option<IndexBufferView>,
            ) -> HResult<()>;

            /// Binds vertex buffers. d3d12.h: ID3D12GraphicsCommandList::IASetVertexBuffers.
            71 IASetVertexBuffers [objects] = ia_set_vertex_buffers(
                /// The command list.
                command_list: CommandListId,
                /// StartSlot.
                start_slot: u32 as Count,
                /// pViews; without elements for NULL.
                views: Vec<VertexBufferView>,
                /// NumViews.
                num_views: u32 as Count,
            ) -> HResult<()>;

            /// Binds buffers of stream output. d3d12.h: ID3D12GraphicsCommandList::SOSetTargets.
            72 SOSetTargets [objects] = so_set_targets(
                /// The command list.
                command_list: CommandListId,
                /// StartSlot.
                start_slot: u32 as Count,
                /// pViews; without elements for NULL.
                views: Vec<StreamOutputBufferView>,
                /// NumViews.
                num_views: u32 as Count,
            ) -> HResult<()>;

            /// Sets viewports. d3d12.h: ID3D12GraphicsCommandList::RSSetViewports.
            73 RSSetViewports [objects] = rs_set_viewports(
                /// The command list.
                command_list: CommandListId,
                /// pViewports.
                viewports: Vec<Viewport>,
            ) -> HResult<()>;

            /// Sets scissor rectangles. d3d12.h: ID3D12GraphicsCommandList::RSSetScissorRects.
            74 RSSetScissorRects [objects] = rs_set_scissor_rects(
                /// The command list.
                command_list: CommandListId,
                /// pRects.
                rects: Vec<Rect>,
            ) -> HResult<()>;

            /// Sets the blend factor. d3d12.h: ID3D12GraphicsCommandList::OMSetBlendFactor.
            75 OMSetBlendFactor [objects] = om_set_blend_factor(
                /// The command list.
                command_list: CommandListId,
                /// BlendFactor; without elements for NULL. Bits of floats.
                blend_factor: Vec<u32>,
            ) -> HResult<()>;

            /// Sets the reference value of stencil tests. d3d12.h: ID3D12GraphicsCommandList::OMSetStencilRef.
            76 OMSetStencilRef [objects] = om_set_stencil_ref(
                /// The command list.
                command_list: CommandListId,
                /// StencilRef.
                stencil_ref: u32,
            ) -> HResult<()>;

            /// Binds render targets and a depth-stencil buffer. d3d12.h:
            /// ID3D12GraphicsCommandList::OMSetRenderTargets.
            77 OMSetRenderTargets [objects] = om_set_render_targets(
                /// The command list.
                command_list: CommandListId,
                /// pRenderTargetDescriptors; one element for a range of descriptors.
                render_targets: Vec<CpuDescriptorHandle>,
                /// NumRenderTargetDescriptors.
                num_render_targets: u32 as Count,
                /// RTsSingleHandleToDescriptorRange.
                single_handle_to_descriptor_range: bool,
                /// pDepthStencilDescriptor.
                depth_stencil: Option<CpuDescriptorHandle>,
            ) -> HResult<()>;

            /// Sets descriptor heaps. d3d12.h: ID3D12GraphicsCommandList::SetDescriptorHeaps.
            78 SetDescriptorHeaps [objects] = set_descriptor_heaps(
                /// The command list.
                command_list: CommandListId,
                /// ppDescriptorHeaps.
                descriptor_heaps: Vec<DescriptorHeapId>,
            ) -> HResult<()>;
        } {
            /// Sets the root signature of subsequent
            79 SetComputeRootSignature = set_compute_root_signature
                " dispatches. d3d12.h: ID3D12GraphicsCommandList::SetComputeRootSignature.",
            85 SetGraphicsRootSignature = set_graphics_root_signature
                " draws. d3d12.h: ID3D12GraphicsCommandList::SetGraphicsRootSignature.":
            (
                /// pRootSignature; may be NULL.
                root_signature: RootSignatureId,
            );

            /// Binds a descriptor table to
            80 SetComputeRootDescriptorTable = set_compute_root_descriptor_table
                " dispatches. d3d12.h: ID3D12GraphicsCommandList::SetComputeRootDescriptorTable.",
            86 SetGraphicsRootDescriptorTable = set_graphics_root_descriptor_table
                " draws. d3d12.h: ID3D12GraphicsCommandList::SetGraphicsRootDescriptorTable.":
            (
                /// RootParameterIndex.
                root_parameter_index: u32 as Count,
                /// BaseDescriptor.
                base_descriptor: GpuDescriptorHandle,
            );

            /// Sets one constant of
            81 SetComputeRoot32BitConstant = set_compute_root32_bit_constant
                " dispatches. d3d12.h: ID3D12GraphicsCommandList::SetComputeRoot32BitConstant.",
            87 SetGraphicsRoot32BitConstant = set_graphics_root32_bit_constant
                " draws. d3d12.h: ID3D12GraphicsCommandList::SetGraphicsRoot32BitConstant.":
            (
                /// RootParameterIndex.
                root_parameter_index: u32 as Count,
                /// SrcData.
                src_data: u32,
                /// DestOffsetIn32BitValues.
                dest_offset_in_32bit_values: u32 as Count,
            );

            /// Binds a buffer to
            82 SetComputeRootConstantBufferView = set_compute_root_constant_buffer_view
                " dispatches by its address. d3d12.h: ID3D12GraphicsCommandList::SetComputeRootConstantBufferView.",
            88 SetGraphicsRootConstantBufferView = set_graphics_root_constant_buffer_view
                " draws by its address. d3d12.h: ID3D12GraphicsCommandList::SetGraphicsRootConstantBufferView.":
            (
                /// RootParameterIndex.
                root_parameter_index: u32 as Count,
                /// BufferLocation.
                buffer_location: GpuVirtualAddress,
            );

            /// Binds a buffer to
            83 SetComputeRootShaderResourceView = set_compute_root_shader_resource_view
                " dispatches by its address. d3d12.h: ID3D12GraphicsCommandList::SetComputeRootShaderResourceView.",
            89 SetGraphicsRootShaderResourceView = set_graphics_root_shader_resource_view
                " draws by its address. d3d12.h: ID3D12GraphicsCommandList::SetGraphicsRootShaderResourceView.":
            (
                /// RootParameterIndex.
                root_parameter_index: u32 as Count,
                /// BufferLocation.
                buffer_location: GpuVirtualAddress,
            );

            /// Binds a buffer to
            84 SetComputeRootUnorderedAccessView = set_compute_root_unordered_access_view
                " dispatches by its address. d3d12.h: ID3D12GraphicsCommandList::SetComputeRootUnorderedAccessView.",
            90 SetGraphicsRootUnorderedAccessView = set_graphics_root_unordered_access_view
                " draws by its address. d3d12.h: ID3D12GraphicsCommandList::SetGraphicsRootUnorderedAccessView.":
            (
                /// RootParameterIndex.
                root_parameter_index: u32 as Count,
                /// BufferLocation.
                buffer_location: GpuVirtualAddress,
            );
        } {
            /// Sets predication. d3d12.h: ID3D12GraphicsCommandList::SetPredication.
            91 SetPredication [objects] = set_predication(
                /// The command list.
                command_list: CommandListId,
                /// pBuffer; NULL ends predication.
                buffer: ResourceId,
                /// AlignedBufferOffset, in bytes.
                aligned_buffer_offset_bytes: u64 as Offset,
                /// Operation, a D3D12_PREDICATION_OP.
                operation: u32,
            ) -> HResult<()>;
        } }
    };
}

/// Calls `$handler!` with all entries. An entry of the second group is two methods with the same arguments, one for
/// dispatches and one for draws, whose documentation has the same begin.
#[doc(hidden)]
#[macro_export]
macro_rules! with_bindings_of_both_pipelines {
    ($handler:ident $with:tt { $($before:tt)* } { $(
        #[doc = $begin:literal]
        $compute_id:literal $Compute:ident = $compute:ident $compute_doc:literal,
        $graphics_id:literal $Graphics:ident = $graphics:ident $graphics_doc:literal:
        ( $($arguments:tt)* );
    )* } { $($after:tt)* }) => {
        $handler! { $with
            $($before)*
            $(
                #[doc = $begin]
                #[doc = $compute_doc]
                $compute_id $Compute [objects] = $compute(
                    /// The command list.
                    command_list: CommandListId,
                    $($arguments)*
                ) -> HResult<()>;
            )*
            $(
                #[doc = $begin]
                #[doc = $graphics_doc]
                $graphics_id $Graphics [objects] = $graphics(
                    /// The command list.
                    command_list: CommandListId,
                    $($arguments)*
                ) -> HResult<()>;
            )*
            $($after)*
        }
    };
}

//! ID3D11DeviceContext. Every call names its context first, and takes that context's lock.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Copies a resource; for a direct-access pair, binds the staging texture to the memory of the other
            /// texture (rule T-04). d3d11.h: ID3D11DeviceContext::CopyResource, which returns nothing.
            1060 CopyResource [extension, context, unpinned] = copy_resource(
                /// The context.
                context: D3d11ContextId,
                /// pDstResource.
                destination: D3d11ResourceId,
                /// pSrcResource.
                source: D3d11ResourceId,
            ) -> HResult<CopyOutcome>;

            /// Maps a subresource for access by the CPU. d3d11.h: ID3D11DeviceContext::Map.
            1061 Map [extension, context, unpinned] = map(
                /// The context.
                context: D3d11ContextId,
                /// pResource.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// MapType.
                map_type: MapType,
                /// MapFlags.
                map_flags: MapFlags,
            ) -> HResult<SharedMapData>;

            /// Unmaps a subresource. d3d11.h: ID3D11DeviceContext::Unmap, which returns nothing.
            1062 Unmap [extension, context, unpinned] = unmap(
                /// The context.
                context: D3d11ContextId,
                /// pResource.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
            ) -> HResult<()>;

            /// Binds a blend state. d3d11.h: ID3D11DeviceContext::OMSetBlendState, which returns nothing.
            1063 OMSetBlendState [context, unpinned] = om_set_blend_state(
                /// The context.
                context: D3d11ContextId,
                /// pBlendState; null is the default.
                blend_state: D3d11StateId,
                /// BlendFactor: the bits of four floats; none is four times 1.
                blend_factor: Vec<u32>,
                /// SampleMask.
                sample_mask: u32 as Flags,
            ) -> HResult<()>;

            /// Binds views to a stage of shaders. d3d11.h: ID3D11DeviceContext::VSSetShaderResources and so on, which
            /// return nothing.
            1064 SetShaderResources [context, unpinned] = set_shader_resources(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// StartSlot.
                start_slot: u32 as Count,
                /// ppShaderResourceViews.
                views: Vec<D3d11ViewId>,
            ) -> HResult<()>;

            /// Binds constant buffers to a stage of shaders. d3d11.h: ID3D11DeviceContext::VSSetConstantBuffers and so
            /// on, which return nothing.
            1065 SetConstantBuffers [context, unpinned] = set_constant_buffers(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// StartSlot.
                start_slot: u32 as Count,
                /// ppConstantBuffers.
                buffers: Vec<D3d11ResourceId>,
            ) -> HResult<()>;

            /// Draws. d3d11.h: ID3D11DeviceContext::Draw, which returns nothing.
            1066 Draw [context] = draw(
                /// The context.
                context: D3d11ContextId,
                /// VertexCount.
                vertex_count: u32 as Count,
                /// StartVertexLocation.
                start_vertex_location: u32 as Count,
            ) -> HResult<()>;

            /// Unbinds everything, and sets every state to its default. d3d11.h: ID3D11DeviceContext::ClearState, which
            /// returns nothing.
            1067 ClearState [context] = clear_state(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<()>;

            /// Submits the immediate context's commands; the context releases objects that are no longer bound. A
            /// deferred one ignores it. d3d11.h: ID3D11DeviceContext::Flush, which returns nothing.
            1068 Flush [device, context, objects] = flush(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<()>;

            /// Stores the immediate context's bindings in the context-state object in use, and restores those of
            /// another; the result is the former object, with an added reference. A deferred context ignores it.
            /// d3d11_1.h: ID3D11DeviceContext1::SwapDeviceContextState, which returns nothing.
            1090 SwapDeviceContextState [device, context, objects] creates D3d11ContextStateId = swap_device_context_state(
                /// The context.
                context: D3d11ContextId,
                /// pState; null changes nothing.
                state: D3d11ContextStateId,
            ) -> HResult<D3d11ContextStateId>;
        }
    };
}

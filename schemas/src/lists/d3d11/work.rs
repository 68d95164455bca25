//! ID3D11DeviceContext: draws, clears and writes.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_work_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Draws with indices. d3d11.h: ID3D11DeviceContext::DrawIndexed, which returns nothing.
            1082 DrawIndexed [context] = draw_indexed(
                /// The context.
                context: D3d11ContextId,
                /// IndexCount.
                index_count: u32 as Count,
                /// StartIndexLocation.
                start_index_location: u32 as Count,
                /// BaseVertexLocation, as bits.
                base_vertex_location: u32,
            ) -> HResult<()>;

            /// Draws instances. d3d11.h: ID3D11DeviceContext::DrawInstanced, which returns nothing.
            1083 DrawInstanced [context] = draw_instanced(
                /// The context.
                context: D3d11ContextId,
                /// VertexCountPerInstance.
                vertex_count_per_instance: u32 as Count,
                /// InstanceCount.
                instance_count: u32 as Count,
                /// StartVertexLocation.
                start_vertex_location: u32 as Count,
                /// StartInstanceLocation.
                start_instance_location: u32 as Count,
            ) -> HResult<()>;

            /// Draws instances with indices. d3d11.h: ID3D11DeviceContext::DrawIndexedInstanced, which returns nothing.
            1084 DrawIndexedInstanced [context] = draw_indexed_instanced(
                /// The context.
                context: D3d11ContextId,
                /// IndexCountPerInstance.
                index_count_per_instance: u32 as Count,
                /// InstanceCount.
                instance_count: u32 as Count,
                /// StartIndexLocation.
                start_index_location: u32 as Count,
                /// BaseVertexLocation, as bits.
                base_vertex_location: u32,
                /// StartInstanceLocation.
                start_instance_location: u32 as Count,
            ) -> HResult<()>;

            /// Starts thread groups of the compute shader. d3d11.h: ID3D11DeviceContext::Dispatch, which returns
            /// nothing.
            1085 Dispatch [context] = dispatch(
                /// The context.
                context: D3d11ContextId,
                /// ThreadGroupCountX.
                thread_group_count_x: u32 as Count,
                /// ThreadGroupCountY.
                thread_group_count_y: u32 as Count,
                /// ThreadGroupCountZ.
                thread_group_count_z: u32 as Count,
            ) -> HResult<()>;

            /// Clears a target. d3d11.h: ID3D11DeviceContext::ClearRenderTargetView, which returns nothing.
            1086 ClearRenderTargetView [context, unpinned] = clear_render_target_view(
                /// The context.
                context: D3d11ContextId,
                /// pRenderTargetView.
                view: D3d11ViewId,
                /// ColorRGBA: the bits of four floats.
                color: Vec<u32>,
            ) -> HResult<()>;

            /// Clears depth and stencil. d3d11.h: ID3D11DeviceContext::ClearDepthStencilView, which returns nothing.
            1087 ClearDepthStencilView [context, unpinned] = clear_depth_stencil_view(
                /// The context.
                context: D3d11ContextId,
                /// pDepthStencilView.
                view: D3d11ViewId,
                /// ClearFlags.
                clear_flags: ClearFlags,
                /// Depth: the bits of a float.
                depth: u32,
                /// Stencil.
                stencil: u32,
            ) -> HResult<()>;

            /// Clears a view. d3d11.h: ID3D11DeviceContext::ClearUnorderedAccessViewUint, which returns nothing.
            1088 ClearUnorderedAccessViewUint [context, unpinned] = clear_unordered_access_view_uint(
                /// The context.
                context: D3d11ContextId,
                /// pUnorderedAccessView.
                view: D3d11ViewId,
                /// Values: four.
                values: Vec<u32>,
            ) -> HResult<()>;

            /// Writes a whole subresource. d3d11.h: ID3D11DeviceContext::UpdateSubresource, which returns nothing.
            1089 UpdateSubresource [context, unpinned] = update_subresource(
                /// The context.
                context: D3d11ContextId,
                /// pDstResource.
                resource: D3d11ResourceId,
                /// DstSubresource.
                subresource: u32 as Count,
                /// The bytes at pSrcData; fewer than the subresource has if the rest does not matter.
                data: Bytes,
            ) -> HResult<()>;
        }
    };
}

//! Draws, clears and writes of a context.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_work_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Draws with indices. d3d10umddi.h: PFND3D10DDI_DRAWINDEXED.
            3950 DrawIndexed with memory = draw_indexed(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// IndexCount.
                index_count: u32 as Count,
                /// StartIndexLocation.
                start_index: u32 as Count,
                /// BaseVertexLocation, as bits.
                base_vertex: u32,
            ) -> ();

            /// Draws instances. d3d10umddi.h: PFND3D10DDI_DRAWINSTANCED.
            3951 DrawInstanced with memory = draw_instanced(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// VertexCountPerInstance.
                vertex_count: u32 as Count,
                /// InstanceCount.
                instance_count: u32 as Count,
                /// StartVertexLocation.
                start_vertex: u32 as Count,
                /// StartInstanceLocation.
                start_instance: u32 as Count,
            ) -> ();

            /// Draws instances with indices. d3d10umddi.h: PFND3D10DDI_DRAWINDEXEDINSTANCED.
            3952 DrawIndexedInstanced with memory = draw_indexed_instanced(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// IndexCountPerInstance.
                index_count: u32 as Count,
                /// InstanceCount.
                instance_count: u32 as Count,
                /// StartIndexLocation.
                start_index: u32 as Count,
                /// BaseVertexLocation, as bits.
                base_vertex: u32,
                /// StartInstanceLocation.
                start_instance: u32 as Count,
            ) -> ();

            /// Starts thread groups. d3d10umddi.h: PFND3D11DDI_DISPATCH.
            3953 Dispatch with memory = dispatch(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// ThreadGroupCountX.
                x: u32 as Count,
                /// ThreadGroupCountY.
                y: u32 as Count,
                /// ThreadGroupCountZ.
                z: u32 as Count,
            ) -> ();

            /// Clears a target. d3d10umddi.h: PFND3D10DDI_CLEARRENDERTARGETVIEW.
            3954 ClearRenderTargetView with memory = clear_render_target_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRenderTargetView.
                view: DriverHandle,
                /// pColorRGBA: the bits of four floats.
                color: Vec<u32>,
            ) -> ();

            /// Clears depth and stencil. d3d10umddi.h: PFND3D10DDI_CLEARDEPTHSTENCILVIEW.
            3955 ClearDepthStencilView with memory = clear_depth_stencil_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilView.
                view: DriverHandle,
                /// ClearFlags.
                flags: ClearFlags,
                /// Depth: the bits of a float.
                depth: u32,
                /// Stencil.
                stencil: u32,
            ) -> ();

            /// Clears a view. d3d10umddi.h: PFND3D11DDI_CLEARUNORDEREDACCESSVIEWUINT.
            3956 ClearUnorderedAccessViewUint with memory = clear_unordered_access_view_uint(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvUnorderedAccessView.
                view: DriverHandle,
                /// Values: four.
                values: Vec<u32>,
            ) -> ();

            /// Writes a resource. d3d10umddi.h: PFND3D10DDI_RESOURCEUPDATESUBRESOURCEUP.
            3957 ResourceUpdateSubresource with memory = resource_update_subresource(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                resource: DriverHandle,
                /// Subresource.
                subresource: u32 as Count,
                /// Size of the data at pSysMemUP, in bytes.
                size_bytes: u64 as Size,
            ) -> ();
        }
    };
}

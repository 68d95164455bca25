//! Bindings of a context other than those in `context.rs`.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_pipeline_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Binds samplers. d3d10umddi.h: PFND3D10DDI_SETSAMPLERS (pfnVsSetSamplers and so on, by stage).
            3925 SetSamplers with memory = set_samplers(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The stage of shaders.
                stage: ShaderStage,
                /// Offset: the first slot.
                start_slot: u32 as Count,
                /// hDrvSamplers.
                samplers: Vec<DriverHandle>,
            ) -> ();

            /// Binds a shader. d3d10umddi.h: PFND3D10DDI_SETSHADER (pfnVsSetShader and so on, by stage).
            3926 SetShader with memory = set_shader(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The stage of shaders.
                stage: ShaderStage,
                /// hDrvShader.
                shader: DriverHandle,
            ) -> ();

            /// Binds an input layout. d3d10umddi.h: PFND3D10DDI_IA_SETINPUTLAYOUT.
            3927 IaSetInputLayout with memory = ia_set_input_layout(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvElementLayout.
                input_layout: DriverHandle,
            ) -> ();

            /// Binds vertex buffers. d3d10umddi.h: PFND3D10DDI_IA_SETVERTEXBUFFERS.
            3928 IaSetVertexBuffers with memory = ia_set_vertex_buffers(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// StartBuffer: the first slot.
                start_slot: u32 as Count,
                /// hDrvResources.
                buffers: Vec<DriverHandle>,
                /// pStrides, in bytes.
                strides_bytes: Vec<u32>,
                /// pOffsets, in bytes.
                offsets_bytes: Vec<u32>,
            ) -> ();

            /// Binds an index buffer. d3d10umddi.h: PFND3D10DDI_IA_SETINDEXBUFFER.
            3929 IaSetIndexBuffer with memory = ia_set_index_buffer(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                buffer: DriverHandle,
                /// Format.
                format: Format,
                /// Offset, in bytes.
                offset_bytes: u32 as Offset,
            ) -> ();

            /// Sets the primitive topology. d3d10umddi.h: PFND3D10DDI_IA_SETTOPOLOGY.
            3930 IaSetTopology with memory = ia_set_topology(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// PrimitiveTopology.
                topology: PrimitiveTopology,
            ) -> ();

            /// Binds a rasterizer state. d3d10umddi.h: PFND3D10DDI_SETRASTERIZERSTATE.
            3931 SetRasterizerState with memory = set_rasterizer_state(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRasterizerState.
                rasterizer_state: DriverHandle,
            ) -> ();

            /// Sets the viewports. d3d10umddi.h: PFND3D10DDI_SETVIEWPORTS.
            3932 SetViewports with memory = set_viewports(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// pViewports.
                viewports: Vec<D3d11Viewport>,
            ) -> ();

            /// Sets the scissor rectangles. d3d10umddi.h: PFND3D10DDI_SETSCISSORRECTS.
            3933 SetScissorRects with memory = set_scissor_rects(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// pRects.
                rects: Vec<D3d11Rect>,
            ) -> ();

            /// Binds render targets. d3d10umddi.h: PFND3D11DDI_SETRENDERTARGETS.
            3934 SetRenderTargets with memory = set_render_targets(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRenderTargetViews.
                render_targets: Vec<DriverHandle>,
                /// hDrvDepthStencilView.
                depth_stencil: DriverHandle,
            ) -> ();

            /// Binds views that compute shaders write. d3d10umddi.h: PFND3D11DDI_SETUNORDEREDACCESSVIEWS.
            3935 CsSetUnorderedAccessViews with memory = cs_set_unordered_access_views(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// Offset: the first slot.
                start_slot: u32 as Count,
                /// hDrvUnorderedAccessViews.
                views: Vec<DriverHandle>,
            ) -> ();

            /// Binds a depth-stencil state. d3d10umddi.h: PFND3D10DDI_SETDEPTHSTENCILSTATE.
            3936 SetDepthStencilState with memory = set_depth_stencil_state(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilState.
                depth_stencil_state: DriverHandle,
                /// StencilRef.
                stencil_ref: u32,
            ) -> ();

            /// Binds a predicate. d3d10umddi.h: PFND3D10DDI_SETPREDICATION.
            3937 SetPredication with memory = set_predication(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery.
                query: DriverHandle,
                /// PredicateValue.
                value: bool,
            ) -> ();
        }
    };
}

//! ID3D11DeviceContext: bindings other than those in `context.rs`.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_pipeline_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Binds an input layout. d3d11.h: ID3D11DeviceContext::IASetInputLayout, which returns nothing.
            1069 IASetInputLayout [context, unpinned] = ia_set_input_layout(
                /// The context.
                context: D3d11ContextId,
                /// pInputLayout.
                input_layout: D3d11InputLayoutId,
            ) -> HResult<()>;

            /// Binds vertex buffers. d3d11.h: ID3D11DeviceContext::IASetVertexBuffers, which returns nothing.
            1070 IASetVertexBuffers [context, unpinned] = ia_set_vertex_buffers(
                /// The context.
                context: D3d11ContextId,
                /// StartSlot.
                start_slot: u32 as Count,
                /// ppVertexBuffers, pStrides and pOffsets.
                vertex_buffers: Vec<VertexBufferBinding>,
            ) -> HResult<()>;

            /// Binds an index buffer. d3d11.h: ID3D11DeviceContext::IASetIndexBuffer, which returns nothing.
            1071 IASetIndexBuffer [context, unpinned] = ia_set_index_buffer(
                /// The context.
                context: D3d11ContextId,
                /// pIndexBuffer.
                index_buffer: D3d11ResourceId,
                /// Format.
                format: Format,
                /// Offset, in bytes.
                offset_bytes: u32 as Offset,
            ) -> HResult<()>;

            /// Sets the primitive topology. d3d11.h: ID3D11DeviceContext::IASetPrimitiveTopology, which returns
            /// nothing.
            1072 IASetPrimitiveTopology [context, unpinned] = ia_set_primitive_topology(
                /// The context.
                context: D3d11ContextId,
                /// Topology.
                topology: PrimitiveTopology,
            ) -> HResult<()>;

            /// Binds a shader to its stage. d3d11.h: ID3D11DeviceContext::VSSetShader and so on, which return nothing.
            1073 SetShader [context, unpinned] = set_shader(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// pVertexShader and so on.
                shader: D3d11ShaderId,
            ) -> HResult<()>;

            /// Binds samplers to a stage of shaders. d3d11.h: ID3D11DeviceContext::VSSetSamplers and so on, which
            /// return nothing.
            1074 SetSamplers [context, unpinned] = set_samplers(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// StartSlot.
                start_slot: u32 as Count,
                /// ppSamplers.
                samplers: Vec<D3d11StateId>,
            ) -> HResult<()>;

            /// Binds a rasterizer state. d3d11.h: ID3D11DeviceContext::RSSetState, which returns nothing.
            1075 RSSetState [context, unpinned] = rs_set_state(
                /// The context.
                context: D3d11ContextId,
                /// pRasterizerState; null is the default.
                rasterizer_state: D3d11StateId,
            ) -> HResult<()>;

            /// Sets the viewports. d3d11.h: ID3D11DeviceContext::RSSetViewports, which returns nothing.
            1076 RSSetViewports [context, unpinned] = rs_set_viewports(
                /// The context.
                context: D3d11ContextId,
                /// pViewports.
                viewports: Vec<D3d11Viewport>,
            ) -> HResult<()>;

            /// Sets the scissor rectangles. d3d11.h: ID3D11DeviceContext::RSSetScissorRects, which returns nothing.
            1077 RSSetScissorRects [context, unpinned] = rs_set_scissor_rects(
                /// The context.
                context: D3d11ContextId,
                /// pRects.
                rects: Vec<D3d11Rect>,
            ) -> HResult<()>;

            /// Binds render targets; their resources are unbound as inputs (rule H-83). d3d11.h:
            /// ID3D11DeviceContext::OMSetRenderTargets, which returns nothing.
            1078 OMSetRenderTargets [context, unpinned] = om_set_render_targets(
                /// The context.
                context: D3d11ContextId,
                /// ppRenderTargetViews.
                render_targets: Vec<D3d11ViewId>,
                /// pDepthStencilView.
                depth_stencil: D3d11ViewId,
            ) -> HResult<()>;

            /// Binds a depth-stencil state. d3d11.h: ID3D11DeviceContext::OMSetDepthStencilState, which returns
            /// nothing.
            1079 OMSetDepthStencilState [context, unpinned] = om_set_depth_stencil_state(
                /// The context.
                context: D3d11ContextId,
                /// pDepthStencilState; null is the default.
                depth_stencil_state: D3d11StateId,
                /// StencilRef.
                stencil_ref: u32,
            ) -> HResult<()>;

            /// Binds views that compute shaders write; their resources are unbound as inputs (rule H-83). d3d11.h:
            /// ID3D11DeviceContext::CSSetUnorderedAccessViews, which returns nothing.
            1080 CSSetUnorderedAccessViews [context, unpinned] = cs_set_unordered_access_views(
                /// The context.
                context: D3d11ContextId,
                /// StartSlot.
                start_slot: u32 as Count,
                /// ppUnorderedAccessViews.
                views: Vec<D3d11ViewId>,
            ) -> HResult<()>;

            /// Makes subsequent draws depend on a predicate. d3d11.h: ID3D11DeviceContext::SetPredication, which
            /// returns nothing.
            1081 SetPredication [context, unpinned] = set_predication(
                /// The context.
                context: D3d11ContextId,
                /// pPredicate; null is none.
                predicate: D3d11QueryId,
                /// PredicateValue.
                value: bool,
            ) -> HResult<()>;
        }
    };
}

//! ID3D11DeviceContext: what is bound, asked for.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_binding_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// The views that are bound to a stage. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::VSGetShaderResources and so on.
            1150 GetShaderResources [context, opens] = get_shader_resources(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// StartSlot.
                start_slot: u32 as Count,
                /// How many slots.
                count: u32 as Count,
            ) -> HResult<Vec<D3d11ViewId>>;

            /// The constant buffers that are bound to a stage. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::VSGetConstantBuffers and so on.
            1151 GetConstantBuffers [context, opens] = get_constant_buffers(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// StartSlot.
                start_slot: u32 as Count,
                /// How many slots.
                count: u32 as Count,
            ) -> HResult<Vec<D3d11ResourceId>>;

            /// The samplers that are bound to a stage. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::VSGetSamplers and so on.
            1152 GetSamplers [context, opens] = get_samplers(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// StartSlot.
                start_slot: u32 as Count,
                /// How many slots.
                count: u32 as Count,
            ) -> HResult<Vec<D3d11StateId>>;

            /// The shader that is bound to a stage. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::VSGetShader and so on.
            1153 GetShader [context, opens] = get_shader(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
            ) -> HResult<D3d11ShaderId>;

            /// The input layout that is bound. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::IAGetInputLayout.
            1154 IAGetInputLayout [context, opens] = ia_get_input_layout(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<D3d11InputLayoutId>;

            /// The vertex buffers that are bound. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::IAGetVertexBuffers.
            1155 IAGetVertexBuffers [context, opens] = ia_get_vertex_buffers(
                /// The context.
                context: D3d11ContextId,
                /// StartSlot.
                start_slot: u32 as Count,
                /// How many slots.
                count: u32 as Count,
            ) -> HResult<Vec<VertexBufferBinding>>;

            /// The index buffer that is bound. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::IAGetIndexBuffer.
            1156 IAGetIndexBuffer [context, opens] = ia_get_index_buffer(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<IndexBufferBinding>;

            /// The topology of primitives. d3d11.h: ID3D11DeviceContext::IAGetPrimitiveTopology.
            1157 IAGetPrimitiveTopology [context, opens] = ia_get_primitive_topology(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<PrimitiveTopology>;

            /// The rasterizer state that is bound. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::RSGetState.
            1158 RSGetState [context, opens] = rs_get_state(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<D3d11StateId>;

            /// The viewports. d3d11.h: ID3D11DeviceContext::RSGetViewports.
            1159 RSGetViewports [context, opens] = rs_get_viewports(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<Vec<D3d11Viewport>>;

            /// The scissor rectangles. d3d11.h: ID3D11DeviceContext::RSGetScissorRects.
            1160 RSGetScissorRects [context, opens] = rs_get_scissor_rects(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<Vec<D3d11Rect>>;

            /// The targets that are bound. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::OMGetRenderTargets.
            1161 OMGetRenderTargets [context, opens] = om_get_render_targets(
                /// The context.
                context: D3d11ContextId,
                /// How many slots.
                count: u32 as Count,
            ) -> HResult<RenderTargetBinding>;

            /// The blend state that is bound, and what goes with it. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::OMGetBlendState.
            1162 OMGetBlendState [context, opens] = om_get_blend_state(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<BlendStateBinding>;

            /// The depth-stencil state that is bound, and what goes with it. What it gives has one reference more.
            /// d3d11.h: ID3D11DeviceContext::OMGetDepthStencilState.
            1163 OMGetDepthStencilState [context, opens] = om_get_depth_stencil_state(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<DepthStencilStateBinding>;

            /// The views that compute shaders write. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::CSGetUnorderedAccessViews.
            1164 CSGetUnorderedAccessViews [context, opens] = cs_get_unordered_access_views(
                /// The context.
                context: D3d11ContextId,
                /// StartSlot.
                start_slot: u32 as Count,
                /// How many slots.
                count: u32 as Count,
            ) -> HResult<Vec<D3d11ViewId>>;

            /// The predicate that draws depend on, and its value. What it gives has one reference more. d3d11.h:
            /// ID3D11DeviceContext::GetPredication.
            1165 GetPredication [context, opens] = get_predication(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<PredicationBinding>;
        }
    };
}

//! ID3D11DeviceContext: queries of bindings.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_binding_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Returns the views that are bound to a stage, with an added reference each. d3d11.h:
            /// ID3D11DeviceContext::VSGetShaderResources and so on.
            1150 GetShaderResources [context, unpinned] = get_shader_resources(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// StartSlot.
                start_slot: u32 as Count,
                /// Number of slots.
                count: u32 as Count,
            ) -> HResult<Vec<D3d11ViewId>>;

            /// Returns the constant buffers that are bound to a stage, with an added reference each. d3d11.h:
            /// ID3D11DeviceContext::VSGetConstantBuffers and so on.
            1151 GetConstantBuffers [context, unpinned] = get_constant_buffers(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// StartSlot.
                start_slot: u32 as Count,
                /// Number of slots.
                count: u32 as Count,
            ) -> HResult<Vec<D3d11ResourceId>>;

            /// Returns the samplers that are bound to a stage, with an added reference each. d3d11.h:
            /// ID3D11DeviceContext::VSGetSamplers and so on.
            1152 GetSamplers [context, unpinned] = get_samplers(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
                /// StartSlot.
                start_slot: u32 as Count,
                /// Number of slots.
                count: u32 as Count,
            ) -> HResult<Vec<D3d11StateId>>;

            /// Returns the shader that is bound to a stage, with an added reference. d3d11.h:
            /// ID3D11DeviceContext::VSGetShader and so on.
            1153 GetShader [context, unpinned] = get_shader(
                /// The context.
                context: D3d11ContextId,
                /// The stage.
                stage: ShaderStage,
            ) -> HResult<D3d11ShaderId>;

            /// Returns the bound input layout, with an added reference. d3d11.h: ID3D11DeviceContext::IAGetInputLayout.
            1154 IAGetInputLayout [context, unpinned] = ia_get_input_layout(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<D3d11InputLayoutId>;

            /// Returns the bound vertex buffers, with an added reference each. d3d11.h:
            /// ID3D11DeviceContext::IAGetVertexBuffers.
            1155 IAGetVertexBuffers [context, unpinned] = ia_get_vertex_buffers(
                /// The context.
                context: D3d11ContextId,
                /// StartSlot.
                start_slot: u32 as Count,
                /// Number of slots.
                count: u32 as Count,
            ) -> HResult<Vec<VertexBufferBinding>>;

            /// Returns the bound index buffer, with an added reference. d3d11.h: ID3D11DeviceContext::IAGetIndexBuffer.
            1156 IAGetIndexBuffer [context, unpinned] = ia_get_index_buffer(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<IndexBufferBinding>;

            /// Returns the primitive topology. d3d11.h: ID3D11DeviceContext::IAGetPrimitiveTopology.
            1157 IAGetPrimitiveTopology [context, unpinned] = ia_get_primitive_topology(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<PrimitiveTopology>;

            /// Returns the bound rasterizer state, with an added reference. d3d11.h: ID3D11DeviceContext::RSGetState.
            1158 RSGetState [context, unpinned] = rs_get_state(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<D3d11StateId>;

            /// Returns the viewports. d3d11.h: ID3D11DeviceContext::RSGetViewports.
            1159 RSGetViewports [context, unpinned] = rs_get_viewports(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<Vec<D3d11Viewport>>;

            /// Returns the scissor rectangles. d3d11.h: ID3D11DeviceContext::RSGetScissorRects.
            1160 RSGetScissorRects [context, unpinned] = rs_get_scissor_rects(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<Vec<D3d11Rect>>;

            /// Returns the bound render targets, with an added reference each. d3d11.h:
            /// ID3D11DeviceContext::OMGetRenderTargets.
            1161 OMGetRenderTargets [context, unpinned] = om_get_render_targets(
                /// The context.
                context: D3d11ContextId,
                /// Number of slots.
                count: u32 as Count,
            ) -> HResult<RenderTargetBinding>;

            /// Returns the bound blend state, with an added reference, and its parameters. d3d11.h:
            /// ID3D11DeviceContext::OMGetBlendState.
            1162 OMGetBlendState [context, unpinned] = om_get_blend_state(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<BlendStateBinding>;

            /// Returns the bound depth-stencil state, with an added reference, and its stencil reference. d3d11.h:
            /// ID3D11DeviceContext::OMGetDepthStencilState.
            1163 OMGetDepthStencilState [context, unpinned] = om_get_depth_stencil_state(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<DepthStencilStateBinding>;

            /// Returns the views that compute shaders write, with an added reference each. d3d11.h:
            /// ID3D11DeviceContext::CSGetUnorderedAccessViews.
            1164 CSGetUnorderedAccessViews [context, unpinned] = cs_get_unordered_access_views(
                /// The context.
                context: D3d11ContextId,
                /// StartSlot.
                start_slot: u32 as Count,
                /// Number of slots.
                count: u32 as Count,
            ) -> HResult<Vec<D3d11ViewId>>;

            /// Returns the predicate of draws, with an added reference, and its value. d3d11.h:
            /// ID3D11DeviceContext::GetPredication.
            1165 GetPredication [context, unpinned] = get_predication(
                /// The context.
                context: D3d11ContextId,
            ) -> HResult<PredicationBinding>;
        }
    };
}

//! Commands of a context: some bindings, draws, and Flush.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_context_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Binds a blend state. d3d10umddi.h: PFND3D10DDI_SETBLENDSTATE.
            3920 SetBlendState with memory = set_blend_state(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvBlendState; null is the default.
                blend_state: DriverHandle,
                /// BlendFactor: the bits of four floats.
                blend_factor: Vec<u32>,
                /// SampleMask.
                sample_mask: u32 as Flags,
            ) -> ();

            /// Binds views. d3d10umddi.h: PFND3D10DDI_SETSHADERRESOURCES (pfnVsSetShaderResources and so on, by stage).
            3921 SetShaderResources with memory = set_shader_resources(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The stage of shaders.
                stage: ShaderStage,
                /// Offset: the first slot.
                start_slot: u32 as Count,
                /// hDrvShaderResourceViews.
                views: Vec<DriverHandle>,
            ) -> ();

            /// Binds constant buffers. d3d10umddi.h: PFND3D10DDI_SETCONSTANTBUFFERS (pfnVsSetConstantBuffers and so on,
            /// by stage).
            3922 SetConstantBuffers with memory = set_constant_buffers(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The stage of shaders.
                stage: ShaderStage,
                /// StartBuffer: the first slot.
                start_slot: u32 as Count,
                /// hDrvResources.
                buffers: Vec<DriverHandle>,
            ) -> ();

            /// Draws. d3d10umddi.h: PFND3D10DDI_DRAW.
            3923 Draw with memory = draw(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// VertexCount.
                vertex_count: u32 as Count,
                /// StartVertexLocation.
                start_vertex: u32 as Count,
            ) -> ();

            /// Submits the immediate context's commands. d3d10umddi.h: PFND3D11DDI_FLUSH.
            3924 Flush with memory = flush(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
            ) -> ();
        }
    };
}

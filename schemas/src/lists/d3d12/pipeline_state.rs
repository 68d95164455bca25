//! d3d12.h, ID3D12PipelineState.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d12_pipeline_state_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a pipeline state for drawing. d3d12.h: ID3D12Device::CreateGraphicsPipelineState, of whose
            /// description the pixel shader alone is kept; its constants are the root signature.
            33 CreateGraphicsPipelineState [device, queue, objects] creates PipelineStateId = create_graphics_pipeline_state(
                /// The device that creates it.
                device: DeviceId,
                /// PS: a shader in the project's form, as JSON.
                shader: Bytes,
            ) -> HResult<PipelineStateId>;

            /// Creates a pipeline state for dispatches. d3d12.h: ID3D12Device::CreateComputePipelineState.
            34 CreateComputePipelineState [device, queue, objects] creates PipelineStateId = create_compute_pipeline_state(
                /// The device that creates it.
                device: DeviceId,
                /// CS: a shader in the project's form, as JSON.
                shader: Bytes,
            ) -> HResult<PipelineStateId>;

            /// Gives up the last reference to a pipeline state. unknwn.h: IUnknown::Release.
            35 ReleasePipelineState [queue, objects] = release_pipeline_state(
                /// The pipeline state.
                pipeline_state: PipelineStateId,
            ) -> HResult<()>;
        }
    };
}

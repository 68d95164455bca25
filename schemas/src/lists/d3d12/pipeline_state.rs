//! d3d12.h, ID3D12PipelineState.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_pipeline_state_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a pipeline state for draws. d3d12.h: ID3D12Device::CreateGraphicsPipelineState, with only the
            /// pixel shader of its description; the shader's constants are the root signature.
            33 CreateGraphicsPipelineState [device, queue, objects] creates PipelineStateId = create_graphics_pipeline_state(
                /// The creating device.
                device: DeviceId,
                /// PS: a shader in the project's JSON format.
                shader: Bytes,
            ) -> HResult<PipelineStateId>;

            /// Creates a pipeline state for dispatches. d3d12.h: ID3D12Device::CreateComputePipelineState.
            34 CreateComputePipelineState [device, queue, objects] creates PipelineStateId = create_compute_pipeline_state(
                /// The creating device.
                device: DeviceId,
                /// CS: a shader in the project's JSON format.
                shader: Bytes,
            ) -> HResult<PipelineStateId>;

            /// Releases the last reference to a pipeline state. unknwn.h: IUnknown::Release.
            35 ReleasePipelineState [queue, objects] = release_pipeline_state(
                /// The pipeline state.
                pipeline_state: PipelineStateId,
            ) -> HResult<()>;
        }
    };
}

//! ID3D11Device: state objects.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_state_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a blend state, or returns the one with the same description (rule H-12). d3d11.h:
            /// ID3D11Device::CreateBlendState.
            1110 CreateBlendState [device, objects] creates D3d11StateId = create_blend_state(
                /// The creating device.
                device: D3d11DeviceId,
                /// pBlendStateDesc.
                desc: BlendDesc,
            ) -> HResult<D3d11StateId>;

            /// Creates a depth-stencil state, or returns the one with the same description (rule H-12). d3d11.h:
            /// ID3D11Device::CreateDepthStencilState.
            1111 CreateDepthStencilState [device, objects] creates D3d11StateId = create_depth_stencil_state(
                /// The creating device.
                device: D3d11DeviceId,
                /// pDepthStencilDesc.
                desc: D3d11DepthStencilDesc,
            ) -> HResult<D3d11StateId>;

            /// Creates a rasterizer state, or returns the one with the same description (rule H-12). d3d11.h:
            /// ID3D11Device::CreateRasterizerState.
            1112 CreateRasterizerState [device, objects] creates D3d11StateId = create_rasterizer_state(
                /// The creating device.
                device: D3d11DeviceId,
                /// pRasterizerDesc.
                desc: D3d11RasterizerDesc,
            ) -> HResult<D3d11StateId>;

            /// Creates a sampler, or returns the one with the same description (rule H-12). d3d11.h:
            /// ID3D11Device::CreateSamplerState.
            1113 CreateSamplerState [device, objects] creates D3d11StateId = create_sampler_state(
                /// The creating device.
                device: D3d11DeviceId,
                /// pSamplerDesc.
                desc: D3d11SamplerDesc,
            ) -> HResult<D3d11StateId>;

            /// Returns the description of a depth-stencil state, with its unused members at their defaults. d3d11.h:
            /// ID3D11DepthStencilState::GetDesc, which returns nothing.
            1114 GetDepthStencilDesc [objects] = get_depth_stencil_desc(
                /// The state.
                state: D3d11StateId,
            ) -> HResult<D3d11DepthStencilDesc>;
        }
    };
}

//! ID3D11Device: state objects.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_state_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a blend state, or gives the one that has the same description (rule H-12). d3d11.h:
            /// ID3D11Device::CreateBlendState.
            1110 CreateBlendState [device, objects] creates D3d11StateId = create_blend_state(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pBlendStateDesc.
                desc: BlendDesc,
            ) -> HResult<D3d11StateId>;

            /// Creates a depth-stencil state, or gives the one that has the same description (rule H-12). d3d11.h:
            /// ID3D11Device::CreateDepthStencilState.
            1111 CreateDepthStencilState [device, objects] creates D3d11StateId = create_depth_stencil_state(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pDepthStencilDesc.
                desc: D3d11DepthStencilDesc,
            ) -> HResult<D3d11StateId>;

            /// Creates a rasterizer state, or gives the one that has the same description (rule H-12). d3d11.h:
            /// ID3D11Device::CreateRasterizerState.
            1112 CreateRasterizerState [device, objects] creates D3d11StateId = create_rasterizer_state(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pRasterizerDesc.
                desc: D3d11RasterizerDesc,
            ) -> HResult<D3d11StateId>;

            /// Creates a sampler, or gives the one that has the same description (rule H-12). d3d11.h:
            /// ID3D11Device::CreateSamplerState.
            1113 CreateSamplerState [device, objects] creates D3d11StateId = create_sampler_state(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pSamplerDesc.
                desc: D3d11SamplerDesc,
            ) -> HResult<D3d11StateId>;

            /// What a depth-stencil state was created with, after what is not used has been set to its default. d3d11.h:
            /// ID3D11DepthStencilState::GetDesc, which returns nothing.
            1114 GetDepthStencilDesc [objects] = get_depth_stencil_desc(
                /// The state.
                state: D3d11StateId,
            ) -> HResult<D3d11DepthStencilDesc>;
        }
    };
}

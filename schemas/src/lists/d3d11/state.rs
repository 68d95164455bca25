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
        }
    };
}

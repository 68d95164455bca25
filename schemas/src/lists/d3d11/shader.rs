//! ID3D11Device: shaders and input layouts.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_shader_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a shader. d3d11.h: ID3D11Device::CreateVertexShader and so on.
            1130 CreateShader [device, objects] creates D3d11ShaderId = create_shader(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// What it is: its stage and its code.
                desc: ShaderDesc,
            ) -> HResult<D3d11ShaderId>;

            /// Creates an input layout. d3d11.h: ID3D11Device::CreateInputLayout.
            1131 CreateInputLayout [device, objects] creates D3d11InputLayoutId = create_input_layout(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pInputElementDescs, and the signature they are checked with.
                desc: InputLayoutDesc,
            ) -> HResult<D3d11InputLayoutId>;
        }
    };
}

//! ID3D11Device: shaders and input layouts.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_shader_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a shader. d3d11.h: ID3D11Device::CreateVertexShader and so on.
            1130 CreateShader [device, objects] creates D3d11ShaderId = create_shader(
                /// The creating device.
                device: D3d11DeviceId,
                /// Stage and code.
                desc: ShaderDesc,
            ) -> HResult<D3d11ShaderId>;

            /// Creates an input layout. d3d11.h: ID3D11Device::CreateInputLayout.
            1131 CreateInputLayout [device, objects] creates D3d11InputLayoutId = create_input_layout(
                /// The creating device.
                device: D3d11DeviceId,
                /// pInputElementDescs, and the shader signature.
                desc: InputLayoutDesc,
            ) -> HResult<D3d11InputLayoutId>;
        }
    };
}

//! ID3D11Device: buffers and textures.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_resource_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a 2D texture. d3d11.h: ID3D11Device::CreateTexture2D.
            1027 CreateTexture2D [device, objects] creates D3d11ResourceId = create_texture2d(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pDesc.
                desc: Texture2dDesc,
                /// pInitialData is given.
                initial_data: bool,
            ) -> HResult<D3d11ResourceId>;

            /// Creates a buffer. d3d11.h: ID3D11Device::CreateBuffer.
            1028 CreateBuffer [device, objects] creates D3d11ResourceId = create_buffer(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pDesc.
                desc: BufferDesc,
                /// pInitialData is given.
                initial_data: bool,
            ) -> HResult<D3d11ResourceId>;

            /// Creates a 1D texture. d3d11.h: ID3D11Device::CreateTexture1D.
            1050 CreateTexture1D [device, objects] creates D3d11ResourceId = create_texture1d(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pDesc.
                desc: Texture1dDesc,
                /// pInitialData is given.
                initial_data: bool,
            ) -> HResult<D3d11ResourceId>;

            /// Creates a 3D texture. d3d11.h: ID3D11Device::CreateTexture3D.
            1051 CreateTexture3D [device, objects] creates D3d11ResourceId = create_texture3d(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pDesc.
                desc: Texture3dDesc,
                /// pInitialData is given.
                initial_data: bool,
            ) -> HResult<D3d11ResourceId>;
        }
    };
}

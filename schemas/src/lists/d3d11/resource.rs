//! ID3D11Device: buffers and textures.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_resource_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a 2D texture. d3d11.h: ID3D11Device::CreateTexture2D.
            1027 CreateTexture2D [device, objects] creates D3d11ResourceId = create_texture2d(
                /// The creating device.
                device: D3d11DeviceId,
                /// pDesc.
                desc: Texture2dDesc,
                /// True if pInitialData is not null.
                initial_data: bool,
            ) -> HResult<D3d11ResourceId>;

            /// Creates a buffer. d3d11.h: ID3D11Device::CreateBuffer.
            1028 CreateBuffer [device, objects] creates D3d11ResourceId = create_buffer(
                /// The creating device.
                device: D3d11DeviceId,
                /// pDesc.
                desc: BufferDesc,
                /// True if pInitialData is not null.
                initial_data: bool,
            ) -> HResult<D3d11ResourceId>;

            /// Creates a 1D texture. d3d11.h: ID3D11Device::CreateTexture1D.
            1050 CreateTexture1D [device, objects] creates D3d11ResourceId = create_texture1d(
                /// The creating device.
                device: D3d11DeviceId,
                /// pDesc.
                desc: Texture1dDesc,
                /// True if pInitialData is not null.
                initial_data: bool,
            ) -> HResult<D3d11ResourceId>;

            /// Creates a 3D texture. d3d11.h: ID3D11Device::CreateTexture3D.
            1051 CreateTexture3D [device, objects] creates D3d11ResourceId = create_texture3d(
                /// The creating device.
                device: D3d11DeviceId,
                /// pDesc.
                desc: Texture3dDesc,
                /// True if pInitialData is not null.
                initial_data: bool,
            ) -> HResult<D3d11ResourceId>;
        }
    };
}

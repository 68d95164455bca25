//! ID3D11Device: views of resources.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_view_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a view that shaders read. d3d11.h: ID3D11Device::CreateShaderResourceView.
            1100 CreateShaderResourceView [device, objects] creates D3d11ViewId = create_shader_resource_view(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// pDesc; absent where it is null, which is the whole resource.
                desc: Option<D3d11ShaderResourceViewDesc>,
            ) -> HResult<D3d11ViewId>;

            /// Creates a view that is drawn to. d3d11.h: ID3D11Device::CreateRenderTargetView.
            1101 CreateRenderTargetView [device, objects] creates D3d11ViewId = create_render_target_view(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// pDesc; absent where it is null, which is the whole of the first mip.
                desc: Option<D3d11OutputViewDesc>,
            ) -> HResult<D3d11ViewId>;

            /// Creates a view for depth and stencil. d3d11.h: ID3D11Device::CreateDepthStencilView.
            1102 CreateDepthStencilView [device, objects] creates D3d11ViewId = create_depth_stencil_view(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// pDesc; absent where it is null, which is the whole of the first mip.
                desc: Option<D3d11OutputViewDesc>,
            ) -> HResult<D3d11ViewId>;

            /// Creates a view that shaders write. d3d11.h: ID3D11Device::CreateUnorderedAccessView.
            1103 CreateUnorderedAccessView [device, objects] creates D3d11ViewId = create_unordered_access_view(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// pDesc; absent where it is null, which is the whole of the first mip.
                desc: Option<D3d11OutputViewDesc>,
            ) -> HResult<D3d11ViewId>;
        }
    };
}

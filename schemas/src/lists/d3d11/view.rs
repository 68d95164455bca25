//! ID3D11Device: views of resources.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_view_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a view for reads in shaders. d3d11.h: ID3D11Device::CreateShaderResourceView.
            1100 CreateShaderResourceView [device, objects] creates D3d11ViewId = create_shader_resource_view(
                /// The creating device.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// pDesc; absent if null, which stands for the whole resource.
                desc: Option<D3d11ShaderResourceViewDesc>,
            ) -> HResult<D3d11ViewId>;

            /// Creates a view of a render target. d3d11.h: ID3D11Device::CreateRenderTargetView.
            1101 CreateRenderTargetView [device, objects] creates D3d11ViewId = create_render_target_view(
                /// The creating device.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// pDesc; absent if null, which stands for the whole first mip.
                desc: Option<D3d11OutputViewDesc>,
            ) -> HResult<D3d11ViewId>;

            /// Creates a view for depth and stencil. d3d11.h: ID3D11Device::CreateDepthStencilView.
            1102 CreateDepthStencilView [device, objects] creates D3d11ViewId = create_depth_stencil_view(
                /// The creating device.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// pDesc; absent if null, which stands for the whole first mip.
                desc: Option<D3d11OutputViewDesc>,
            ) -> HResult<D3d11ViewId>;

            /// Creates a view for writes in shaders. d3d11.h: ID3D11Device::CreateUnorderedAccessView.
            1103 CreateUnorderedAccessView [device, objects] creates D3d11ViewId = create_unordered_access_view(
                /// The creating device.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// pDesc; absent if null, which stands for the whole first mip.
                desc: Option<D3d11OutputViewDesc>,
            ) -> HResult<D3d11ViewId>;
        }
    };
}

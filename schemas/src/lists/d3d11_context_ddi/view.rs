//! Views of resources.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_context_ddi_view_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Asks how large the memory behind the handle is to be. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATESHADERRESOURCEVIEWSIZE.
            3880 CalcPrivateShaderResourceViewSize = calc_private_shader_resource_view_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11ShaderResourceViewDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D11DDI_CREATESHADERRESOURCEVIEW.
            3881 CreateShaderResourceView with memory = create_shader_resource_view(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvShaderResourceView, and what it is made of.
                handle: CreateHandle,
                /// The description; absent where it is null, or zero but for the handle it depends on.
                desc: Option<D3d11ShaderResourceViewDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYSHADERRESOURCEVIEW.
            3882 DestroyShaderResourceView = destroy_shader_resource_view(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvShaderResourceView.
                handle: DriverHandle,
            ) -> ();

            /// Asks how large the memory behind the handle is to be. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATERENDERTARGETVIEWSIZE.
            3883 CalcPrivateRenderTargetViewSize = calc_private_render_target_view_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11OutputViewDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATERENDERTARGETVIEW.
            3884 CreateRenderTargetView with memory = create_render_target_view(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRenderTargetView, and what it is made of.
                handle: CreateHandle,
                /// The description; absent where it is null, or zero but for the handle it depends on.
                desc: Option<D3d11OutputViewDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYRENDERTARGETVIEW.
            3885 DestroyRenderTargetView = destroy_render_target_view(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRenderTargetView.
                handle: DriverHandle,
            ) -> ();

            /// Asks how large the memory behind the handle is to be. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATEDEPTHSTENCILVIEWSIZE.
            3886 CalcPrivateDepthStencilViewSize = calc_private_depth_stencil_view_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11OutputViewDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D11DDI_CREATEDEPTHSTENCILVIEW.
            3887 CreateDepthStencilView with memory = create_depth_stencil_view(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilView, and what it is made of.
                handle: CreateHandle,
                /// The description; absent where it is null, or zero but for the handle it depends on.
                desc: Option<D3d11OutputViewDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYDEPTHSTENCILVIEW.
            3888 DestroyDepthStencilView = destroy_depth_stencil_view(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilView.
                handle: DriverHandle,
            ) -> ();

            /// Asks how large the memory behind the handle is to be. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATEUNORDEREDACCESSVIEWSIZE.
            3889 CalcPrivateUnorderedAccessViewSize = calc_private_unordered_access_view_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11OutputViewDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D11DDI_CREATEUNORDEREDACCESSVIEW.
            3890 CreateUnorderedAccessView with memory = create_unordered_access_view(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvUnorderedAccessView, and what it is made of.
                handle: CreateHandle,
                /// The description; absent where it is null, or zero but for the handle it depends on.
                desc: Option<D3d11OutputViewDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D11DDI_DESTROYUNORDEREDACCESSVIEW.
            3891 DestroyUnorderedAccessView = destroy_unordered_access_view(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvUnorderedAccessView.
                handle: DriverHandle,
            ) -> ();
        }
    };
}

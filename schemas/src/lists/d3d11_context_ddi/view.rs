//! Views of resources.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_view_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queries the size of the handle's memory. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATESHADERRESOURCEVIEWSIZE.
            3880 CalcPrivateShaderResourceViewSize = calc_private_shader_resource_view_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11ShaderResourceViewDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h:
            /// PFND3D11DDI_CREATESHADERRESOURCEVIEW.
            3881 CreateShaderResourceView with memory = create_shader_resource_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvShaderResourceView, and its creation arguments.
                handle: CreateHandle,
                /// The description; absent if the pointer is null, or if all but the dependency's handle is zero.
                desc: Option<D3d11ShaderResourceViewDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h:
            /// PFND3D10DDI_DESTROYSHADERRESOURCEVIEW.
            3882 DestroyShaderResourceView = destroy_shader_resource_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvShaderResourceView.
                handle: DriverHandle,
            ) -> ();

            /// Queries the size of the handle's memory. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATERENDERTARGETVIEWSIZE.
            3883 CalcPrivateRenderTargetViewSize = calc_private_render_target_view_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11OutputViewDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATERENDERTARGETVIEW.
            3884 CreateRenderTargetView with memory = create_render_target_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRenderTargetView, and its creation arguments.
                handle: CreateHandle,
                /// The description; absent if the pointer is null, or if all but the dependency's handle is zero.
                desc: Option<D3d11OutputViewDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h:
            /// PFND3D10DDI_DESTROYRENDERTARGETVIEW.
            3885 DestroyRenderTargetView = destroy_render_target_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRenderTargetView.
                handle: DriverHandle,
            ) -> ();

            /// Queries the size of the handle's memory. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATEDEPTHSTENCILVIEWSIZE.
            3886 CalcPrivateDepthStencilViewSize = calc_private_depth_stencil_view_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11OutputViewDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h: PFND3D11DDI_CREATEDEPTHSTENCILVIEW.
            3887 CreateDepthStencilView with memory = create_depth_stencil_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilView, and its creation arguments.
                handle: CreateHandle,
                /// The description; absent if the pointer is null, or if all but the dependency's handle is zero.
                desc: Option<D3d11OutputViewDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h:
            /// PFND3D10DDI_DESTROYDEPTHSTENCILVIEW.
            3888 DestroyDepthStencilView = destroy_depth_stencil_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilView.
                handle: DriverHandle,
            ) -> ();

            /// Queries the size of the handle's memory. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATEUNORDEREDACCESSVIEWSIZE.
            3889 CalcPrivateUnorderedAccessViewSize = calc_private_unordered_access_view_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11OutputViewDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h:
            /// PFND3D11DDI_CREATEUNORDEREDACCESSVIEW.
            3890 CreateUnorderedAccessView with memory = create_unordered_access_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvUnorderedAccessView, and its creation arguments.
                handle: CreateHandle,
                /// The description; absent if the pointer is null, or if all but the dependency's handle is zero.
                desc: Option<D3d11OutputViewDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h:
            /// PFND3D11DDI_DESTROYUNORDEREDACCESSVIEW.
            3891 DestroyUnorderedAccessView = destroy_unordered_access_view(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvUnorderedAccessView.
                handle: DriverHandle,
            ) -> ();
        }
    };
}

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
        }
    };
}

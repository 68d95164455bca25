//! Shaders and input layouts.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_context_ddi_shader_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Asks how large the memory behind the handle is to be. d3d10umddi.h: PFND3D10DDI_CALCPRIVATESHADERSIZE.
            3960 CalcPrivateShaderSize = calc_private_shader_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The code.
                desc: ShaderDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATEVERTEXSHADER (and so on, as
            /// the stage says).
            3961 CreateShader with memory = create_shader(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvShader, and what it is made of.
                handle: CreateHandle,
                /// The code; absent where the pointers to it are null.
                desc: Option<ShaderDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYSHADER.
            3962 DestroyShader = destroy_shader(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvShader.
                handle: DriverHandle,
            ) -> ();

            /// Asks how large the memory behind the handle is to be. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATEELEMENTLAYOUTSIZE.
            3963 CalcPrivateElementLayoutSize = calc_private_element_layout_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: InputLayoutDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATEELEMENTLAYOUT.
            3964 CreateElementLayout with memory = create_element_layout(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvElementLayout, and what it is made of.
                handle: CreateHandle,
                /// The description; absent where it is null.
                desc: Option<InputLayoutDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYELEMENTLAYOUT.
            3965 DestroyElementLayout = destroy_element_layout(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvElementLayout.
                handle: DriverHandle,
            ) -> ();
        }
    };
}

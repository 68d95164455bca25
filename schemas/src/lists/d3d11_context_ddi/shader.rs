//! Shaders and input layouts.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_shader_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queries the size of the handle's memory. d3d10umddi.h: PFND3D10DDI_CALCPRIVATESHADERSIZE.
            3960 CalcPrivateShaderSize = calc_private_shader_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The code.
                desc: ShaderDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATEVERTEXSHADER (and
            /// so on, by stage).
            3961 CreateShader with memory = create_shader(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvShader, and its creation arguments.
                handle: CreateHandle,
                /// The code; absent if the pointers to it are null.
                desc: Option<ShaderDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYSHADER.
            3962 DestroyShader = destroy_shader(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvShader.
                handle: DriverHandle,
            ) -> ();

            /// Queries the size of the handle's memory. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATEELEMENTLAYOUTSIZE.
            3963 CalcPrivateElementLayoutSize = calc_private_element_layout_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: InputLayoutDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATEELEMENTLAYOUT.
            3964 CreateElementLayout with memory = create_element_layout(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvElementLayout, and its creation arguments.
                handle: CreateHandle,
                /// The description; absent if the pointer is null.
                desc: Option<InputLayoutDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYELEMENTLAYOUT.
            3965 DestroyElementLayout = destroy_element_layout(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvElementLayout.
                handle: DriverHandle,
            ) -> ();
        }
    };
}

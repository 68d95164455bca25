//! State objects.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_context_ddi_state_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Asks how large the memory behind the handle is to be. d3d10umddi.h:
            /// PFND3D10_1DDI_CALCPRIVATEBLENDSTATESIZE.
            3900 CalcPrivateBlendStateSize = calc_private_blend_state_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: BlendDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D10_1DDI_CREATEBLENDSTATE.
            3901 CreateBlendState with memory = create_blend_state(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvBlendState, and what it is made of.
                handle: CreateHandle,
                /// The description; without render targets where it is null.
                desc: BlendDesc,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYBLENDSTATE.
            3902 DestroyBlendState = destroy_blend_state(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvBlendState.
                handle: DriverHandle,
            ) -> ();
        }
    };
}

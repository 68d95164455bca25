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

            /// Asks how large the memory behind the handle is to be. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATEDEPTHSTENCILSTATESIZE.
            3903 CalcPrivateDepthStencilStateSize = calc_private_depth_stencil_state_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11DepthStencilDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATEDEPTHSTENCILSTATE.
            3904 CreateDepthStencilState with memory = create_depth_stencil_state(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilState, and what it is made of.
                handle: CreateHandle,
                /// The description; absent where it is null.
                desc: Option<D3d11DepthStencilDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYDEPTHSTENCILSTATE.
            3905 DestroyDepthStencilState = destroy_depth_stencil_state(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilState.
                handle: DriverHandle,
            ) -> ();

            /// Asks how large the memory behind the handle is to be. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATERASTERIZERSTATESIZE.
            3906 CalcPrivateRasterizerStateSize = calc_private_rasterizer_state_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11RasterizerDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATERASTERIZERSTATE.
            3907 CreateRasterizerState with memory = create_rasterizer_state(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRasterizerState, and what it is made of.
                handle: CreateHandle,
                /// The description; absent where it is null.
                desc: Option<D3d11RasterizerDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYRASTERIZERSTATE.
            3908 DestroyRasterizerState = destroy_rasterizer_state(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRasterizerState.
                handle: DriverHandle,
            ) -> ();

            /// Asks how large the memory behind the handle is to be. d3d10umddi.h: PFND3D10DDI_CALCPRIVATESAMPLERSIZE.
            3909 CalcPrivateSamplerSize = calc_private_sampler_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11SamplerDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATESAMPLER.
            3910 CreateSampler with memory = create_sampler(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvSampler, and what it is made of.
                handle: CreateHandle,
                /// The description; absent where it is null.
                desc: Option<D3d11SamplerDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYSAMPLER.
            3911 DestroySampler = destroy_sampler(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvSampler.
                handle: DriverHandle,
            ) -> ();
        }
    };
}

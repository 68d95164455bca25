//! State objects.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_state_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queries the size of the handle's memory. d3d10umddi.h:
            /// PFND3D10_1DDI_CALCPRIVATEBLENDSTATESIZE.
            3900 CalcPrivateBlendStateSize = calc_private_blend_state_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: BlendDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h: PFND3D10_1DDI_CREATEBLENDSTATE.
            3901 CreateBlendState with memory = create_blend_state(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvBlendState, and its creation arguments.
                handle: CreateHandle,
                /// The description; without render targets where it is null.
                desc: BlendDesc,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYBLENDSTATE.
            3902 DestroyBlendState = destroy_blend_state(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvBlendState.
                handle: DriverHandle,
            ) -> ();

            /// Queries the size of the handle's memory. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATEDEPTHSTENCILSTATESIZE.
            3903 CalcPrivateDepthStencilStateSize = calc_private_depth_stencil_state_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11DepthStencilDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h:
            /// PFND3D10DDI_CREATEDEPTHSTENCILSTATE.
            3904 CreateDepthStencilState with memory = create_depth_stencil_state(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilState, and its creation arguments.
                handle: CreateHandle,
                /// The description; absent if the pointer is null.
                desc: Option<D3d11DepthStencilDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h:
            /// PFND3D10DDI_DESTROYDEPTHSTENCILSTATE.
            3905 DestroyDepthStencilState = destroy_depth_stencil_state(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvDepthStencilState.
                handle: DriverHandle,
            ) -> ();

            /// Queries the size of the handle's memory. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATERASTERIZERSTATESIZE.
            3906 CalcPrivateRasterizerStateSize = calc_private_rasterizer_state_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11RasterizerDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATERASTERIZERSTATE.
            3907 CreateRasterizerState with memory = create_rasterizer_state(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRasterizerState, and its creation arguments.
                handle: CreateHandle,
                /// The description; absent if the pointer is null.
                desc: Option<D3d11RasterizerDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h:
            /// PFND3D10DDI_DESTROYRASTERIZERSTATE.
            3908 DestroyRasterizerState = destroy_rasterizer_state(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvRasterizerState.
                handle: DriverHandle,
            ) -> ();

            /// Queries the size of the handle's memory. d3d10umddi.h: PFND3D10DDI_CALCPRIVATESAMPLERSIZE.
            3909 CalcPrivateSamplerSize = calc_private_sampler_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11SamplerDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATESAMPLER.
            3910 CreateSampler with memory = create_sampler(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvSampler, and its creation arguments.
                handle: CreateHandle,
                /// The description; absent if the pointer is null.
                desc: Option<D3d11SamplerDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYSAMPLER.
            3911 DestroySampler = destroy_sampler(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvSampler.
                handle: DriverHandle,
            ) -> ();
        }
    };
}

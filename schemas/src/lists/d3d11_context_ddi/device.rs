//! The device and its contexts.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_device_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Returns the driver's threading capabilities. d3d10umddi.h: PFND3D10_2DDI_GETCAPS, for
            /// D3D11DDICAPS_THREADING.
            3840 GetThreadingCaps = get_threading_caps() -> ThreadingCaps;

            /// Queries the size of the device handle's memory. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATEDEVICESIZE.
            3841 CalcPrivateDeviceSize = calc_private_device_size() -> PrivateSize;

            /// Creates the device, which is also its immediate context; the driver fills the context's table of
            /// functions. d3d10umddi.h: PFND3D10DDI_CREATEDEVICE.
            3842 CreateDevice with memory = create_device(
                /// The immediate context.
                context: D3d11ContextId,
                /// D3D10DDIARG_CREATEDEVICE::hDrvDevice.
                device: DriverHandle,
                /// D3D10DDIARG_CREATEDEVICE::hRTCoreLayer.
                core_layer: DriverHandle,
            ) -> HResult<FunctionTable>;

            /// Queries the sizes of the handles of objects in deferred contexts. Called twice: for their number, then
            /// for the sizes. d3d10umddi.h: PFND3D11DDI_CHECKDEFERREDCONTEXTHANDLESIZES.
            3843 CheckDeferredContextHandleSizes with memory = check_deferred_context_handle_sizes(
                /// The immediate context, whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// Length of pHSizes; absent if the pointer is null.
                capacity: Option<u32>,
            ) -> HandleSizes;

            /// Queries the size of an object's handles in deferred contexts. d3d10umddi.h:
            /// PFND3D11DDI_CALCDEFERREDCONTEXTHANDLESIZE.
            3844 CalcDeferredContextHandleSize with memory = calc_deferred_context_handle_size(
                /// The immediate context, whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// HandleType.
                handle_type: HandleType,
                /// hICObject: the object's handle of the immediate context.
                ic_handle: DriverHandle,
            ) -> PrivateSize;

            /// Queries the size of a deferred context handle's memory. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATEDEFERREDCONTEXTSIZE.
            3845 CalcPrivateDeferredContextSize = calc_private_deferred_context_size(
                /// The immediate context, whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
            ) -> PrivateSize;

            /// Creates a deferred context; the driver fills its table of functions. d3d10umddi.h:
            /// PFND3D11DDI_CREATEDEFERREDCONTEXT.
            3846 CreateDeferredContext with memory = create_deferred_context(
                /// The immediate context, whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The context created.
                deferred_context: D3d11ContextId,
                /// D3D11DDIARG_CREATEDEFERREDCONTEXT::hDrvContext.
                deferred_device: DriverHandle,
                /// D3D11DDIARG_CREATEDEFERREDCONTEXT::hRTCoreLayer.
                core_layer: DriverHandle,
            ) -> FunctionTable;

            /// Resets a deferred context to its state at creation. d3d10umddi.h:
            /// PFND3D11DDI_RECYCLECREATEDEFERREDCONTEXT.
            3847 RecycleCreateDeferredContext with memory = recycle_create_deferred_context(
                /// The immediate context, whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The context.
                deferred_context: D3d11ContextId,
                /// D3D11DDIARG_CREATEDEFERREDCONTEXT::hDrvContext.
                deferred_device: DriverHandle,
                /// D3D11DDIARG_CREATEDEFERREDCONTEXT::hRTCoreLayer.
                core_layer: DriverHandle,
            ) -> HResult<FunctionTable>;

            /// Destroys a context; the immediate one is the device. d3d10umddi.h: PFND3D10DDI_DESTROYDEVICE.
            3848 DestroyDevice = destroy_device(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
            ) -> ();
        }
    };
}

//! The device and its contexts.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_context_ddi_device_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// What the driver can do on several threads. d3d10umddi.h: PFND3D10_2DDI_GETCAPS, of D3D11DDICAPS_THREADING.
            3840 GetThreadingCaps = get_threading_caps() -> ThreadingCaps;

            /// Asks how large the memory behind the device's handle is to be. d3d10umddi.h:
            /// PFND3D10DDI_CALCPRIVATEDEVICESIZE.
            3841 CalcPrivateDeviceSize = calc_private_device_size() -> PrivateSize;

            /// Creates the device, which is its immediate context as well, and has it fill its table of functions.
            /// d3d10umddi.h: PFND3D10DDI_CREATEDEVICE.
            3842 CreateDevice with memory = create_device(
                /// The immediate context.
                context: D3d11ContextId,
                /// D3D10DDIARG_CREATEDEVICE::hDrvDevice.
                device: DriverHandle,
                /// D3D10DDIARG_CREATEDEVICE::hRTCoreLayer.
                core_layer: DriverHandle,
            ) -> HResult<FunctionTable>;

            /// Asks for the sizes of the handles that objects have in deferred contexts. Called twice: for their number, then
            /// for them. d3d10umddi.h: PFND3D11DDI_CHECKDEFERREDCONTEXTHANDLESIZES.
            3843 CheckDeferredContextHandleSizes with memory = check_deferred_context_handle_sizes(
                /// The immediate context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// pHSizes' length; absent where that is null.
                capacity: Option<u32>,
            ) -> HandleSizes;

            /// Asks how large an object's handles in deferred contexts are. d3d10umddi.h:
            /// PFND3D11DDI_CALCDEFERREDCONTEXTHANDLESIZE.
            3844 CalcDeferredContextHandleSize with memory = calc_deferred_context_handle_size(
                /// The immediate context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// HandleType.
                handle_type: HandleType,
                /// hICObject: the object's handle of the immediate context.
                ic_handle: DriverHandle,
            ) -> PrivateSize;

            /// Asks how large the memory behind a deferred context's handle is to be. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATEDEFERREDCONTEXTSIZE.
            3845 CalcPrivateDeferredContextSize = calc_private_deferred_context_size(
                /// The immediate context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
            ) -> PrivateSize;

            /// Creates a deferred context, and has it fill its table of functions. d3d10umddi.h:
            /// PFND3D11DDI_CREATEDEFERREDCONTEXT.
            3846 CreateDeferredContext with memory = create_deferred_context(
                /// The immediate context, whose table it is.
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

            /// Makes a deferred context one that was just created. d3d10umddi.h: PFND3D11DDI_RECYCLECREATEDEFERREDCONTEXT.
            3847 RecycleCreateDeferredContext with memory = recycle_create_deferred_context(
                /// The immediate context, whose table it is.
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
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
            ) -> ();
        }
    };
}

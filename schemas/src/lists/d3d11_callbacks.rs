//! d3d10umddi.h: from the user-mode driver of Direct3D 11 to the runtime. A callback runs under the locks of the call the driver
//! is in.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_callback_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Reports an error of the call that the driver is in, which answers nothing. d3d10umddi.h: PFND3D10DDI_SETERROR_CB.
            5120 SetError = set_error(
                /// hRTCoreLayer: that of the context whose call it is.
                core_layer: DriverHandle,
                /// The error; no error is one, too.
                code: HResultCode,
            ) -> ();

            /// Has staging resources be destroyed at once. d3d10umddi.h: PFND3D11DDI_DISABLE_DEFERRED_STAGING_RESOURCE_DESTRUCTION_CB.
            5121 DisableDeferredStagingResourceDestruction = disable_deferred_staging_resource_destruction(
                /// hRTCoreLayer: the device's.
                core_layer: DriverHandle,
            ) -> ();
        }
    };
}

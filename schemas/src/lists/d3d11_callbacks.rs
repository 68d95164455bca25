//! d3d10umddi.h: from the Direct3D 11 user-mode driver to the runtime. A callback runs under the locks of the DDI call
//! in which the driver makes it.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_callback_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Reports an error of the current DDI call, which has no result. d3d10umddi.h: PFND3D10DDI_SETERROR_CB.
            5120 SetError = set_error(
                /// hRTCoreLayer of the context on which the DDI call is made.
                core_layer: DriverHandle,
                /// The error; S_OK is reported as an error, too.
                code: HResultCode,
            ) -> ();

            /// Requests the immediate destruction of staging resources. d3d10umddi.h:
            /// PFND3D11DDI_DISABLE_DEFERRED_STAGING_RESOURCE_DESTRUCTION_CB.
            5121 DisableDeferredStagingResourceDestruction = disable_deferred_staging_resource_destruction(
                /// hRTCoreLayer of the device.
                core_layer: DriverHandle,
            ) -> ();
        }
    };
}

//! dxgiddi.h, with its extensions of d3d10umddi.h's resources: from DXGI to the user-mode drivers of the presenting
//! adapters.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! dxgi_ddi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a cross-adapter resource for scan-out. d3d10umddi.h: PFND3D11DDI_CREATERESOURCE with
            /// pPrimaryDesc; the result is DXGI_DDI_PRIMARY_DESC::DriverFlags.
            5376 CreateResource = create_resource(
                /// The driver's adapter.
                adapter: AdapterId,
                /// pPrimaryDesc, and the resource's dimensions.
                desc: PrimaryDesc,
            ) -> HResult<PrimaryDriverFlags>;

            /// Opens a resource of another adapter. d3d10umddi.h: PFND3D10DDI_OPENRESOURCE.
            5377 OpenResource = open_resource(
                /// The driver's adapter.
                adapter: AdapterId,
                /// The resource.
                desc: PrimaryDesc,
            ) -> HResult<()>;

            /// Destroys a created or opened resource. d3d10umddi.h: PFND3D10DDI_DESTROYRESOURCE.
            5378 DestroyResource = destroy_resource(
                /// The driver's adapter.
                adapter: AdapterId,
            ) -> HResult<()>;

            /// Creates a view of a cross-adapter resource. d3d10umddi.h: PFND3D11DDI_CREATESHADERRESOURCEVIEW,
            /// PFND3D11DDI_CREATEUNORDEREDACCESSVIEW, PFND3D10DDI_CREATERENDERTARGETVIEW; the result is the driver's
            /// error code from pfnSetErrorCb.
            5379 CreateView = create_view(
                /// The driver's adapter.
                adapter: AdapterId,
                /// The resource.
                desc: PrimaryDesc,
                /// Kind of the view.
                view: TextureView,
                /// The view's format.
                format: Format,
            ) -> HResult<()>;
        }
    };
}

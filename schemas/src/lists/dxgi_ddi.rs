//! dxgiddi.h, and what it says of d3d10umddi.h's resources: from DXGI to the user-mode drivers of the adapters that present.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! dxgi_ddi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a cross-adapter resource that is to be scanned out. d3d10umddi.h:
            /// PFND3D11DDI_CREATERESOURCE with pPrimaryDesc; what it gives is DXGI_DDI_PRIMARY_DESC::DriverFlags.
            5376 CreateResource = create_resource(
                /// The driver's adapter.
                adapter: AdapterId,
                /// pPrimaryDesc, and the resource.
                desc: PrimaryDesc,
            ) -> HResult<PrimaryDriverFlags>;

            /// Opens a resource of another adapter. d3d10umddi.h: PFND3D10DDI_OPENRESOURCE.
            5377 OpenResource = open_resource(
                /// The driver's adapter.
                adapter: AdapterId,
                /// The resource.
                desc: PrimaryDesc,
            ) -> HResult<()>;

            /// Destroys a resource that was created or opened. d3d10umddi.h: PFND3D10DDI_DESTROYRESOURCE.
            5378 DestroyResource = destroy_resource(
                /// The driver's adapter.
                adapter: AdapterId,
            ) -> HResult<()>;

            /// Creates a view of a cross-adapter resource. d3d10umddi.h: PFND3D11DDI_CREATESHADERRESOURCEVIEW,
            /// PFND3D11DDI_CREATEUNORDEREDACCESSVIEW, PFND3D10DDI_CREATERENDERTARGETVIEW; the code is what the driver reports
            /// with pfnSetErrorCb.
            5379 CreateView = create_view(
                /// The driver's adapter.
                adapter: AdapterId,
                /// The resource.
                desc: PrimaryDesc,
                /// Which of the three.
                view: TextureView,
                /// The view's format.
                format: Format,
            ) -> HResult<()>;
        }
    };
}

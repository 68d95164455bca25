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

            /// Queries the driver's list of applications, once per process on a hybrid system. d3dumddi.h:
            /// PFND3DDDI_QUERYDLISTFORAPPLICATION2, which the discrete adapter's dList DLL exports.
            5380 QueryDListForApplication2 = query_dlist_for_application2(
                /// hAdapter.
                adapter: AdapterId,
                /// File name of the process's program. No argument of the header's function: a driver queries the
                /// system for it.
                application: String,
            ) -> HResult<QueriedDList>;

            /// Queries support for the scan-out of planes: the result is Supported. dxgiddi.h:
            /// pfnCheckMultiPlaneOverlaySupport.
            5381 CheckMultiplaneOverlaySupport = check_multiplane_overlay_support(
                /// The driver's adapter.
                adapter: AdapterId,
                /// The planes.
                check: OverlayPlanes,
            ) -> HResult<bool>;

            /// Presents planes of a display, of a swap chain's first frame that they show. dxgiddi.h:
            /// pfnPresentMultiPlaneOverlay.
            5382 PresentMultiplaneOverlay = present_multiplane_overlay(
                /// The driver's adapter.
                adapter: AdapterId,
                /// pPresentPlanes.
                planes: Vec<OverlayPlane>,
            ) -> HResult<()>;

            /// Presents the first frame of a swap chain. dxgiddi.h: pfnPresent1.
            5383 Present1 = present_1(
                /// The driver's adapter, which rendered the frame.
                adapter: AdapterId,
                /// phSurfacesToPresent: the only surface.
                surface: PrimaryDesc,
                /// FlipInterval.
                sync_interval: u32,
            ) -> HResult<()>;

            /// Samples every texel of a cross-adapter resource through a shader resource view. d3d10umddi.h:
            /// PFND3D10DDI_DRAW with a shader that stores each sampled value. Only the conformance kit makes the call.
            5384 SampleTexture = sample_texture(
                /// The driver's adapter.
                adapter: AdapterId,
                /// The resource.
                desc: PrimaryDesc,
                /// The view's format.
                format: Format,
                /// The resource's memory, as another adapter wrote it.
                memory: Bytes,
            ) -> HResult<Bytes>;
        }
    };
}

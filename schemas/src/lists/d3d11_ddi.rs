//! d3d10umddi.h: from the runtime to the user-mode driver, restricted to the functions that the instant-access
//! extension needs.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_ddi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queries the driver for its vendor's extensions. The document names only the application's call, Init;
            /// the vendor's way from there to the driver is not public, and this line stands for it.
            3584 GetExtensions = get_extensions() -> AvailableExtensions;

            /// Creates a Direct3D 11 resource. d3d10umddi.h: PFND3D11DDI_CREATERESOURCE, which has no result; the
            /// layout is the driver's own data.
            3585 CreateResource = create_resource(
                /// The D3D11DDIARG_CREATERESOURCE.
                desc: D3d11DdiResourceDesc,
                /// True if SetDirectAccessResourceExtension was called before.
                direct_access: bool,
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
            ) -> HResult<D3d11ResourceLayout>;

            /// Destroys a Direct3D 11 resource. d3d10umddi.h: PFND3D10DDI_DESTROYRESOURCE.
            3586 DestroyResource = destroy_resource(
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
            ) -> ();

            /// Copies a resource, or binds a pair for direct access. d3d10umddi.h: PFND3D10DDI_RESOURCECOPY, which has
            /// no result.
            3587 ResourceCopy = resource_copy(
                /// hDrvResource of the destination, by its runtime handle.
                destination: D3d11ResourceId,
                /// hDrvResource of the source, by its runtime handle.
                source: D3d11ResourceId,
                /// The driver's data on both: true if they are a staging texture and a texture for direct access.
                direct_access_pair: bool,
            ) -> CopyOutcome;

            /// Maps a staging resource for access by the CPU. d3d10umddi.h: PFND3D10DDI_RESOURCEMAP
            /// (pfnStagingResourceMap).
            3588 StagingResourceMap = staging_resource_map(
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// The D3D10_DDI_MAP, in the API's numbering.
                map_type: MapType,
                /// The resource whose memory is mapped: the same one, or the texture that it is bound to.
                memory: D3d11ResourceId,
                /// CPU address of that memory.
                base_address: CpuAddress,
                /// The driver's data on the resource that owns the memory.
                driver_data was kept: D3d11ResourceLayout,
            ) -> SharedMapData;

            /// Unmaps a staging resource. d3d10umddi.h: PFND3D10DDI_RESOURCEUNMAP (pfnStagingResourceUnmap).
            3589 StagingResourceUnmap = staging_resource_unmap(
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
            ) -> ();
        }
    };
}

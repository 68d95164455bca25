//! d3d10umddi.h: from the runtime to the user-mode driver, as far as the instant-access extension needs it.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_ddi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Asks the driver for its vendor's extensions. The document names only the call above it, Init; how that
            /// reaches the driver is the vendor's secret, so this line stands for whatever it is.
            3584 GetExtensions = get_extensions() -> AvailableExtensions;

            /// Creates a Direct3D 11 resource. d3d10umddi.h: PFND3D11DDI_CREATERESOURCE, which answers nothing; the layout
            /// is what the driver keeps.
            3585 CreateResource = create_resource(
                /// The D3D11DDIARG_CREATERESOURCE.
                desc: D3d11DdiResourceDesc,
                /// Whether SetDirectAccessResourceExtension came before.
                direct_access: bool,
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
            ) -> HResult<D3d11ResourceLayout>;

            /// Destroys a Direct3D 11 resource. d3d10umddi.h: PFND3D10DDI_DESTROYRESOURCE.
            3586 DestroyResource = destroy_resource(
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
            ) -> ();

            /// Copies a resource, or binds a pair for direct access. d3d10umddi.h: PFND3D10DDI_RESOURCECOPY, which answers
            /// nothing.
            3587 ResourceCopy = resource_copy(
                /// hDrvResource of the destination, by its runtime handle.
                destination: D3d11ResourceId,
                /// hDrvResource of the source, by its runtime handle.
                source: D3d11ResourceId,
                /// What the driver keeps of both: they are a staging texture and a texture for direct access.
                direct_access_pair: bool,
            ) -> CopyOutcome;

            /// Gives the processor access to a staging resource. d3d10umddi.h: PFND3D10DDI_RESOURCEMAP
            /// (pfnStagingResourceMap).
            3588 StagingResourceMap = staging_resource_map(
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// The D3D10_DDI_MAP, numbered as the API does.
                map_type: MapType,
                /// The resource whose memory is mapped: the same, or the texture it is bound to.
                memory: D3d11ResourceId,
                /// Where that memory lies for the processor.
                base_address: CpuAddress,
                /// What the driver keeps of the resource whose memory it is.
                kept: D3d11ResourceLayout,
            ) -> SharedMapData;

            /// Ends the processor's access. d3d10umddi.h: PFND3D10DDI_RESOURCEUNMAP (pfnStagingResourceUnmap).
            3589 StagingResourceUnmap = staging_resource_unmap(
                /// hDrvResource, by its runtime handle.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
            ) -> ();
        }
    };
}

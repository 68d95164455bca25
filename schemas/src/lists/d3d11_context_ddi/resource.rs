//! Buffers and textures.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_resource_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queries the size of the handle's memory. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATERESOURCESIZE.
            3860 CalcPrivateResourceSize = calc_private_resource_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11DdiResourceDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h: PFND3D11DDI_CREATERESOURCE.
            3861 CreateResource with memory = create_resource(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource, and its creation arguments.
                handle: CreateHandle,
                /// The resource.
                resource: D3d11ResourceId,
                /// The description; absent if the pointer is null, or if all but the dependency's handle is zero.
                desc: Option<D3d11DdiResourceDesc>,
            ) -> HResult<D3d11ResourceLayout>;

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYRESOURCE.
            3862 DestroyResource = destroy_resource(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                handle: DriverHandle,
            ) -> ();

            /// Copies a resource. d3d10umddi.h: PFND3D10DDI_RESOURCECOPY.
            3863 ResourceCopy with memory = resource_copy(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource of the destination.
                destination: DriverHandle,
                /// hDrvResource of the source.
                source: DriverHandle,
            ) -> ();

            /// Maps a staging resource for access by the CPU, in the immediate context only. d3d10umddi.h:
            /// PFND3D10DDI_RESOURCEMAP (pfnStagingResourceMap).
            3864 StagingResourceMap with memory = staging_resource_map(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                resource: DriverHandle,
                /// Subresource.
                subresource: u32 as Count,
                /// The D3D10_DDI_MAP, in the API's numbering.
                map_type: MapType,
                /// CPU address of the memory.
                base_address: CpuAddress,
            ) -> SharedMapData;

            /// Ends the access. d3d10umddi.h: PFND3D10DDI_RESOURCEUNMAP (pfnStagingResourceUnmap).
            3865 StagingResourceUnmap = staging_resource_unmap(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                resource: DriverHandle,
                /// Subresource.
                subresource: u32 as Count,
            ) -> ();

            /// Maps a dynamic resource for access by the CPU. d3d10umddi.h: PFND3D10DDI_RESOURCEMAP
            /// (pfnDynamicResourceMapDiscard, pfnDynamicIABufferMapNoOverwrite and so on, by MapType).
            3866 DynamicResourceMap with memory = dynamic_resource_map(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                resource: DriverHandle,
                /// Subresource.
                subresource: u32 as Count,
                /// The D3D10_DDI_MAP, in the API's numbering.
                map_type: MapType,
                /// CPU address of the memory: a new one with each WRITE_DISCARD.
                base_address: CpuAddress,
            ) -> SharedMapData;

            /// Ends the access. d3d10umddi.h: PFND3D10DDI_RESOURCEUNMAP (pfnDynamicResourceUnmap).
            3867 DynamicResourceUnmap with memory = dynamic_resource_unmap(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                resource: DriverHandle,
                /// Subresource.
                subresource: u32 as Count,
            ) -> ();
        }
    };
}

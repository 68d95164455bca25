//! Buffers and textures.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_context_ddi_resource_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Asks how large the memory behind the handle is to be. d3d10umddi.h:
            /// PFND3D11DDI_CALCPRIVATERESOURCESIZE.
            3860 CalcPrivateResourceSize = calc_private_resource_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: D3d11DdiResourceDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D11DDI_CREATERESOURCE.
            3861 CreateResource with memory = create_resource(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource, and what it is made of.
                handle: CreateHandle,
                /// The resource.
                resource: D3d11ResourceId,
                /// The description; absent where it is null, or zero but for the handle it depends on.
                desc: Option<D3d11DdiResourceDesc>,
            ) -> HResult<D3d11ResourceLayout>;

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYRESOURCE.
            3862 DestroyResource = destroy_resource(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                handle: DriverHandle,
            ) -> ();

            /// Copies a resource. d3d10umddi.h: PFND3D10DDI_RESOURCECOPY.
            3863 ResourceCopy with memory = resource_copy(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource of the destination.
                destination: DriverHandle,
                /// hDrvResource of the source.
                source: DriverHandle,
            ) -> ();

            /// Gives the processor access to a staging resource, in the immediate context alone. d3d10umddi.h:
            /// PFND3D10DDI_RESOURCEMAP (pfnStagingResourceMap).
            3864 StagingResourceMap with memory = staging_resource_map(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                resource: DriverHandle,
                /// Subresource.
                subresource: u32 as Count,
                /// The D3D10_DDI_MAP, numbered as the API does.
                map_type: MapType,
                /// Where its memory lies for the processor.
                base_address: CpuAddress,
            ) -> SharedMapData;

            /// Ends the access. d3d10umddi.h: PFND3D10DDI_RESOURCEUNMAP (pfnStagingResourceUnmap).
            3865 StagingResourceUnmap = staging_resource_unmap(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                resource: DriverHandle,
                /// Subresource.
                subresource: u32 as Count,
            ) -> ();

            /// Gives the processor access to a dynamic resource. d3d10umddi.h: PFND3D10DDI_RESOURCEMAP (pfnDynamicResourceMapDiscard,
            /// pfnDynamicIABufferMapNoOverwrite and so on, as MapType says).
            3866 DynamicResourceMap with memory = dynamic_resource_map(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvResource.
                resource: DriverHandle,
                /// Subresource.
                subresource: u32 as Count,
                /// The D3D10_DDI_MAP, numbered as the API does.
                map_type: MapType,
                /// Where the memory lies for the processor: new with each WRITE_DISCARD.
                base_address: CpuAddress,
            ) -> SharedMapData;

            /// Ends the access. d3d10umddi.h: PFND3D10DDI_RESOURCEUNMAP (pfnDynamicResourceUnmap).
            3867 DynamicResourceUnmap with memory = dynamic_resource_unmap(
                /// The context, whose table it is.
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

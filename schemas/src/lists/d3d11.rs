//! d3d11.h, as far as the instant-access extension needs it, and the extension's own header. The immediate context is
//! named by its device.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a device and its immediate context; each call another. d3d11.h: D3D11CreateDevice.
            1024 D3D11CreateDevice [device, objects] creates D3d11DeviceId = d3d11_create_device(
                /// The D3D_FEATURE_LEVEL wanted.
                feature_level: u32,
                /// pAdapter; null is the first.
                adapter: AdapterId,
            ) -> HResult<D3d11DeviceId>;

            /// Makes the vendor's extensions ready; comes before any other of their calls (rule T-04).
            /// IGFXExtensionsHelper.h: Init.
            1025 InitExtensions [objects] = init_extensions(
                /// The device to be extended.
                device: D3d11DeviceId,
            ) -> HResult<AvailableExtensions>;

            /// Makes the device's next call, which has to create a texture, create one for direct access (rule T-04).
            /// IGFXExtensionsHelper.h: SetDirectAccessResourceExtension (the document spells Resouce).
            1026 SetDirectAccessResourceExtension [objects] = set_direct_access_resource_extension(
                /// The device that will create the texture.
                device: D3d11DeviceId,
            ) -> HResult<()>;

            /// Creates a 2D texture. d3d11.h: ID3D11Device::CreateTexture2D.
            1027 CreateTexture2D [device, objects] creates D3d11ResourceId = create_texture2d(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pDesc.
                desc: Texture2dDesc,
            ) -> HResult<D3d11ResourceId>;

            /// Creates a buffer. d3d11.h: ID3D11Device::CreateBuffer.
            1028 CreateBuffer [device, objects] creates D3d11ResourceId = create_buffer(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pDesc.
                desc: BufferDesc,
            ) -> HResult<D3d11ResourceId>;

            /// Copies a resource; of a pair for direct access, binds the staging texture to the memory of the other
            /// (rule T-04). d3d11.h: ID3D11DeviceContext::CopyResource, which returns nothing.
            1029 CopyResource [device, objects] = copy_resource(
                /// The device whose immediate context copies.
                device: D3d11DeviceId,
                /// pDstResource.
                destination: D3d11ResourceId,
                /// pSrcResource.
                source: D3d11ResourceId,
            ) -> HResult<CopyOutcome>;

            /// Gives the processor access to a subresource. d3d11.h: ID3D11DeviceContext::Map.
            1030 Map [device, objects] = map(
                /// The device whose immediate context maps.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// MapType.
                map_type: MapType,
                /// MapFlags.
                map_flags: MapFlags,
            ) -> HResult<SharedMapData>;

            /// Ends the processor's access. d3d11.h: ID3D11DeviceContext::Unmap, which returns nothing.
            1031 Unmap [device, objects] = unmap(
                /// The device whose immediate context unmaps.
                device: D3d11DeviceId,
                /// pResource.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
            ) -> HResult<()>;

            /// The Release that takes a resource's public reference count to 0. unknwn.h: IUnknown::Release.
            1032 ReleaseResource [device, objects] = release_resource(
                /// The resource released.
                resource: D3d11ResourceId,
            ) -> HResult<()>;

            /// The Release that takes a device's public reference count to 0. unknwn.h: IUnknown::Release.
            1033 ReleaseDevice [objects] = release_device(
                /// The device released.
                device: D3d11DeviceId,
            ) -> HResult<()>;

            /// The graphics processor has done everything that the immediate context submitted. Not a call of d3d11.h but an
            /// input of the simulation: what an application learns when ID3D11DeviceContext::GetData of an event query
            /// returns S_OK.
            1034 GpuWorkCompleted [objects] = gpu_work_completed(
                /// The device whose work is done.
                device: D3d11DeviceId,
            ) -> HResult<()>;
        }
    };
}

//! d3d12.h, resources: creation, sharing, release, queries and mapping. Methods of ID3D12Device and ID3D12Resource.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_resource_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a resource with an implicit heap. d3d12.h: ID3D12Device::CreateCommittedResource.
            9 CreateCommittedResource [device, objects] creates ResourceId = create_committed_resource(
                /// The creating device.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialResourceState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// Creates a committed resource with an optional protected session. d3d12.h:
            /// ID3D12Device4::CreateCommittedResource1.
            10 CreateCommittedResource1 [device, objects] creates ResourceId = create_committed_resource1(
                /// The creating device.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialResourceState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// True if pProtectedSession is not NULL.
                protected_session: bool,
            ) -> HResult<ResourceId>;

            /// Creates a committed resource from a D3D12_RESOURCE_DESC1. d3d12.h:
            /// ID3D12Device8::CreateCommittedResource2.
            11 CreateCommittedResource2 [device, objects] creates ResourceId = create_committed_resource2(
                /// The creating device.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc, without SamplerFeedbackMipRegion.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialResourceState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// True if pProtectedSession is not NULL.
                protected_session: bool,
            ) -> HResult<ResourceId>;

            /// Creates a committed resource with an initial barrier layout and castable formats. d3d12.h:
            /// ID3D12Device10::CreateCommittedResource3.
            12 CreateCommittedResource3 [device, objects] creates ResourceId = create_committed_resource3(
                /// The creating device.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc, without SamplerFeedbackMipRegion.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialLayout, a D3D12_BARRIER_LAYOUT.
                initial_layout: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// True if pProtectedSession is not NULL.
                protected_session: bool,
                /// pCastableFormats.
                castable_formats: Vec<Format>,
            ) -> HResult<ResourceId>;

            /// Creates a resource in a heap. d3d12.h: ID3D12Device::CreatePlacedResource.
            13 CreatePlacedResource [device, objects] creates ResourceId = create_placed_resource(
                /// The creating device.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64 as Offset,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// Creates a placed resource from a D3D12_RESOURCE_DESC1. d3d12.h: ID3D12Device8::CreatePlacedResource1.
            14 CreatePlacedResource1 [device, objects] creates ResourceId = create_placed_resource1(
                /// The creating device.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64 as Offset,
                /// pDesc, without SamplerFeedbackMipRegion.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// Creates a placed resource with an initial barrier layout and castable formats. d3d12.h:
            /// ID3D12Device10::CreatePlacedResource2.
            15 CreatePlacedResource2 [device, objects] creates ResourceId = create_placed_resource2(
                /// The creating device.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64 as Offset,
                /// pDesc, without SamplerFeedbackMipRegion.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialLayout, a D3D12_BARRIER_LAYOUT.
                initial_layout: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// pCastableFormats.
                castable_formats: Vec<Format>,
            ) -> HResult<ResourceId>;

            /// Creates a resource with an address range but without memory. d3d12.h:
            /// ID3D12Device::CreateReservedResource.
            16 CreateReservedResource [device, objects] creates ResourceId = create_reserved_resource(
                /// The creating device.
                device: DeviceId,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// Creates a handle with which other devices can open a committed resource. d3d12.h:
            /// ID3D12Device::CreateSharedHandle, for committed resources alone. Returns the handle as a number: the
            /// session counts its shared handles from 1.
            66 CreateSharedHandle [device, display, objects] = create_shared_handle(
                /// The resource's device.
                device: DeviceId,
                /// pObject.
                resource: ResourceId,
            ) -> HResult<u64>;

            /// Opens a shared resource. d3d12.h: ID3D12Device::OpenSharedHandle.
            67 OpenSharedHandle [device, display, objects] creates ResourceId = open_shared_handle(
                /// The opening device.
                device: DeviceId,
                /// NTHandle.
                handle: u64,
            ) -> HResult<ResourceId>;

            /// Releases the last reference to a resource. unknwn.h: IUnknown::Release.
            17 ReleaseResource [device, objects] = release_resource(
                /// The resource released.
                resource: ResourceId,
            ) -> HResult<()>;

            /// Returns the description that a resource was created with, defaults resolved. d3d12.h:
            /// ID3D12Resource::GetDesc.
            19 GetDesc [objects] = get_desc(
                /// The queried resource.
                resource: ResourceId,
            ) -> HResult<ResourceDesc>;

            /// Returns a buffer's address; 0 for a texture. d3d12.h: ID3D12Resource::GetGPUVirtualAddress.
            21 GetGPUVirtualAddress [objects] = get_gpu_virtual_address(
                /// The queried resource.
                resource: ResourceId,
            ) -> HResult<GpuVirtualAddress>;

            /// Maps a subresource for access by the CPU. d3d12.h: ID3D12Resource::Map.
            23 Map [objects] = map(
                /// The resource mapped.
                resource: ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// pReadRange.
                read_range: Option<MemoryRange>,
            ) -> HResult<CpuAddress>;

            /// Unmaps a subresource. d3d12.h: ID3D12Resource::Unmap.
            24 Unmap [objects] = unmap(
                /// The resource unmapped.
                resource: ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// pWrittenRange.
                written_range: Option<MemoryRange>,
            ) -> HResult<()>;

            /// Writes a box of a mapped texture. d3d12.h: ID3D12Resource::WriteToSubresource.
            136 WriteToSubresource [objects] = write_to_subresource(
                /// The resource written.
                resource: ResourceId,
                /// DstSubresource.
                subresource: u32 as Count,
                /// pDstBox; NULL writes the whole subresource.
                dst_box: Option<CopyBox>,
                /// SrcRowPitch, in bytes.
                row_pitch_bytes: u32,
                /// SrcDepthPitch, in bytes.
                depth_pitch_bytes: u32,
            ) -> HResult<()>;

            /// Reads a box of a mapped texture. d3d12.h: ID3D12Resource::ReadFromSubresource.
            137 ReadFromSubresource [objects] = read_from_subresource(
                /// The resource read.
                resource: ResourceId,
                /// SrcSubresource.
                subresource: u32 as Count,
                /// pSrcBox; NULL reads the whole subresource.
                src_box: Option<CopyBox>,
                /// DstRowPitch, in bytes.
                row_pitch_bytes: u32,
                /// DstDepthPitch, in bytes.
                depth_pitch_bytes: u32,
            ) -> HResult<()>;
        }
    };
}

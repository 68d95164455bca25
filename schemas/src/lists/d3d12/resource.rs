//! d3d12.h, ID3D12Resource.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d12_resource_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a resource with a heap of its own. d3d12.h: ID3D12Device::CreateCommittedResource.
            9 CreateCommittedResource [device, objects] creates ResourceId = create_committed_resource(
                /// The device that creates it.
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

            /// The same, possibly protected. d3d12.h: ID3D12Device4::CreateCommittedResource1.
            10 CreateCommittedResource1 [device, objects] creates ResourceId = create_committed_resource1(
                /// The device that creates it.
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
                /// Whether pProtectedSession is given.
                protected_session: bool,
            ) -> HResult<ResourceId>;

            /// The same for D3D12_RESOURCE_DESC1. d3d12.h: ID3D12Device8::CreateCommittedResource2.
            11 CreateCommittedResource2 [device, objects] creates ResourceId = create_committed_resource2(
                /// The device that creates it.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc, but for its mip region.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialResourceState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// Whether pProtectedSession is given.
                protected_session: bool,
            ) -> HResult<ResourceId>;

            /// The same with a barrier layout and castable formats. d3d12.h: ID3D12Device10::CreateCommittedResource3.
            12 CreateCommittedResource3 [device, objects] creates ResourceId = create_committed_resource3(
                /// The device that creates it.
                device: DeviceId,
                /// pHeapProperties.
                heap_properties: HeapProperties,
                /// HeapFlags.
                heap_flags: HeapFlags,
                /// pDesc, but for its mip region.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialLayout, a D3D12_BARRIER_LAYOUT.
                initial_layout: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
                /// Whether pProtectedSession is given.
                protected_session: bool,
                /// pCastableFormats.
                castable_formats: Vec<Format>,
            ) -> HResult<ResourceId>;

            /// Creates a resource in a heap. d3d12.h: ID3D12Device::CreatePlacedResource.
            13 CreatePlacedResource [device, objects] creates ResourceId = create_placed_resource(
                /// The device that creates it.
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

            /// The same for D3D12_RESOURCE_DESC1. d3d12.h: ID3D12Device8::CreatePlacedResource1.
            14 CreatePlacedResource1 [device, objects] creates ResourceId = create_placed_resource1(
                /// The device that creates it.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64 as Offset,
                /// pDesc, but for its mip region.
                desc: ResourceDesc,
                /// pDesc->SamplerFeedbackMipRegion.
                mip_region: MipRegion,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// The same with a barrier layout and castable formats. d3d12.h: ID3D12Device10::CreatePlacedResource2.
            15 CreatePlacedResource2 [device, objects] creates ResourceId = create_placed_resource2(
                /// The device that creates it.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64 as Offset,
                /// pDesc, but for its mip region.
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

            /// Creates a resource of address space alone. d3d12.h: ID3D12Device::CreateReservedResource.
            16 CreateReservedResource [device, objects] creates ResourceId = create_reserved_resource(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// Makes a handle by which others open a committed resource. d3d12.h: ID3D12Device::CreateSharedHandle. Gives the
            /// handle's number, from 1.
            66 CreateSharedHandle [device, display, objects] = create_shared_handle(
                /// The resource's device.
                device: DeviceId,
                /// pObject.
                resource: ResourceId,
            ) -> HResult<u64>;

            /// Opens a resource that was shared. d3d12.h: ID3D12Device::OpenSharedHandle.
            67 OpenSharedHandle [device, display, objects] creates ResourceId = open_shared_handle(
                /// The device that opens it.
                device: DeviceId,
                /// NTHandle.
                handle: u64,
            ) -> HResult<ResourceId>;

            /// The Release that takes a resource's public reference count to 0. unknwn.h: IUnknown::Release.
            17 ReleaseResource [device, objects] = release_resource(
                /// The resource released.
                resource: ResourceId,
            ) -> HResult<()>;

            /// The description a resource was created with, defaults resolved. d3d12.h: ID3D12Resource::GetDesc.
            19 GetDesc [objects] = get_desc(
                /// The resource asked.
                resource: ResourceId,
            ) -> HResult<ResourceDesc>;

            /// A buffer's address; 0 for a texture. d3d12.h: ID3D12Resource::GetGPUVirtualAddress.
            21 GetGPUVirtualAddress [objects] = get_gpu_virtual_address(
                /// The resource asked.
                resource: ResourceId,
            ) -> HResult<GpuVirtualAddress>;

            /// Gives the processor access to a subresource. d3d12.h: ID3D12Resource::Map.
            23 Map [objects] = map(
                /// The resource mapped.
                resource: ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// pReadRange.
                read_range: Option<MemoryRange>,
            ) -> HResult<CpuAddress>;

            /// Ends the processor's access. d3d12.h: ID3D12Resource::Unmap.
            24 Unmap [objects] = unmap(
                /// The resource unmapped.
                resource: ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// pWrittenRange.
                written_range: Option<MemoryRange>,
            ) -> HResult<()>;
        }
    };
}

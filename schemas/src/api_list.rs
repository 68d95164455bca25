//! The API calls: d3d12.h, `ID3D12Device` to `ID3D12Device12`, `ID3D12Resource`, `ID3D12Heap`, `ID3D12Object`; of
//! command lists, those that bind buffers in a way that has an alignment of its own.

/// Hands the list of API calls to a macro.
///
/// A line is: documentation, number, name, `[locks]`, method, arguments, result. Numbers are never reused; arguments
/// are only appended.
#[macro_export]
macro_rules! for_each_api_call {
    ($handler:ident) => {
        $handler! {
            /// Creates the adapter's device, or gives the one there is. d3d12.h: D3D12CreateDevice.
            1 CreateDevice [device] = create_device(
                /// MinimumFeatureLevel, a D3D_FEATURE_LEVEL.
                minimum_feature_level: u32,
            ) -> HResult<DeviceId>;

            /// Asks what the driver supports. d3d12.h: ID3D12Device::CheckFeatureSupport.
            2 CheckFeatureSupport [device] = check_feature_support(
                /// The device asked.
                device: DeviceId,
                /// Feature.
                feature: Feature,
                /// pFeatureSupportData before the call, FeatureSupportDataSize bytes.
                data: Bytes,
            ) -> HResult<FeatureData>;

            /// Size and alignment of resources laid one after another. d3d12.h: ID3D12Device::GetResourceAllocationInfo.
            3 GetResourceAllocationInfo [device] = get_resource_allocation_info(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32,
                /// pResourceDescs.
                descs: Vec<ResourceDesc>,
            ) -> AllocationInfo;

            /// The same, and each resource's place. d3d12.h: ID3D12Device4::GetResourceAllocationInfo1.
            4 GetResourceAllocationInfo1 [device] = get_resource_allocation_info1(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32,
                /// pResourceDescs.
                descs: Vec<ResourceDesc>,
                /// Whether pResourceAllocationInfo1 is given; NULL is allowed.
                want_infos: bool,
            ) -> AllocationInfos;

            /// The same for D3D12_RESOURCE_DESC1. d3d12.h: ID3D12Device8::GetResourceAllocationInfo2.
            5 GetResourceAllocationInfo2 [device] = get_resource_allocation_info2(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32,
                /// pResourceDescs, but for their mip regions.
                descs: Vec<ResourceDesc>,
                /// SamplerFeedbackMipRegion of each description.
                mip_regions: Vec<MipRegion>,
                /// Whether pResourceAllocationInfo1 is given; NULL is allowed.
                want_infos: bool,
            ) -> AllocationInfos;

            /// The same with castable formats. d3d12.h: ID3D12Device12::GetResourceAllocationInfo3.
            6 GetResourceAllocationInfo3 [device] = get_resource_allocation_info3(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32,
                /// pResourceDescs, but for their mip regions.
                descs: Vec<ResourceDesc>,
                /// SamplerFeedbackMipRegion of each description.
                mip_regions: Vec<MipRegion>,
                /// pNumCastableFormats: how many formats each description may be cast to.
                num_castable_formats: Vec<u32>,
                /// ppCastableFormats, one description's after another.
                castable_formats: Vec<Format>,
                /// Whether pResourceAllocationInfo1 is given; NULL is allowed.
                want_infos: bool,
            ) -> AllocationInfos;

            /// Creates a heap for placed resources. d3d12.h: ID3D12Device::CreateHeap.
            7 CreateHeap [device, objects] = create_heap(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: HeapDesc,
            ) -> HResult<HeapId>;

            /// Creates a heap, possibly protected. d3d12.h: ID3D12Device4::CreateHeap1.
            8 CreateHeap1 [device, objects] = create_heap1(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: HeapDesc,
                /// Whether pProtectedSession is given.
                protected_session: bool,
            ) -> HResult<HeapId>;

            /// Creates a resource with a heap of its own. d3d12.h: ID3D12Device::CreateCommittedResource.
            9 CreateCommittedResource [device, objects] = create_committed_resource(
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
            10 CreateCommittedResource1 [device, objects] = create_committed_resource1(
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
            11 CreateCommittedResource2 [device, objects] = create_committed_resource2(
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
            12 CreateCommittedResource3 [device, objects] = create_committed_resource3(
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
            13 CreatePlacedResource [device, objects] = create_placed_resource(
                /// The device that creates it.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// The same for D3D12_RESOURCE_DESC1. d3d12.h: ID3D12Device8::CreatePlacedResource1.
            14 CreatePlacedResource1 [device, objects] = create_placed_resource1(
                /// The device that creates it.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64,
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
            15 CreatePlacedResource2 [device, objects] = create_placed_resource2(
                /// The device that creates it.
                device: DeviceId,
                /// pHeap.
                heap: HeapId,
                /// HeapOffset.
                heap_offset_bytes: u64,
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
            16 CreateReservedResource [device, objects] = create_reserved_resource(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: ResourceDesc,
                /// InitialState, a D3D12_RESOURCE_STATES.
                initial_state: u32,
                /// pOptimizedClearValue.
                clear_value: Option<ClearValue>,
            ) -> HResult<ResourceId>;

            /// The Release that takes a resource's public reference count to 0. unknwn.h: IUnknown::Release.
            17 ReleaseResource [device, objects] = release_resource(
                /// The resource released.
                resource: ResourceId,
            ) -> HResult<()>;

            /// The Release that takes a heap's public reference count to 0. unknwn.h: IUnknown::Release.
            18 ReleaseHeap [device, objects] = release_heap(
                /// The heap released.
                heap: HeapId,
            ) -> HResult<()>;

            /// The description a resource was created with, defaults resolved. d3d12.h: ID3D12Resource::GetDesc.
            19 GetDesc [objects] = get_desc(
                /// The resource asked.
                resource: ResourceId,
            ) -> HResult<ResourceDesc>;

            /// The description a heap was created with. d3d12.h: ID3D12Heap::GetDesc.
            20 GetHeapDesc [objects] = get_heap_desc(
                /// The heap asked.
                heap: HeapId,
            ) -> HResult<HeapDesc>;

            /// A buffer's address; 0 for a texture. d3d12.h: ID3D12Resource::GetGPUVirtualAddress.
            21 GetGPUVirtualAddress [objects] = get_gpu_virtual_address(
                /// The resource asked.
                resource: ResourceId,
            ) -> HResult<GpuVirtualAddress>;

            /// Names an object for tools. d3d12.h: ID3D12Object::SetName.
            22 SetName [objects] = set_name(
                /// The object named.
                object: ObjectId,
                /// Name.
                name: String,
            ) -> HResult<()>;

            /// Gives the processor access to a subresource. d3d12.h: ID3D12Resource::Map.
            23 Map [objects] = map(
                /// The resource mapped.
                resource: ResourceId,
                /// Subresource.
                subresource: u32,
                /// pReadRange.
                read_range: Option<MemoryRange>,
            ) -> HResult<CpuAddress>;

            /// Ends the processor's access. d3d12.h: ID3D12Resource::Unmap.
            24 Unmap [objects] = unmap(
                /// The resource unmapped.
                resource: ResourceId,
                /// Subresource.
                subresource: u32,
                /// pWrittenRange.
                written_range: Option<MemoryRange>,
            ) -> HResult<()>;

            /// Lays a texture's subresources out in a buffer, as copies between the two need them. d3d12.h:
            /// ID3D12Device::GetCopyableFootprints.
            25 GetCopyableFootprints [device] = get_copyable_footprints(
                /// The device asked.
                device: DeviceId,
                /// pResourceDesc.
                desc: ResourceDesc,
                /// FirstSubresource.
                first_subresource: u32,
                /// NumSubresources.
                num_subresources: u32,
                /// BaseOffset, in bytes.
                base_offset_bytes: u64,
            ) -> CopyableFootprints;

            /// Makes a descriptor of a constant buffer. d3d12.h: ID3D12Device::CreateConstantBufferView.
            26 CreateConstantBufferView [device] = create_constant_buffer_view(
                /// The device that makes it.
                device: DeviceId,
                /// pDesc; NULL makes a null descriptor.
                desc: Option<ConstantBufferViewDesc>,
            ) -> HResult<()>;

            /// Makes a descriptor that shaders read through. d3d12.h: ID3D12Device::CreateShaderResourceView.
            27 CreateShaderResourceView [device, objects] = create_shader_resource_view(
                /// The device that makes it.
                device: DeviceId,
                /// pResource; NULL makes a null descriptor.
                resource: ResourceId,
                /// pDesc; NULL views the whole resource in its own format.
                desc: Option<ShaderResourceViewDesc>,
            ) -> HResult<()>;

            /// Makes a descriptor that shaders read and write through. d3d12.h:
            /// ID3D12Device::CreateUnorderedAccessView.
            28 CreateUnorderedAccessView [device, objects] = create_unordered_access_view(
                /// The device that makes it.
                device: DeviceId,
                /// pResource; NULL makes a null descriptor.
                resource: ResourceId,
                /// pCounterResource.
                counter_resource: ResourceId,
                /// pDesc; NULL views the whole resource in its own format.
                desc: Option<UnorderedAccessViewDesc>,
            ) -> HResult<()>;

            /// Records a dispatch of rays. d3d12.h: ID3D12GraphicsCommandList4::DispatchRays.
            29 DispatchRays [device] = dispatch_rays(
                /// The command list's device.
                device: DeviceId,
                /// pDesc.
                desc: DispatchRaysDesc,
            ) -> HResult<()>;

            /// Records the build of an acceleration structure, or of an array of opacity micromaps. d3d12.h:
            /// ID3D12GraphicsCommandList4::BuildRaytracingAccelerationStructure.
            30 BuildRaytracingAccelerationStructure [device] = build_raytracing_acceleration_structure(
                /// The command list's device.
                device: DeviceId,
                /// pDesc, but for its geometries.
                desc: BuildRaytracingAccelerationStructureDesc,
                /// pDesc->Inputs.pGeometryDescs or ppGeometryDescs, of a bottom level.
                geometry_descs: Vec<RaytracingGeometryDesc>,
            ) -> HResult<()>;

            /// Records the decoding of a video frame. d3d12video.h: ID3D12VideoDecodeCommandList1::DecodeFrame1.
            31 DecodeFrame1 [device, objects] = decode_frame1(
                /// The command list's device.
                device: DeviceId,
                /// pInputArguments->CompressedBitstream.
                compressed_bitstream: VideoDecodeCompressedBitstream,
                /// pOutputArguments->Histograms; those without a buffer may be left out.
                histograms: Vec<VideoDecodeOutputHistogram>,
            ) -> HResult<()>;
        }
    };
}

/// Arguments of the API calls, one struct per line of [`for_each_api_call!`](crate::for_each_api_call).
pub mod api {
    use crate::call::{Call, Layer, LockSet, define_calls, describe_start};
    use crate::event::{EventCode, Opcode};
    use crate::field::{Bytes, Field, HandleMap};
    use crate::row::{CodecError, Decoder, Encoder};
    use crate::table::{EventHead, SchemaTable};
    use crate::{bind::*, code::*, desc::*, format::Format, hresult::HResult, id::*};

    macro_rules! structs {
        ($($list:tt)*) => { define_calls! { Api; $($list)* } };
    }
    for_each_api_call!(structs);
}

pub(crate) use api::describe;

//! d3d12.h, ID3D12Device: the sizes and alignments of resources.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d12_allocation_info_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Size and alignment of resources laid one after another. d3d12.h: ID3D12Device::GetResourceAllocationInfo.
            3 GetResourceAllocationInfo [device] = get_resource_allocation_info(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
                /// pResourceDescs.
                descs: Vec<ResourceDesc>,
            ) -> AllocationInfo;

            /// The same, and each resource's place. d3d12.h: ID3D12Device4::GetResourceAllocationInfo1.
            4 GetResourceAllocationInfo1 [device] = get_resource_allocation_info1(
                /// The device asked.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
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
                visible_mask: u32 as Flags,
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
                visible_mask: u32 as Flags,
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

            /// Lays a texture's subresources out in a buffer, as copies between the two need them. d3d12.h:
            /// ID3D12Device::GetCopyableFootprints.
            25 GetCopyableFootprints [device] = get_copyable_footprints(
                /// The device asked.
                device: DeviceId,
                /// pResourceDesc.
                desc: ResourceDesc,
                /// FirstSubresource.
                first_subresource: u32 as Count,
                /// NumSubresources.
                num_subresources: u32 as Count,
                /// BaseOffset, in bytes.
                base_offset_bytes: u64 as Offset,
            ) -> CopyableFootprints;
        }
    };
}

//! d3d12.h, ID3D12Device: sizes and alignments of resources.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_allocation_info_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Returns size and alignment of resources placed one after another. d3d12.h:
            /// ID3D12Device::GetResourceAllocationInfo.
            3 GetResourceAllocationInfo [device] = get_resource_allocation_info(
                /// The queried device.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
                /// pResourceDescs.
                descs: Vec<ResourceDesc>,
            ) -> AllocationInfo;

            /// Returns size, alignment and offsets of resources placed one after another. d3d12.h:
            /// ID3D12Device4::GetResourceAllocationInfo1.
            4 GetResourceAllocationInfo1 [device] = get_resource_allocation_info1(
                /// The queried device.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
                /// pResourceDescs.
                descs: Vec<ResourceDesc>,
                /// True if pResourceAllocationInfo1 is not NULL.
                want_infos: bool,
            ) -> AllocationInfos;

            /// Returns size, alignment and offsets of resources described by D3D12_RESOURCE_DESC1. d3d12.h:
            /// ID3D12Device8::GetResourceAllocationInfo2.
            5 GetResourceAllocationInfo2 [device] = get_resource_allocation_info2(
                /// The queried device.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
                /// pResourceDescs, without SamplerFeedbackMipRegion.
                descs: Vec<ResourceDesc>,
                /// SamplerFeedbackMipRegion of each description.
                mip_regions: Vec<MipRegion>,
                /// True if pResourceAllocationInfo1 is not NULL.
                want_infos: bool,
            ) -> AllocationInfos;

            /// Returns size, alignment and offsets of resources with castable formats. d3d12.h:
            /// ID3D12Device12::GetResourceAllocationInfo3.
            6 GetResourceAllocationInfo3 [device] = get_resource_allocation_info3(
                /// The queried device.
                device: DeviceId,
                /// visibleMask.
                visible_mask: u32 as Flags,
                /// pResourceDescs, without SamplerFeedbackMipRegion.
                descs: Vec<ResourceDesc>,
                /// SamplerFeedbackMipRegion of each description.
                mip_regions: Vec<MipRegion>,
                /// pNumCastableFormats: number of castable formats of each description.
                num_castable_formats: Vec<u32>,
                /// ppCastableFormats, concatenated.
                castable_formats: Vec<Format>,
                /// True if pResourceAllocationInfo1 is not NULL.
                want_infos: bool,
            ) -> AllocationInfos;

            /// Returns the layout of a texture's subresources in a buffer, for copies between the two. d3d12.h:
            /// ID3D12Device::GetCopyableFootprints.
            25 GetCopyableFootprints [device] = get_copyable_footprints(
                /// The queried device.
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

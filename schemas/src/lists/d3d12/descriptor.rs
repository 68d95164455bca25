//! d3d12.h, descriptor heaps and their descriptors.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_descriptor_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a descriptor heap. d3d12.h: ID3D12Device::CreateDescriptorHeap.
            121 CreateDescriptorHeap [device, objects] creates DescriptorHeapId = create_descriptor_heap(
                /// The creating device.
                device: DeviceId,
                /// pDescriptorHeapDesc.
                desc: DescriptorHeapDesc,
            ) -> HResult<DescriptorHeapId>;

            /// Releases the last reference to a descriptor heap. unknwn.h: IUnknown::Release.
            122 ReleaseDescriptorHeap [objects] = release_descriptor_heap(
                /// The descriptor heap.
                descriptor_heap: DescriptorHeapId,
            ) -> HResult<()>;

            /// Returns the description of a descriptor heap. d3d12.h: ID3D12DescriptorHeap::GetDesc.
            123 GetDescriptorHeapDesc [objects] = get_descriptor_heap_desc(
                /// The descriptor heap.
                descriptor_heap: DescriptorHeapId,
            ) -> HResult<DescriptorHeapDesc>;

            /// Returns the first descriptor of a heap. d3d12.h:
            /// ID3D12DescriptorHeap::GetCPUDescriptorHandleForHeapStart.
            124 GetCPUDescriptorHandleForHeapStart [objects] = get_cpu_descriptor_handle_for_heap_start(
                /// The descriptor heap.
                descriptor_heap: DescriptorHeapId,
            ) -> HResult<CpuDescriptorHandle>;

            /// Returns the first descriptor of a shader-visible heap; 0 for other heaps. d3d12.h:
            /// ID3D12DescriptorHeap::GetGPUDescriptorHandleForHeapStart.
            125 GetGPUDescriptorHandleForHeapStart [objects] = get_gpu_descriptor_handle_for_heap_start(
                /// The descriptor heap.
                descriptor_heap: DescriptorHeapId,
            ) -> HResult<GpuDescriptorHandle>;

            /// Creates a descriptor of a depth-stencil buffer. d3d12.h: ID3D12Device::CreateDepthStencilView.
            126 CreateDepthStencilView [device, objects] = create_depth_stencil_view(
                /// The creating device.
                device: DeviceId,
                /// pResource; NULL makes a null descriptor.
                resource: ResourceId,
                /// D3D12_DEPTH_STENCIL_VIEW_DESC::Format; UNKNOWN is the resource's own.
                format: Format,
                /// DestDescriptor.
                dest_descriptor: CpuDescriptorHandle,
            ) -> HResult<()>;

            /// Creates a descriptor of a sampler. d3d12.h: ID3D12Device::CreateSampler.
            127 CreateSampler [device] = create_sampler(
                /// The creating device.
                device: DeviceId,
                /// pDesc.
                desc: SamplerDesc,
                /// DestDescriptor.
                dest_descriptor: CpuDescriptorHandle,
            ) -> HResult<()>;

            /// Copies ranges of descriptors. d3d12.h: ID3D12Device::CopyDescriptors.
            128 CopyDescriptors [device] = copy_descriptors(
                /// The device.
                device: DeviceId,
                /// pDestDescriptorRangeStarts and pDestDescriptorRangeSizes.
                dest_ranges: Vec<DescriptorRange>,
                /// pSrcDescriptorRangeStarts and pSrcDescriptorRangeSizes.
                src_ranges: Vec<DescriptorRange>,
                /// DescriptorHeapsType.
                heap_type: DescriptorHeapType,
            ) -> HResult<()>;

            /// Copies one range of descriptors. d3d12.h: ID3D12Device::CopyDescriptorsSimple.
            129 CopyDescriptorsSimple [device] = copy_descriptors_simple(
                /// The device.
                device: DeviceId,
                /// NumDescriptors.
                num_descriptors: u32 as Count,
                /// DestDescriptorRangeStart.
                dest_range_start: CpuDescriptorHandle,
                /// SrcDescriptorRangeStart.
                src_range_start: CpuDescriptorHandle,
                /// DescriptorHeapsType.
                heap_type: DescriptorHeapType,
            ) -> HResult<()>;

            /// Returns the distance of descriptors in a heap, in bytes; 0 for an unknown type. d3d12.h:
            /// ID3D12Device::GetDescriptorHandleIncrementSize.
            134 GetDescriptorHandleIncrementSize [device] = get_descriptor_handle_increment_size(
                /// The device.
                device: DeviceId,
                /// DescriptorHeapType.
                heap_type: DescriptorHeapType,
            ) -> HResult<u64>;
        }
    };
}

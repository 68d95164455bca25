//! Events of the graphics providers of Windows.

use super::define::windows_events;

/// Microsoft-Windows-DxgKrnl, the graphics kernel.
pub const DXGKRNL: &str = "802ec45a-1e99-4b83-9920-87c98277ba9d";
/// Microsoft-Windows-DXGI.
pub const DXGI: &str = "ca11c036-0102-4a2d-a6ad-f03cfed5d3c9";
/// Microsoft-Windows-D3D9.
pub const D3D9: &str = "783aca0a-790e-4d7f-8451-aa850511c6b9";
/// Microsoft-Windows-Direct3D12.
pub const DIRECT3D12: &str = "5d8087dd-3a9b-4f56-90df-49196cdc4f11";
/// Microsoft-Windows-Direct3D11.
pub const DIRECT3D11: &str = "db6f6ddb-ac77-4e88-8253-819df9bbf140";
/// Microsoft-Windows-Kernel-Process.
pub const KERNEL_PROCESS: &str = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716";

windows_events! {
    /// VSyncDPC: a vertical synchronization, with the flip that it displayed.
    pub struct VerticalSync of DXGKRNL [17] {
        source: Option<u64> = "VidPnSourceId",
        flip_fence: Option<u64> = "FlipFenceId",
    }

    /// VSyncDPCMultiPlane: the flips of planes that a vertical synchronization displayed.
    pub struct MultiPlaneSync of DXGKRNL [273] {
        flip_fences: Vec<u64> = "FlipSubmitSequence",
    }

    /// MMIOFlip: the display hardware receives a flip.
    pub struct MmioFlip of DXGKRNL [116] {
        submit_sequence: Option<u64> = "FlipSubmitSequence",
        flags: Option<u64> = "Flags",
    }

    /// MMIOFlipMultiPlaneOverlay: the display hardware receives a flip of a plane.
    pub struct MmioPlaneFlip of DXGKRNL [259] {
        flip_fence: Option<u64> = "FlipSubmitSequence",
        entry_status: Option<u64> = "FlipEntryStatusAfterFlip",
    }

    /// Blit: the kernel begins a present that copies.
    pub struct PresentBlit of DXGKRNL [166] {
        window: Option<u64> = "hwnd",
        is_redirected: Option<u64> = "bRedirectedPresent",
    }

    /// Flip, FlipMultiPlaneOverlay: the kernel begins a present that flips.
    pub struct PresentFlip of DXGKRNL [168, 252] {
        source: Option<u64> = "VidPnSourceId",
    }

    /// Present: the kernel ends a present.
    pub struct KernelPresent of DXGKRNL [184] {
        window: Option<u64> = "hWindow",
        flags: Option<u64> = "Flags",
    }

    /// PresentMultiPlaneOverlay: the kernel ends a present of planes.
    pub struct KernelPlanePresent of DXGKRNL [251] {
        source: Option<u64> = "VidPnSourceId",
    }

    /// PresentHistory, PresentHistoryDetailed: the compositor's token of a present begins.
    pub struct PresentTokenStart of DXGKRNL [171, 215] {
        token: Option<u64> = "Token",
        model: Option<u64> = "Model",
    }

    /// PresentHistory: the compositor's token of a present ends.
    pub struct PresentTokenStop of DXGKRNL [173] {
        token: Option<u64> = "Token",
        model: Option<u64> = "Model",
    }

    /// QueuePacket: a packet enters the queue of a context.
    pub struct QueuePacketStart of DXGKRNL [178] {
        context: Option<u64> = "hContext",
        packet_type: Option<u64> = "PacketType",
        submit_sequence: Option<u64> = "SubmitSequence",
        is_present: Option<u64> = "bPresent",
    }

    /// QueuePacket: a wait or a signal enters the queue of a context.
    pub struct QueueWaitStart of DXGKRNL [244, 245] {
        context: Option<u64> = "hContext",
        submit_sequence: Option<u64> = "SubmitSequence",
    }

    /// QueuePacket: a packet leaves the queue of a context.
    pub struct QueuePacketStop of DXGKRNL [180] {
        context: Option<u64> = "hContext",
        packet_type: Option<u64> = "PacketType",
        submit_sequence: Option<u64> = "SubmitSequence",
    }

    /// DmaPacket: an engine receives a packet.
    pub struct DmaPacketStart of DXGKRNL [175] {
        context: Option<u64> = "hContext",
        packet_type: Option<u64> = "PacketType",
        submission: Option<u64> = "uliSubmissionId",
    }

    /// DmaPacket: an engine ends a packet.
    pub struct DmaPacketStop of DXGKRNL [176] {
        context: Option<u64> = "hContext",
        submission: Option<u64> = "uliCompletionId",
    }

    /// IndependentFlip: a present of the compositor becomes a flip.
    pub struct IndependentFlip of DXGKRNL [266] {
        context: Option<u64> = "hContext",
        submit_sequence: Option<u64> = "SubmitSequence",
    }

    /// Device: a device exists.
    pub struct KernelDevice of DXGKRNL [27, 29] {
        process: Option<u64> = "hProcessId",
        device: Option<u64> = "hDevice",
    }

    /// Context: a context exists.
    pub struct KernelContext of DXGKRNL [30, 32] {
        device: Option<u64> = "hDevice",
        node: Option<u64> = "NodeOrdinal",
        context: Option<u64> = "hContext",
    }

    /// AdapterAllocation: an allocation is created, or exists at the begin of the trace.
    pub struct AllocationStart of DXGKRNL [33, 35] {
        process: Option<u64> = "hProcessId",
        allocation: Option<u64> = "hVidMmGlobalAlloc",
        size_bytes: Option<u64> = "allocSize",
        alignment_bytes: Option<u64> = "ulAlignment",
        preferred_segment: Option<u64> = "PreferredSegment",
        format: Option<u64> = "Format",
        width: Option<u64> = "Width",
        height: Option<u64> = "Height",
    }

    /// AdapterAllocation: an allocation is destroyed.
    pub struct AllocationStop of DXGKRNL [34] {
        process: Option<u64> = "hProcessId",
        allocation: Option<u64> = "hVidMmGlobalAlloc",
        size_bytes: Option<u64> = "allocSize",
        alignment_bytes: Option<u64> = "ulAlignment",
        preferred_segment: Option<u64> = "PreferredSegment",
        format: Option<u64> = "Format",
        width: Option<u64> = "Width",
        height: Option<u64> = "Height",
    }

    /// TotalBytesResidentInSegment: bytes in use of a segment.
    pub struct SegmentBytes of DXGKRNL [274] {
        adapter: Option<u64> = "DxgAdapter",
        segment: Option<u64> = "SegmentId",
        resident_bytes: Option<u64> = "TotalBytesResident",
    }

    /// VidMmProcessUsageChange: bytes that a process uses.
    pub struct ProcessUsage of DXGKRNL [367] {
        process: Option<u64> = "ProcessId",
        segment_group: Option<u64> = "MemorySegmentGroup",
        bytes: Option<u64> = "NewUsage",
    }

    /// VidMmProcessCommitmentChange: bytes that a process has committed.
    pub struct ProcessCommitment of DXGKRNL [371] {
        process: Option<u64> = "ProcessId",
        segment_group: Option<u64> = "MemorySegmentGroup",
        bytes: Option<u64> = "Commitment",
    }

    /// Present, PresentMultiplaneOverlay: DXGI begins a present.
    pub struct DxgiPresentStart of DXGI [42, 55] {
        swap_chain: Option<u64> = "pIDXGISwapChain",
        flags: Option<u64> = "Flags",
    }

    /// Present, PresentMultiplaneOverlay: DXGI ends a present.
    pub struct DxgiPresentStop of DXGI [43, 56] {
        result: Option<u64> = "Result",
    }

    /// Present: Direct3D 9 begins a present.
    pub struct D3d9PresentStart of D3D9 [1] {
        swap_chain: Option<u64> = "pSwapchain",
    }

    /// Present: Direct3D 9 ends a present.
    pub struct D3d9PresentStop of D3D9 [2] {
        result: Option<u64> = "Result",
    }

    /// BackgroundWork: a thread of Direct3D 12 begins background work.
    pub struct BackgroundWorkStart of DIRECT3D12 [132] {
        device: Option<u64> = "pID3D12Device",
    }

    /// BackgroundWork: a thread of Direct3D 12 ends background work.
    pub struct BackgroundWorkStop of DIRECT3D12 [133] {
        device: Option<u64> = "pID3D12Device",
    }

    /// BackgroundWork: an event in a thread of Direct3D 12 that begins and ends nothing.
    pub struct BackgroundWorkInfo of DIRECT3D12 [134] {
        device: Option<u64> = "pID3D12Device",
    }

    /// CreatePipelineStateObject: a thread begins to create a pipeline state.
    pub struct PipelineStart of DIRECT3D12 [155] {}

    /// CreatePipelineStateObject: a thread ends to create a pipeline state.
    pub struct PipelineStop of DIRECT3D12 [156] {}

    /// CreatePipelineStateObject, CreateStateObject, AddToStateObject: look-ups in caches.
    pub struct PipelineLookups of DIRECT3D12 [161, 162, 163] {
        required: Option<u64> = "NumRequiredLookups",
        required_hits: Option<u64> = "NumRequiredHitsInPSDB",
        required_dynamic_hits: Option<u64> = "NumRequiredHitsInDynamicCache",
    }

    /// Heap: a heap is created, an explicit one or the implicit one of a committed resource.
    pub struct HeapStart of DIRECT3D12 [72] {
        heap: Option<u64> = "pID3D12Heap",
        size_bytes: Option<u64> = "SizeInBytes",
        alignment_bytes: Option<u64> = "Alignment",
        heap_type: Option<u64> = "Type",
        cpu_page_property: Option<u64> = "CPUPageProperty",
        memory_pool: Option<u64> = "MemoryPoolPreference",
        creation_node_mask: Option<u64> = "CreationNodeMask",
        visible_node_mask: Option<u64> = "VisibleNodeMask",
        flags: Option<u64> = "Flags",
        resource: Option<u64> = "pID3D12ConjoinedResource",
    }

    /// Heap: a heap exists at the begin of the trace.
    pub struct HeapRundown of DIRECT3D12 [74] {
        heap: Option<u64> = "pID3D12Heap",
        size_bytes: Option<u64> = "SizeInBytes",
        alignment_bytes: Option<u64> = "Alignment",
        heap_type: Option<u64> = "Type",
        cpu_page_property: Option<u64> = "CPUPageProperty",
        memory_pool: Option<u64> = "MemoryPoolPreference",
        creation_node_mask: Option<u64> = "CreationNodeMask",
        visible_node_mask: Option<u64> = "VisibleNodeMask",
        flags: Option<u64> = "Flags",
        resource: Option<u64> = "pID3D12ConjoinedResource",
    }

    /// Heap: a heap is destroyed.
    pub struct HeapStop of DIRECT3D12 [73] {
        heap: Option<u64> = "pID3D12Heap",
    }

    /// Resource: a resource is created.
    pub struct ResourceStart of DIRECT3D12 [91] {
        resource: Option<u64> = "pID3D12Resource",
        dimension: Option<u64> = "Dimension",
        width: Option<u64> = "Width",
        height: Option<u64> = "Height",
        depth: Option<u64> = "Depth",
        mip_levels: Option<u64> = "MipLevels",
        array_size: Option<u64> = "ArraySize",
        format: Option<u64> = "Format",
        sample_count: Option<u64> = "SampleCount",
        sample_quality: Option<u64> = "SampleQuality",
        layout: Option<u64> = "Layout",
        flags: Option<u64> = "Flags",
        placement: Option<u64> = "HeapType",
        heap: Option<u64> = "pHeap",
        heap_offset_bytes: Option<u64> = "ImmutableHeapOffset",
        alignment_bytes: Option<u64> = "PlacedAlignment",
        size_bytes: Option<u64> = "PlacedSize",
    }

    /// Resource: a resource exists at the begin of the trace.
    pub struct ResourceRundown of DIRECT3D12 [93] {
        resource: Option<u64> = "pID3D12Resource",
        dimension: Option<u64> = "Dimension",
        width: Option<u64> = "Width",
        height: Option<u64> = "Height",
        depth: Option<u64> = "Depth",
        mip_levels: Option<u64> = "MipLevels",
        array_size: Option<u64> = "ArraySize",
        format: Option<u64> = "Format",
        sample_count: Option<u64> = "SampleCount",
        sample_quality: Option<u64> = "SampleQuality",
        layout: Option<u64> = "Layout",
        flags: Option<u64> = "Flags",
        placement: Option<u64> = "HeapType",
        heap: Option<u64> = "pHeap",
        heap_offset_bytes: Option<u64> = "ImmutableHeapOffset",
        alignment_bytes: Option<u64> = "PlacedAlignment",
        size_bytes: Option<u64> = "PlacedSize",
    }

    /// Resource: a resource is destroyed.
    pub struct ResourceStop of DIRECT3D12 [92] {
        resource: Option<u64> = "pID3D12Resource",
    }

    /// AllocationInfo: address ranges and kernel allocations of a heap or resource.
    pub struct ObjectAllocations of DIRECT3D12 [94] {
        object: Option<u64> = "pObject",
        address_ranges: Option<u64> = "NumVirtualAddressInfos",
        kernel_allocations: Option<u64> = "NumKMTInfos",
    }

    /// Name: an object gets a name.
    pub struct ObjectName of DIRECT3D12 [1, 55] {
        object: Option<u64> = "pObject",
        name: Option<String> = "NewDebugObjectName",
    }

    /// Name: an object has a name at the begin of the trace.
    pub struct ObjectNameRundown of DIRECT3D12 [2] {
        object: Option<u64> = "pObject",
        name: Option<String> = "DebugObjectName",
    }

    /// Buffer, Texture1D, Texture2D, Texture3D: Direct3D 11 creates a resource.
    pub struct Resource11Start of DIRECT3D11 [6, 9, 12, 15] {
        resource: Option<u64> = "pID3D11Resource",
        dimension: Option<u64> = "Dimension",
        usage: Option<u64> = "Usage",
        width: Option<u64> = "Width",
        height: Option<u64> = "Height",
        depth: Option<u64> = "Depth",
        mip_levels: Option<u64> = "MipLevels",
        array_size: Option<u64> = "ArraySize",
        format: Option<u64> = "Format",
        sample_count: Option<u64> = "SampleCount",
    }

    /// Buffer, Texture1D, Texture2D, Texture3D: a resource of Direct3D 11 exists at the begin of the trace.
    pub struct Resource11Rundown of DIRECT3D11 [8, 11, 14, 17] {
        resource: Option<u64> = "pID3D11Resource",
        dimension: Option<u64> = "Dimension",
        usage: Option<u64> = "Usage",
        width: Option<u64> = "Width",
        height: Option<u64> = "Height",
        depth: Option<u64> = "Depth",
        mip_levels: Option<u64> = "MipLevels",
        array_size: Option<u64> = "ArraySize",
        format: Option<u64> = "Format",
        sample_count: Option<u64> = "SampleCount",
    }

    /// Buffer, Texture1D, Texture2D, Texture3D: Direct3D 11 destroys a resource.
    pub struct Resource11Stop of DIRECT3D11 [7, 10, 13, 16] {
        resource: Option<u64> = "pID3D11Resource",
    }

    /// SwapChain: a swap chain is created, or exists at the begin of the trace.
    pub struct SwapChainStart of DXGI [10, 12] {
        swap_chain: Option<u64> = "pIDXGISwapChain",
        window: Option<u64> = "OutputWindow",
        buffers: Option<u64> = "BackbufferCount",
        width: Option<u64> = "Width",
        height: Option<u64> = "Height",
        format: Option<u64> = "Format",
        swap_effect: Option<u64> = "SwapEffect",
        hybrid_present_mode: Option<u64> = "HybridPresentMode",
        is_scanout_eligible: Option<u64> = "ScanoutEligible",
        cross_adapter_tier: Option<u64> = "CrossAdapterTierSupport",
        fallback_reason: Option<u64> = "CASOFallbackReason",
    }

    /// SwapChain: a swap chain is destroyed.
    pub struct SwapChainStop of DXGI [11] {
        swap_chain: Option<u64> = "pIDXGISwapChain",
    }

    /// ResizeBuffers: a call begins, with the buffers that the swap chain has before it.
    pub struct SwapChainResizeStart of DXGI [45] {
        swap_chain: Option<u64> = "pIDXGISwapchain",
        buffers: Option<u64> = "OldBackbufferCount",
        width: Option<u64> = "OldWidth",
        height: Option<u64> = "OldHeight",
        format: Option<u64> = "OldFormat",
        hybrid_present_mode: Option<u64> = "HybridPresentMode",
        is_scanout_eligible: Option<u64> = "ScanoutEligible",
        cross_adapter_tier: Option<u64> = "CrossAdapterTierSupport",
        fallback_reason: Option<u64> = "CASOFallbackReason",
    }

    /// ResizeBuffers: a swap chain has other buffers.
    pub struct SwapChainResize of DXGI [46] {
        swap_chain: Option<u64> = "pIDXGISwapChain",
        result: Option<u64> = "ReturnValue",
        buffers: Option<u64> = "NewBackbufferCount",
        width: Option<u64> = "NewWidth",
        height: Option<u64> = "NewHeight",
        format: Option<u64> = "NewFormat",
        hybrid_present_mode: Option<u64> = "HybridPresentMode",
        is_scanout_eligible: Option<u64> = "ScanoutEligible",
        cross_adapter_tier: Option<u64> = "CrossAdapterTierSupport",
        fallback_reason: Option<u64> = "CASOFallbackReason",
    }

    /// CreateStateObject, AddToStateObject: a thread begins to create a state object.
    pub struct StateObjectStart of DIRECT3D12 [157, 159] {}

    /// CreateStateObject, AddToStateObject: a thread ends to create a state object.
    pub struct StateObjectStop of DIRECT3D12 [158, 160] {}

    /// MakeResident: a process begins to make allocations resident.
    pub struct MakeResidentStart of DXGKRNL [338] {
        allocations: Option<u64> = "NumAllocations",
    }

    /// MakeResident: a process has made allocations resident, or was refused.
    pub struct MakeResidentStop of DXGKRNL [339] {
        status: Option<u64> = "Status",
        trim_bytes: Option<u64> = "NumBytesToTrim",
    }

    /// PageInAllocation: the kernel moves an allocation into a segment.
    pub struct PageIn of DXGKRNL [73] {
        allocation: Option<u64> = "hAllocationHandle",
        segment: Option<u64> = "uiSegmentId",
    }

    /// EvictAllocation: the kernel moves an allocation out of its segment.
    pub struct Eviction of DXGKRNL [74] {
        allocation: Option<u64> = "hGlobalAllocationHandle",
    }

    /// ProcessStart, ProcessRundown: name of a process.
    pub struct ProcessName of KERNEL_PROCESS [1, 15] {
        process: Option<u64> = "ProcessID",
        image: Option<String> = "ImageName",
    }
}

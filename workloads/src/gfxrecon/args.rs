//! Arguments of the calls that are played, with the names of d3d12.h. Unknown keys are those of later versions.

#![allow(non_snake_case)]

use super::value::{Address, BarrierLayout, NodeMask, ResourceStates, Value};
use serde::{Deserialize, Deserializer};
use taut_schemas::format::Format;
use taut_schemas::{
    AllocationInfo1, BufferSrvFlags, BufferUavFlags, ClearValue, CommandListType, CommandQueueDesc, CommandQueueFlags,
    CpuPageProperty, Dimension, FenceFlags, HeapDesc, HeapFlags, HeapProperties, HeapType, MemoryPool, MemoryRange,
    MipRegion, ResourceDesc, ResourceFlags, SrvDimension, TextureLayout, UavDimension,
};

/// Defines structs that are objects of a row; missing keys are errors where the type is no option.
macro_rules! objects {
    ($( $(#[doc = $doc:literal])+ $Name:ident { $( $(#[$meta:meta])* $field:ident: $ty:ty, )* } )*) => { $(
        $(#[doc = $doc])+
        #[derive(Debug, Deserialize)]
        #[serde(expecting = "an object")]
        pub(crate) struct $Name { $( $(#[$meta])* pub $field: $ty, )* }
    )* };
}

objects! {
    /// `DXGI_SAMPLE_DESC`.
    SampleDesc { Count: u32, Quality: u32, }
    /// `D3D12_MIP_REGION`.
    RawMipRegion { Width: u32, Height: u32, Depth: u32, }
    /// `D3D12_RESOURCE_DESC` and `1`.
    RawResourceDesc {
        Dimension: Value<Dimension>,
        Alignment: u64,
        Width: u64,
        Height: u32,
        DepthOrArraySize: u16,
        MipLevels: u16,
        Format: Value<Format>,
        SampleDesc: SampleDesc,
        Layout: Value<TextureLayout>,
        Flags: Value<ResourceFlags>,
        SamplerFeedbackMipRegion: Option<RawMipRegion>,
    }
    /// `D3D12_HEAP_PROPERTIES`.
    RawHeapProperties {
        Type: Value<HeapType>,
        CPUPageProperty: Value<CpuPageProperty>,
        MemoryPoolPreference: Value<MemoryPool>,
        CreationNodeMask: Value<NodeMask>,
        VisibleNodeMask: Value<NodeMask>,
    }
    /// `D3D12_HEAP_DESC`.
    RawHeapDesc { SizeInBytes: u64, Properties: RawHeapProperties, Alignment: u64, Flags: Value<HeapFlags>, }
    /// `D3D12_DEPTH_STENCIL_VALUE`.
    RawDepthStencil { Depth: f64, Stencil: u8, }
    /// `D3D12_CLEAR_VALUE`.
    RawClearValue { Format: Value<Format>, Color: Option<[f64; 4]>, DepthStencil: Option<RawDepthStencil>, }
    /// `D3D12_RANGE`.
    RawRange { Begin: u64, End: u64, }

    /// CreateHeap and 1.
    CreateHeapArgs { pDesc: Option<RawHeapDesc>, pProtectedSession: Option<u64>, ppvHeap: Option<u64>, }
    /// Calls that create a resource.
    CreateResourceArgs {
        pHeapProperties: Option<RawHeapProperties>,
        HeapFlags: Option<Value<HeapFlags>>,
        pHeap: Option<u64>,
        HeapOffset: Option<u64>,
        pDesc: Option<RawResourceDesc>,
        #[serde(alias = "InitialState")]
        InitialResourceState: Option<Value<ResourceStates>>,
        InitialLayout: Option<Value<BarrierLayout>>,
        pOptimizedClearValue: Option<RawClearValue>,
        pProtectedSession: Option<u64>,
        #[serde(default, deserialize_with = "list")]
        pCastableFormats: Vec<Value<Format>>,
        ppvResource: Option<u64>,
    }
    /// `D3D12_RESOURCE_ALLOCATION_INFO`.
    RawAllocationInfo { SizeInBytes: u64, Alignment: u64, }
    /// `D3D12_RESOURCE_ALLOCATION_INFO1`.
    RawAllocationInfo1 { Offset: u64, Alignment: u64, SizeInBytes: u64, }
    /// GetResourceAllocationInfo to 3.
    AllocationInfoArgs {
        visibleMask: Value<NodeMask>,
        #[serde(default, deserialize_with = "list")]
        pResourceDescs: Vec<RawResourceDesc>,
        ppCastableFormats: Option<Value<Format>>,
        pResourceAllocationInfo1: Option<Vec<RawAllocationInfo1>>,
    }
    /// CheckFeatureSupport.
    FeatureArgs { Feature: String, FeatureSupportDataSize: u32, }
    /// GetCopyableFootprints.
    FootprintArgs {
        pResourceDesc: Option<RawResourceDesc>,
        FirstSubresource: u32,
        NumSubresources: u32,
        BaseOffset: u64,
        pTotalBytes: Option<u64>,
    }
    /// Map.
    MapArgs { Subresource: u32, pReadRange: Option<RawRange>, }
    /// Unmap.
    UnmapArgs { Subresource: u32, pWrittenRange: Option<RawRange>, }
    /// SetName.
    SetNameArgs { Name: Option<String>, }
    /// QueryInterface.
    QueryInterfaceArgs { ppvObject: Option<u64>, }

    /// `D3D12_CONSTANT_BUFFER_VIEW_DESC`.
    RawConstantBufferView { BufferLocation: Value<Address>, SizeInBytes: u32, }
    /// CreateConstantBufferView.
    ConstantBufferViewArgs { pDesc: Option<RawConstantBufferView>, }
    /// `D3D12_BUFFER_SRV`.
    RawBufferSrv { FirstElement: u64, NumElements: u32, StructureByteStride: u32, Flags: Value<BufferSrvFlags>, }
    /// `D3D12_SHADER_RESOURCE_VIEW_DESC`.
    RawSrv { Format: Value<Format>, ViewDimension: Value<SrvDimension>, Buffer: Option<RawBufferSrv>, }
    /// CreateShaderResourceView.
    SrvArgs { pResource: u64, pDesc: Option<RawSrv>, }
    /// `D3D12_BUFFER_UAV`.
    RawBufferUav {
        FirstElement: u64,
        NumElements: u32,
        StructureByteStride: u32,
        CounterOffsetInBytes: u64,
        Flags: Value<BufferUavFlags>,
    }
    /// `D3D12_UNORDERED_ACCESS_VIEW_DESC`.
    RawUav { Format: Value<Format>, ViewDimension: Value<UavDimension>, Buffer: Option<RawBufferUav>, }
    /// CreateUnorderedAccessView.
    UavArgs { pResource: u64, pCounterResource: u64, pDesc: Option<RawUav>, }

    /// `D3D12_COMMAND_QUEUE_DESC`.
    RawQueueDesc {
        Type: Value<CommandListType>,
        Priority: i32,
        Flags: Value<CommandQueueFlags>,
        NodeMask: Value<NodeMask>,
    }
    /// CreateCommandQueue and 1.
    CreateQueueArgs { pDesc: Option<RawQueueDesc>, ppCommandQueue: Option<u64>, }
    /// CreateCommandAllocator.
    CreateAllocatorArgs { r#type: Value<CommandListType>, ppCommandAllocator: Option<u64>, }
    /// CreateCommandList and 1; the latter has no allocator.
    CreateListArgs {
        nodeMask: Value<NodeMask>,
        r#type: Value<CommandListType>,
        pCommandAllocator: Option<u64>,
        ppCommandList: Option<u64>,
    }
    /// ID3D12GraphicsCommandList::Reset.
    ResetListArgs { pAllocator: u64, }
    /// ExecuteCommandLists.
    ExecuteArgs {
        #[serde(default, deserialize_with = "list")]
        ppCommandLists: Vec<u64>,
    }
    /// Signal and Wait of a queue.
    QueueFenceArgs { pFence: u64, Value: u64, }
    /// CreateFence.
    CreateFenceArgs { InitialValue: u64, Flags: Value<FenceFlags>, ppFence: Option<u64>, }
    /// ID3D12Fence::Signal.
    FenceSignalArgs { Value: u64, }
    /// SetEventOnCompletion.
    FenceEventArgs { Value: u64, hEvent: u64, }

    /// Calls that create a swap chain.
    CreateSwapChainArgs { pDevice: u64, ppSwapChain: Option<u64>, }
    /// GetBuffer.
    GetBufferArgs { ppSurface: Option<u64>, }
    /// Present and Present1.
    PresentArgs {
        SyncInterval: u32,
        #[serde(alias = "PresentFlags")]
        Flags: u32,
    }
}

/// Deserialises an array that is null if it is empty.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Option::<Vec<T>>::deserialize(deserializer).map(Option::unwrap_or_default)
}

impl RawResourceDesc {
    pub(crate) fn desc(&self) -> ResourceDesc {
        ResourceDesc {
            dimension: self.Dimension.0,
            alignment_bytes: self.Alignment,
            width: self.Width,
            height: self.Height,
            depth_or_array_size: self.DepthOrArraySize,
            mip_levels: self.MipLevels,
            format: self.Format.0,
            sample_count: self.SampleDesc.Count,
            sample_quality: self.SampleDesc.Quality,
            layout: self.Layout.0,
            flags: self.Flags.0,
        }
    }

    pub(crate) fn mip_region(&self) -> MipRegion {
        self.SamplerFeedbackMipRegion.as_ref().map_or_else(MipRegion::default, |region| MipRegion {
            width: region.Width,
            height: region.Height,
            depth: region.Depth,
        })
    }
}

impl RawHeapProperties {
    pub(crate) fn properties(&self) -> HeapProperties {
        HeapProperties {
            heap_type: self.Type.0,
            cpu_page_property: self.CPUPageProperty.0,
            memory_pool: self.MemoryPoolPreference.0,
            creation_node_mask: self.CreationNodeMask.0.0,
            visible_node_mask: self.VisibleNodeMask.0.0,
        }
    }
}

impl RawHeapDesc {
    pub(crate) fn desc(&self) -> HeapDesc {
        let properties = self.Properties.properties();
        let (size_bytes, alignment_bytes, flags) = (self.SizeInBytes, self.Alignment, self.Flags.0);
        HeapDesc { size_bytes, properties, alignment_bytes, flags }
    }
}

impl RawClearValue {
    pub(crate) fn value(&self) -> ClearValue {
        // The union of colour and depth-stencil, as words.
        let bits = |value: f64| (value as f32).to_bits();
        let [word0, word1, word2, word3] = match (&self.Color, &self.DepthStencil) {
            (Some(color), _) => color.map(bits),
            (None, Some(RawDepthStencil { Depth, Stencil })) => [bits(*Depth), u32::from(*Stencil), 0, 0],
            (None, None) => [0; 4],
        };
        ClearValue { format: self.Format.0, word0, word1, word2, word3 }
    }
}

impl RawRange {
    pub(crate) fn range(&self) -> MemoryRange {
        MemoryRange { begin: self.Begin, end: self.End }
    }
}

impl RawAllocationInfo1 {
    pub(crate) fn info(&self) -> AllocationInfo1 {
        AllocationInfo1 { offset_bytes: self.Offset, alignment_bytes: self.Alignment, size_bytes: self.SizeInBytes }
    }
}

impl RawQueueDesc {
    pub(crate) fn desc(&self) -> CommandQueueDesc {
        CommandQueueDesc {
            list_type: self.Type.0,
            priority: self.Priority as u32,
            flags: self.Flags.0,
            node_mask: self.NodeMask.0.0,
        }
    }
}

//! Structures of the headers, as they lie in memory on x86-64.

use std::fmt::{self, Display, Formatter};

/// Type of which any bytes are a value.
///
/// # Safety
/// Implementations have the layout of C and no invalid value.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($( $(#[$meta:meta])* $Name:ident = $size:literal { $( $field:ident: $ty:ty, )* } )*) => { $(
        $(#[$meta])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
        pub struct $Name { $( pub $field: $ty, )* }

        const _: () = assert!(size_of::<$Name>() == $size);

        // SAFETY: all members are integers or plain themselves, in C's layout.
        unsafe impl Plain for $Name {}
    )* };
}

// SAFETY: any bytes are an integer.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for u16 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: as above.
unsafe impl Plain for usize {}

plain! {
    /// GUID.
    Guid = 16 { data1: u32, data2: u16, data3: u16, data4: [u8; 8], }
    /// LUID.
    Luid = 8 { low: u32, high: i32, }
    /// D3D12_CPU_DESCRIPTOR_HANDLE.
    CpuDescriptor = 8 { address: usize, }
    /// D3D12_GPU_DESCRIPTOR_HANDLE.
    GpuDescriptor = 8 { address: u64, }
    /// HANDLE of an event: an eventfd as an integer, or a handle of Windows; 0 is NULL.
    EventFd = 8 { number: usize, }
    /// D3D12_RESOURCE_DESC.
    ResourceDesc = 56 {
        dimension: u32, padding: u32, alignment: u64, width: u64, height: u32, depth_or_array_size: u16,
        mip_levels: u16, format: u32, sample_count: u32, sample_quality: u32, layout: u32, flags: u32,
        end_padding: u32,
    }
    /// D3D12_HEAP_PROPERTIES.
    HeapProperties = 20 {
        heap_type: u32, cpu_page_property: u32, memory_pool: u32, creation_node_mask: u32, visible_node_mask: u32,
    }
    /// D3D12_HEAP_DESC.
    HeapDesc = 48 {
        size: u64, properties: HeapProperties, padding: u32, alignment: u64, flags: u32, end_padding: u32,
    }
    /// D3D12_CLEAR_VALUE.
    ClearValue = 20 { format: u32, words: [u32; 4], }
    /// D3D12_RANGE.
    Range = 16 { begin: usize, end: usize, }
    /// D3D12_RESOURCE_ALLOCATION_INFO.
    AllocationInfo = 16 { size: u64, alignment: u64, }
    /// D3D12_PLACED_SUBRESOURCE_FOOTPRINT.
    PlacedFootprint = 32 {
        offset: u64, format: u32, width: u32, height: u32, depth: u32, row_pitch: u32, padding: u32,
    }
    /// D3D12_COMMAND_QUEUE_DESC.
    CommandQueueDesc = 16 { list_type: u32, priority: u32, flags: u32, node_mask: u32, }
    /// D3D12_DESCRIPTOR_HEAP_DESC.
    DescriptorHeapDesc = 16 { heap_type: u32, num_descriptors: u32, flags: u32, node_mask: u32, }
    /// D3D12_CONSTANT_BUFFER_VIEW_DESC.
    ConstantBufferViewDesc = 16 { buffer_location: u64, size: u32, padding: u32, }
    /// D3D12_SHADER_RESOURCE_VIEW_DESC, with the union's member for buffers.
    ShaderResourceViewDesc = 40 {
        format: u32, dimension: u32, component_mapping: u32, padding: u32, first_element: u64, num_elements: u32,
        structure_stride: u32, flags: u32, end_padding: u32,
    }
    /// D3D12_UNORDERED_ACCESS_VIEW_DESC, with the union's member for buffers.
    UnorderedAccessViewDesc = 40 {
        format: u32, dimension: u32, first_element: u64, num_elements: u32, structure_stride: u32,
        counter_offset: u64, flags: u32, end_padding: u32,
    }
    /// Four words of a color, a blend factor or a clear.
    Words = 16 { words: [u32; 4], }
    /// D3D12_VIEWPORT, members as bits.
    Viewport = 24 { words: [u32; 6], }
    /// D3D12_RECT, members as bits.
    Rect = 16 { words: [u32; 4], }
    /// D3D12_BOX.
    CopyBox = 24 { words: [u32; 6], }
    /// D3D12_INDEX_BUFFER_VIEW.
    IndexBufferView = 16 { buffer_location: u64, size: u32, format: u32, }
    /// D3D12_VERTEX_BUFFER_VIEW.
    VertexBufferView = 16 { buffer_location: u64, size: u32, stride: u32, }
    /// D3D12_STREAM_OUTPUT_BUFFER_VIEW.
    StreamOutputBufferView = 24 { buffer_location: u64, size: u64, filled_size_location: u64, }
    /// D3D12_TILED_RESOURCE_COORDINATE.
    TiledCoordinate = 16 { x: u32, y: u32, z: u32, subresource: u32, }
    /// D3D12_TILE_REGION_SIZE.
    TileRegionSize = 16 { num_tiles: u32, use_box: u32, width: u32, height: u16, depth: u16, }
    /// D3D12_SUBRESOURCE_RANGE_UINT64.
    SubresourceBytes = 24 { subresource: u32, padding: u32, begin: u64, end: u64, }
    /// D3D12_SAMPLE_POSITION, members as bits.
    SamplePosition = 2 { x: u8, y: u8, }
    /// D3D12_WRITEBUFFERIMMEDIATE_PARAMETER.
    ImmediateParameter = 16 { dest: u64, value: u32, padding: u32, }
    /// D3D12_QUERY_HEAP_DESC.
    QueryHeapDesc = 12 { heap_type: u32, count: u32, node_mask: u32, }
    /// D3D12_INDIRECT_ARGUMENT_DESC; only the type is used.
    IndirectArgument = 16 { argument_type: u32, union: [u32; 3], }
    /// D3D12_PACKED_MIP_INFO.
    PackedMipInfo = 12 { num_standard_mips: u8, num_packed_mips: u8, num_tiles: u32, start_tile: u32, }
    /// DXGI_QUERY_VIDEO_MEMORY_INFO.
    VideoMemoryInfo = 32 { budget: u64, usage: u64, available_for_reservation: u64, reservation: u64, }
    /// D3D12_SUBRESOURCE_TILING.
    SubresourceTiling = 12 { width: u32, height: u16, depth: u16, start_tile: u32, }
    /// D3D12_TILE_SHAPE.
    TileShape = 12 { width: u32, height: u32, depth: u32, }
    /// D3D12_SAMPLER_DESC, floats as bits.
    SamplerDesc = 52 {
        filter: u32, address_u: u32, address_v: u32, address_w: u32, mip_lod_bias: u32, max_anisotropy: u32,
        comparison_func: u32, border_color: [u32; 4], min_lod: u32, max_lod: u32,
    }
    /// D3D12_DEPTH_STENCIL_VIEW_DESC.
    DepthStencilViewDesc = 24 { format: u32, dimension: u32, flags: u32, union: [u32; 3], }
    /// D3D12_RENDER_TARGET_VIEW_DESC.
    RenderTargetViewDesc = 24 { format: u32, dimension: u32, union: [u64; 2], }
}

impl Guid {
    /// The GUID with these 32 hex digits, in the order in which it is written.
    pub const fn new(digits: u128) -> Guid {
        Guid {
            data1: (digits >> 96) as u32,
            data2: (digits >> 80) as u16,
            data3: (digits >> 64) as u16,
            data4: (digits as u64).to_be_bytes(),
        }
    }
}

impl Display for Guid {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Guid { data1, data2, data3, data4 } = *self;
        let end = u64::from_be_bytes(data4);
        write!(f, "{data1:08x}-{data2:04x}-{data3:04x}-{:04x}-{:012x}", end >> 48, end & 0xffff_ffff_ffff)
    }
}

/// IID of IUnknown.
pub const IUNKNOWN: Guid = Guid::new(0x00000000_0000_0000_c000_000000000046);

//! Conversions between the headers' structures and the schema's descriptors.

use crate::unsafe_abi;
use taut_schemas::format::Format;
use taut_schemas::{
    BufferSrvFlags, BufferUavFlags, ClearValue, CommandListType, CommandQueueDesc, CommandQueueFlags,
    ConstantBufferViewDesc, CopyableFootprint, CpuPageProperty, Dimension, GpuVirtualAddress, HeapDesc, HeapFlags,
    HeapProperties, HeapType, MemoryPool, MemoryRange, ResourceDesc, ResourceFlags, ShaderResourceViewDesc,
    SrvDimension, TextureLayout, UavDimension, UnorderedAccessViewDesc,
};

/// View dimension of buffers, D3D12_SRV_DIMENSION_BUFFER and D3D12_UAV_DIMENSION_BUFFER. Others have another union.
const BUFFER: u32 = 1;

pub fn resource_desc(desc: unsafe_abi::ResourceDesc) -> ResourceDesc {
    ResourceDesc {
        dimension: Dimension(desc.dimension),
        alignment_bytes: desc.alignment,
        width: desc.width,
        height: desc.height,
        depth_or_array_size: desc.depth_or_array_size,
        mip_levels: desc.mip_levels,
        format: Format(desc.format),
        sample_count: desc.sample_count,
        sample_quality: desc.sample_quality,
        layout: TextureLayout(desc.layout),
        flags: ResourceFlags(desc.flags),
    }
}

pub fn header_resource_desc(desc: ResourceDesc) -> unsafe_abi::ResourceDesc {
    unsafe_abi::ResourceDesc {
        dimension: desc.dimension.0,
        alignment: desc.alignment_bytes,
        width: desc.width,
        height: desc.height,
        depth_or_array_size: desc.depth_or_array_size,
        mip_levels: desc.mip_levels,
        format: desc.format.0,
        sample_count: desc.sample_count,
        sample_quality: desc.sample_quality,
        layout: desc.layout.0,
        flags: desc.flags.0,
        ..unsafe_abi::ResourceDesc::default()
    }
}

pub fn heap_properties(properties: unsafe_abi::HeapProperties) -> HeapProperties {
    HeapProperties {
        heap_type: HeapType(properties.heap_type),
        cpu_page_property: CpuPageProperty(properties.cpu_page_property),
        memory_pool: MemoryPool(properties.memory_pool),
        creation_node_mask: properties.creation_node_mask,
        visible_node_mask: properties.visible_node_mask,
    }
}

pub fn header_heap_properties(properties: HeapProperties) -> unsafe_abi::HeapProperties {
    unsafe_abi::HeapProperties {
        heap_type: properties.heap_type.0,
        cpu_page_property: properties.cpu_page_property.0,
        memory_pool: properties.memory_pool.0,
        creation_node_mask: properties.creation_node_mask,
        visible_node_mask: properties.visible_node_mask,
    }
}

pub fn heap_desc(desc: unsafe_abi::HeapDesc) -> HeapDesc {
    HeapDesc {
        size_bytes: desc.size,
        properties: heap_properties(desc.properties),
        alignment_bytes: desc.alignment,
        flags: HeapFlags(desc.flags),
    }
}

pub fn header_heap_desc(desc: HeapDesc) -> unsafe_abi::HeapDesc {
    unsafe_abi::HeapDesc {
        size: desc.size_bytes,
        properties: header_heap_properties(desc.properties),
        alignment: desc.alignment_bytes,
        flags: desc.flags.0,
        ..unsafe_abi::HeapDesc::default()
    }
}

pub fn clear_value(value: unsafe_abi::ClearValue) -> ClearValue {
    let [word0, word1, word2, word3] = value.words;
    ClearValue { format: Format(value.format), word0, word1, word2, word3 }
}

pub fn memory_range(range: unsafe_abi::Range) -> MemoryRange {
    MemoryRange { begin: range.begin as u64, end: range.end as u64 }
}

pub fn queue_desc(desc: unsafe_abi::CommandQueueDesc) -> CommandQueueDesc {
    CommandQueueDesc {
        list_type: CommandListType(desc.list_type),
        priority: desc.priority,
        flags: CommandQueueFlags(desc.flags),
        node_mask: desc.node_mask,
    }
}

pub fn footprint(layout: &CopyableFootprint) -> unsafe_abi::PlacedFootprint {
    unsafe_abi::PlacedFootprint {
        offset: layout.offset_bytes,
        format: layout.format.0,
        width: layout.width,
        height: layout.height,
        depth: layout.depth,
        row_pitch: layout.row_pitch_bytes,
        padding: 0,
    }
}

pub fn constant_buffer_view(desc: unsafe_abi::ConstantBufferViewDesc) -> ConstantBufferViewDesc {
    ConstantBufferViewDesc { buffer_location: GpuVirtualAddress(desc.buffer_location), size_bytes: desc.size }
}

pub fn shader_resource_view(desc: unsafe_abi::ShaderResourceViewDesc) -> ShaderResourceViewDesc {
    let view = ShaderResourceViewDesc {
        format: Format(desc.format),
        view_dimension: SrvDimension(desc.dimension),
        ..ShaderResourceViewDesc::default()
    };
    if desc.dimension != BUFFER {
        return view;
    }
    ShaderResourceViewDesc {
        first_element: desc.first_element,
        num_elements: desc.num_elements,
        structure_stride_bytes: desc.structure_stride,
        flags: BufferSrvFlags(desc.flags),
        ..view
    }
}

pub fn unordered_access_view(desc: unsafe_abi::UnorderedAccessViewDesc) -> UnorderedAccessViewDesc {
    let view = UnorderedAccessViewDesc {
        format: Format(desc.format),
        view_dimension: UavDimension(desc.dimension),
        ..UnorderedAccessViewDesc::default()
    };
    if desc.dimension != BUFFER {
        return view;
    }
    UnorderedAccessViewDesc {
        first_element: desc.first_element,
        num_elements: desc.num_elements,
        structure_stride_bytes: desc.structure_stride,
        counter_offset_bytes: desc.counter_offset,
        flags: BufferUavFlags(desc.flags),
        ..view
    }
}

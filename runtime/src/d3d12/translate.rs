//! Translation of API flags and enumerators to the DDI's. The two spaces use the same numbers with different meanings
//! (rule X-04), so every bit is translated by name.

use crate::driver::caps::Caps;
use crate::placement::Shape;
use taut_schemas::format::FormatClass;
use taut_schemas::{
    CpuPageProperty, DdiHeapDesc, DdiHeapFlags, DdiResourceDesc, DdiResourceFlags, HeapDesc, HeapFlags, HeapProperties,
    HeapType, MemoryPool, ResourceDesc, ResourceFlags,
};

const RESOURCE_FLAGS: [(ResourceFlags, DdiResourceFlags); 9] = [
    (ResourceFlags::ALLOW_RENDER_TARGET, DdiResourceFlags::RENDER_TARGET),
    (ResourceFlags::ALLOW_DEPTH_STENCIL, DdiResourceFlags::DEPTH_STENCIL),
    (ResourceFlags::ALLOW_UNORDERED_ACCESS, DdiResourceFlags::UNORDERED_ACCESS),
    (ResourceFlags::ALLOW_CROSS_ADAPTER, DdiResourceFlags::CROSS_ADAPTER),
    (ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS, DdiResourceFlags::SIMULTANEOUS_ACCESS),
    (ResourceFlags::VIDEO_DECODE_REFERENCE_ONLY, DdiResourceFlags::VIDEO_DECODE_REFERENCE_ONLY),
    (ResourceFlags::VIDEO_ENCODE_REFERENCE_ONLY, DdiResourceFlags::VIDEO_ENCODE_REFERENCE_ONLY),
    (ResourceFlags::RAYTRACING_ACCELERATION_STRUCTURE, DdiResourceFlags::RAYTRACING_ACCELERATION_STRUCTURE),
    (ResourceFlags::USE_TIGHT_ALIGNMENT, DdiResourceFlags::USE_TIGHT_ALIGNMENT),
];

/// The DDI description of a resource. `desc` has resolved mip levels, and the tight flag only if it is in effect.
pub(crate) fn resource(desc: &ResourceDesc, shape: &Shape) -> DdiResourceDesc {
    let mut flags = DdiResourceFlags::NONE;
    for (flag, ddi_flag) in RESOURCE_FLAGS {
        if desc.flags.contains(flag) {
            flags = flags | ddi_flag;
        }
    }
    // The API has a flag that denies shader resource views, the DDI one that allows them.
    if !desc.flags.contains(ResourceFlags::DENY_SHADER_RESOURCE) {
        flags = flags | DdiResourceFlags::SHADER_RESOURCE;
    }
    if desc.format.info().is_some_and(|info| info.class == FormatClass::Feedback) {
        flags = flags | DdiResourceFlags::SAMPLER_FEEDBACK;
    }
    DdiResourceDesc {
        dimension: desc.dimension,
        width: desc.width,
        height: desc.height,
        depth_or_array_size: desc.depth_or_array_size,
        mip_levels: shape.mip_levels,
        format: desc.format,
        sample_count: desc.sample_count,
        sample_quality: desc.sample_quality,
        layout: desc.layout,
        flags,
        heap_offset_bytes: 0,
    }
}

/// The DDI description of a shared resource, for the driver that opens it.
pub(crate) fn shared(desc: &ResourceDesc) -> DdiResourceDesc {
    resource(desc, &Shape::from(desc))
}

/// The DDI description of a heap.
pub(crate) fn heap(desc: &HeapDesc, caps: &Caps) -> DdiHeapDesc {
    let (memory_pool, cpu_page_property) = memory(&desc.properties, caps);
    DdiHeapDesc {
        size_bytes: desc.size_bytes,
        alignment_bytes: desc.alignment_bytes,
        memory_pool,
        cpu_page_property,
        flags: heap_flags(desc.flags),
        creation_node_mask: desc.properties.creation_node_mask,
        visible_node_mask: desc.properties.visible_node_mask,
    }
}

fn heap_flags(flags: HeapFlags) -> DdiHeapFlags {
    let allowed = [
        (!flags.contains(HeapFlags::DENY_BUFFERS), DdiHeapFlags::BUFFERS),
        (!flags.contains(HeapFlags::DENY_RT_DS_TEXTURES), DdiHeapFlags::RT_DS_TEXTURES),
        (!flags.contains(HeapFlags::DENY_NON_RT_DS_TEXTURES), DdiHeapFlags::NON_RT_DS_TEXTURES),
        (flags.contains(HeapFlags::SHARED_CROSS_ADAPTER), DdiHeapFlags::COHERENT_SYSTEMWIDE),
        (flags.contains(HeapFlags::ALLOW_DISPLAY), DdiHeapFlags::PRIMARY),
    ];
    let set = allowed.into_iter().filter(|(set, _)| *set);
    set.fold(DdiHeapFlags::NONE, |flags, (_, flag)| flags | flag)
}

/// Memory pool and page property of a heap type on this adapter (d3d12.h: ID3D12Device::GetCustomHeapProperties).
pub(crate) fn memory(properties: &HeapProperties, caps: &Caps) -> (MemoryPool, CpuPageProperty) {
    // Upload and readback heaps are in L0, system memory; on UMA adapters L0 is all there is.
    let local = if caps.uma { MemoryPool::L0 } else { MemoryPool::L1 };
    let combined = if caps.cache_coherent_uma { CpuPageProperty::WRITE_BACK } else { CpuPageProperty::WRITE_COMBINE };
    match properties.heap_type {
        HeapType::UPLOAD => (MemoryPool::L0, combined),
        HeapType::READBACK => (MemoryPool::L0, CpuPageProperty::WRITE_BACK),
        HeapType::GPU_UPLOAD => (local, combined),
        HeapType::CUSTOM => (properties.memory_pool, properties.cpu_page_property),
        _ => (local, CpuPageProperty::NOT_AVAILABLE),
    }
}

/// True if the CPU can map the heap's memory.
pub(crate) fn is_mappable(properties: &HeapProperties) -> bool {
    match properties.heap_type {
        HeapType::UPLOAD | HeapType::READBACK | HeapType::GPU_UPLOAD => true,
        HeapType::CUSTOM => {
            matches!(properties.cpu_page_property, CpuPageProperty::WRITE_COMBINE | CpuPageProperty::WRITE_BACK)
        }
        _ => false,
    }
}

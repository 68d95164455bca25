//! Marks: contents of an allocator, in a snapshot without recorded calls.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! snapshot_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A heap that an allocator holds.
            4464 SnapshotHeap {
                /// The heap.
                heap: HeapId,
                /// Size of the heap.
                size_bytes: u64 as Size,
                /// D3D12_HEAP_PROPERTIES::Type.
                heap_type: HeapType,
                /// D3D12_HEAP_PROPERTIES::CPUPageProperty, for a custom heap.
                cpu_page_property: CpuPageProperty,
                /// D3D12_HEAP_PROPERTIES::MemoryPoolPreference, for a custom heap.
                memory_pool: MemoryPool,
                /// D3D12_HEAP_FLAGS.
                flags: HeapFlags,
                /// Name of the heap.
                name: String,
            }

            /// A resource that an allocator holds. Extents, format and payload are unknown.
            4465 SnapshotResource {
                /// The resource.
                resource: ResourceId,
                /// The heap of the resource; null if it is committed.
                heap: HeapId,
                /// Offset of the resource in the heap.
                heap_offset_bytes: u64 as Size,
                /// SizeInBytes.
                size_bytes: u64 as Size,
                /// Type of the heap; for a committed resource, of its implicit heap.
                heap_type: HeapType,
                /// D3D12_RESOURCE_DESC::Dimension.
                dimension: Dimension,
                /// D3D12_RESOURCE_DESC::Layout.
                layout: TextureLayout,
                /// D3D12_RESOURCE_DESC::Flags.
                flags: ResourceFlags,
                /// Name of the resource; empty if there is none.
                name: String,
            }
        }
    };
}

//! Marks: what an allocator says that it holds, where nobody recorded the calls.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! snapshot_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A heap that an allocator holds.
            4464 SnapshotHeap {
                /// The heap.
                heap: HeapId,
                /// Its size.
                size_bytes: u64 as Size,
                /// D3D12_HEAP_PROPERTIES::Type.
                heap_type: HeapType,
                /// D3D12_HEAP_PROPERTIES::CPUPageProperty, of a custom heap.
                cpu_page_property: CpuPageProperty,
                /// D3D12_HEAP_PROPERTIES::MemoryPoolPreference, of a custom heap.
                memory_pool: MemoryPool,
                /// D3D12_HEAP_FLAGS.
                flags: HeapFlags,
                /// What it is called.
                name: String,
            }

            /// A resource that an allocator holds. Its extents, its format and what it asks for are not told.
            4465 SnapshotResource {
                /// The resource.
                resource: ResourceId,
                /// The heap that it lies in; null if it is committed.
                heap: HeapId,
                /// Where it lies there.
                heap_offset_bytes: u64 as Size,
                /// SizeInBytes.
                size_bytes: u64 as Size,
                /// Type of its heap, of its own one if it is committed.
                heap_type: HeapType,
                /// D3D12_RESOURCE_DESC::Dimension.
                dimension: Dimension,
                /// D3D12_RESOURCE_DESC::Layout.
                layout: TextureLayout,
                /// D3D12_RESOURCE_DESC::Flags.
                flags: ResourceFlags,
                /// What it is called; empty if it has no name.
                name: String,
            }
        }
    };
}

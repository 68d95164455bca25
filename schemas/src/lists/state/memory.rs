//! State: address space, heaps, resources.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! memory_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Address space of an adapter.
            5648 AddressSpace {
                /// The adapter.
                adapter: AdapterId,
                /// Free ranges in bytes, ascending; adjacent ranges are merged.
                free: Vec<MemoryRange>,
                /// Size of the longest buffer so far, in bytes.
                longest_buffer: u64 as Size,
            }

            /// Addresses of a live buffer, for the rules about buffers bound by address.
            5649 Buffer {
                /// The resource.
                resource: ResourceId,
                /// Address of the first byte.
                address: GpuVirtualAddress,
                /// Address after the last byte.
                end: GpuVirtualAddress,
                /// Alignment in bytes.
                alignment: u64 as Alignment,
            }

            /// Memory of a heap. The memory outlives the heap's final release while a placed resource lives.
            5650 HeapMemory {
                /// The heap.
                heap: HeapId,
                /// Description at creation, with the alignment resolved.
                desc: HeapDesc,
                /// Address of the first byte.
                address: GpuVirtualAddress,
                /// Live placed resources.
                placed: u64 as Count,
                /// True if the heap's public reference count is 0.
                released: bool,
            }

            /// A live heap.
            5651 Heap {
                /// The heap.
                heap: HeapId,
                /// Name; empty if there is none.
                name: String,
                /// Description at creation, with the alignment resolved.
                desc: HeapDesc,
            }

            /// A live resource.
            5652 Resource {
                /// The resource.
                resource: ResourceId,
                /// Name; empty if there is none.
                name: String,
                /// Description at creation, with mip levels and alignment resolved.
                desc: ResourceDesc,
                /// Storage of the resource.
                placement was home: ResourcePlacement,
                /// The heap of a placed resource; null for others.
                heap: HeapId,
                /// Address of the first byte.
                address: GpuVirtualAddress,
                /// Size of the resource's memory in bytes.
                size: u64 as Size,
                /// True if the processor can access the memory.
                mappable: bool,
                /// Subresources, planes included.
                subresources: u32 as Count,
                /// Mapped subresources.
                maps: Vec<OpenMap>,
                /// True if the memory is shared across adapters.
                is_shared: bool,
                /// D3D12_RESOURCE_DESC::Alignment as requested at creation, in bytes.
                requested_alignment was asked_alignment: u64 as Alignment,
                /// D3D12_RESOURCE_ALLOCATION_INFO::Alignment as reported by the API, in bytes.
                reported_alignment: u64 as Alignment,
                /// Size of the implicit heap in bytes; 0 if there is none.
                implicit_heap: u64 as Size,
                /// Type of the resource's heap.
                heap_type: HeapType,
            }
        }
    };
}

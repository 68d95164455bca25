//! State: address space, heaps, resources.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! memory_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// The address space of an adapter.
            5648 AddressSpace {
                /// Whose.
                adapter: AdapterId,
                /// What is free, in bytes, ascending; neighbours are joined.
                free: Vec<MemoryRange>,
                /// Size of the longest buffer there has been, in bytes.
                longest_buffer: u64 as Size,
            }

            /// A live buffer's addresses, as rules that bind buffers by address know it.
            5649 Buffer {
                /// Which.
                resource: ResourceId,
                /// Its first byte.
                address: GpuVirtualAddress,
                /// One past its last byte.
                end: GpuVirtualAddress,
                /// Its alignment, in bytes.
                alignment: u64 as Alignment,
            }

            /// A heap's memory. It outlives the heap's final release while a placed resource lives.
            5650 HeapMemory {
                /// Which.
                heap: HeapId,
                /// As created, alignment resolved.
                desc: HeapDesc,
                /// Its first byte.
                address: GpuVirtualAddress,
                /// Live placed resources.
                placed: u64 as Count,
                /// The heap's public reference count has come to 0.
                released: bool,
            }

            /// A heap that is alive.
            5651 Heap {
                /// Which.
                heap: HeapId,
                /// Its name; empty if it has none.
                name: String,
                /// As created, alignment resolved.
                desc: HeapDesc,
            }

            /// A resource that is alive.
            5652 Resource {
                /// Which.
                resource: ResourceId,
                /// Its name; empty if it has none.
                name: String,
                /// As created, mip levels and alignment resolved.
                desc: ResourceDesc,
                /// Where it lies.
                home: ResourceHome,
                /// The heap it is placed in; null if it is not.
                heap: HeapId,
                /// Its first byte.
                address: GpuVirtualAddress,
                /// Bytes of its memory.
                size: u64 as Size,
                /// The processor can reach its memory.
                mappable: bool,
                /// Subresources, planes included.
                subresources: u32 as Count,
                /// Subresources that are mapped.
                maps: Vec<OpenMap>,
                /// Its memory is shared across adapters.
                is_shared: bool,
                /// D3D12_RESOURCE_DESC::Alignment, as its creation asked for it, in bytes.
                asked_alignment: u64 as Alignment,
                /// D3D12_RESOURCE_ALLOCATION_INFO::Alignment, as the API reports it, in bytes.
                reported_alignment: u64 as Alignment,
                /// Bytes of its own heap; 0 if it has none.
                implicit_heap: u64 as Size,
                /// The type of the heap it lies in.
                heap_type: HeapType,
            }
        }
    };
}

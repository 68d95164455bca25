//! d3d12.h, ID3D12Device: residency, and properties of heaps.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_residency_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Makes objects resident. Memory of the simulation is always resident. d3d12.h:
            /// ID3D12Device::MakeResident.
            130 MakeResident [device, objects] = make_resident(
                /// The device.
                device: DeviceId,
                /// ppObjects: heaps, resources, descriptor heaps and other pageable objects.
                objects: Vec<ObjectId>,
            ) -> HResult<()>;

            /// Permits the eviction of objects. Memory of the simulation is always resident. d3d12.h:
            /// ID3D12Device::Evict.
            131 Evict [device, objects] = evict(
                /// The device.
                device: DeviceId,
                /// ppObjects: heaps, resources, descriptor heaps and other pageable objects.
                objects: Vec<ObjectId>,
            ) -> HResult<()>;

            /// Sets priorities of residency. d3d12.h: ID3D12Device1::SetResidencyPriority.
            132 SetResidencyPriority [device, objects] = set_residency_priority(
                /// The device.
                device: DeviceId,
                /// ppObjects: heaps, resources, descriptor heaps and other pageable objects.
                objects: Vec<ObjectId>,
                /// pPriorities, D3D12_RESIDENCY_PRIORITY.
                priorities: Vec<u32>,
            ) -> HResult<()>;

            /// Returns the custom heap that equals a heap of this type. d3d12.h:
            /// ID3D12Device::GetCustomHeapProperties.
            133 GetCustomHeapProperties [device] = get_custom_heap_properties(
                /// The device.
                device: DeviceId,
                /// nodeMask.
                node_mask: u32 as Flags,
                /// heapType.
                heap_type: HeapType,
            ) -> HResult<HeapProperties>;
        }
    };
}

//! d3d12.h, ID3D12Heap.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_heap_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a heap for placed resources. d3d12.h: ID3D12Device::CreateHeap.
            7 CreateHeap [device, objects] creates HeapId = create_heap(
                /// The creating device.
                device: DeviceId,
                /// pDesc.
                desc: HeapDesc,
            ) -> HResult<HeapId>;

            /// Creates a heap with an optional protected session. d3d12.h: ID3D12Device4::CreateHeap1.
            8 CreateHeap1 [device, objects] creates HeapId = create_heap1(
                /// The creating device.
                device: DeviceId,
                /// pDesc.
                desc: HeapDesc,
                /// True if pProtectedSession is not NULL.
                protected_session: bool,
            ) -> HResult<HeapId>;

            /// Releases the last reference to a heap. unknwn.h: IUnknown::Release.
            18 ReleaseHeap [device, objects] = release_heap(
                /// The heap released.
                heap: HeapId,
            ) -> HResult<()>;

            /// Returns the description that a heap was created with. d3d12.h: ID3D12Heap::GetDesc.
            20 GetHeapDesc [objects] = get_heap_desc(
                /// The queried heap.
                heap: HeapId,
            ) -> HResult<HeapDesc>;
        }
    };
}

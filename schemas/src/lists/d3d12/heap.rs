//! d3d12.h, ID3D12Heap.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d12_heap_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a heap for placed resources. d3d12.h: ID3D12Device::CreateHeap.
            7 CreateHeap [device, objects] creates HeapId = create_heap(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: HeapDesc,
            ) -> HResult<HeapId>;

            /// Creates a heap, possibly protected. d3d12.h: ID3D12Device4::CreateHeap1.
            8 CreateHeap1 [device, objects] creates HeapId = create_heap1(
                /// The device that creates it.
                device: DeviceId,
                /// pDesc.
                desc: HeapDesc,
                /// Whether pProtectedSession is given.
                protected_session: bool,
            ) -> HResult<HeapId>;

            /// The Release that takes a heap's public reference count to 0. unknwn.h: IUnknown::Release.
            18 ReleaseHeap [device, objects] = release_heap(
                /// The heap released.
                heap: HeapId,
            ) -> HResult<()>;

            /// The description a heap was created with. d3d12.h: ID3D12Heap::GetDesc.
            20 GetHeapDesc [objects] = get_heap_desc(
                /// The heap asked.
                heap: HeapId,
            ) -> HResult<HeapDesc>;
        }
    };
}

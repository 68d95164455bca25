//! d3d12.h, ID3D12Fence.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d12_fence_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a fence. d3d12.h: ID3D12Device::CreateFence.
            53 CreateFence [device, queue, objects] creates FenceId = create_fence(
                /// The device that creates it.
                device: DeviceId,
                /// InitialValue.
                initial_value: u64,
                /// Flags.
                flags: FenceFlags,
            ) -> HResult<FenceId>;

            /// Gives up the last reference to a fence. unknwn.h: IUnknown::Release.
            54 ReleaseFence [queue, objects] = release_fence(
                /// The fence.
                fence: FenceId,
            ) -> HResult<()>;

            /// The fence's value; UINT64_MAX once the device is removed. d3d12.h: ID3D12Fence::GetCompletedValue.
            55 GetCompletedValue [queue, objects] = get_completed_value(
                /// The fence.
                fence: FenceId,
            ) -> HResult<FenceValue>;

            /// Signals an event once the fence has the value. d3d12.h: ID3D12Fence::SetEventOnCompletion.
            56 SetEventOnCompletion [queue, system, objects] = set_event_on_completion(
                /// The fence.
                fence: FenceId,
                /// Value.
                value: u64,
                /// hEvent.
                event: EventHandle,
            ) -> HResult<()>;

            /// Sets a fence from the processor, now. d3d12.h: ID3D12Fence::Signal.
            64 SignalFence [queue, system, objects] = signal_fence(
                /// The fence.
                fence: FenceId,
                /// Value.
                value: u64,
            ) -> HResult<()>;
        }
    };
}

//! d3d12.h, ID3D12Fence.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_fence_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a fence. d3d12.h: ID3D12Device::CreateFence.
            53 CreateFence [device, queue, objects] creates FenceId = create_fence(
                /// The creating device.
                device: DeviceId,
                /// InitialValue.
                initial_value: u64,
                /// Flags.
                flags: FenceFlags,
            ) -> HResult<FenceId>;

            /// Releases the last reference to a fence. unknwn.h: IUnknown::Release.
            54 ReleaseFence [queue, objects] = release_fence(
                /// The fence.
                fence: FenceId,
            ) -> HResult<()>;

            /// Returns a fence's value; UINT64_MAX once the device is removed. d3d12.h: ID3D12Fence::GetCompletedValue.
            55 GetCompletedValue [queue, objects] = get_completed_value(
                /// The fence.
                fence: FenceId,
            ) -> HResult<FenceValue>;

            /// Signals an event once the fence reaches the value. d3d12.h: ID3D12Fence::SetEventOnCompletion.
            56 SetEventOnCompletion [queue, system, objects] = set_event_on_completion(
                /// The fence.
                fence: FenceId,
                /// Value.
                value: u64,
                /// hEvent.
                event: EventHandle,
            ) -> HResult<()>;

            /// Sets a fence's value from the CPU, immediately. d3d12.h: ID3D12Fence::Signal.
            64 SignalFence [queue, system, objects] = signal_fence(
                /// The fence.
                fence: FenceId,
                /// Value.
                value: u64,
            ) -> HResult<()>;
        }
    };
}

//! d3d12.h, ID3D12CommandQueue.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d12_command_queue_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a command queue. d3d12.h: ID3D12Device::CreateCommandQueue.
            36 CreateCommandQueue [device, queue, objects] creates CommandQueueId = create_command_queue(
                /// The creating device.
                device: DeviceId,
                /// pDesc.
                desc: CommandQueueDesc,
            ) -> HResult<CommandQueueId>;

            /// Releases the application's reference to a command queue; returns the remaining count, which is that of the
            /// swap chains on the queue. unknwn.h: IUnknown::Release.
            37 ReleaseCommandQueue [queue, display, objects] = release_command_queue(
                /// The command queue.
                command_queue: CommandQueueId,
            ) -> HResult<u32>;

            /// Submits command lists. d3d12.h: ID3D12CommandQueue::ExecuteCommandLists.
            49 ExecuteCommandLists [queue, objects] = execute_command_lists(
                /// The command queue.
                command_queue: CommandQueueId,
                /// ppCommandLists.
                command_lists: Vec<CommandListId>,
            ) -> HResult<()>;

            /// Sets a fence once all earlier submissions are complete. d3d12.h: ID3D12CommandQueue::Signal.
            50 CommandQueueSignal [queue, objects] = command_queue_signal(
                /// The command queue.
                command_queue: CommandQueueId,
                /// pFence.
                fence: FenceId,
                /// Value.
                value: u64,
            ) -> HResult<()>;

            /// Makes subsequent submissions wait for a fence. d3d12.h: ID3D12CommandQueue::Wait.
            51 CommandQueueWait [queue, objects] = command_queue_wait(
                /// The command queue.
                command_queue: CommandQueueId,
                /// pFence.
                fence: FenceId,
                /// Value.
                value: u64,
            ) -> HResult<()>;
        }
    };
}

//! dxgi.h, dxgi1_3.h: frame latency; contents of back buffers; waits of queues.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! dxgi_latency_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Sets the max number of queued frames of a device's swap chains. dxgi.h:
            /// IDXGIDevice1::SetMaximumFrameLatency.
            2080 SetDeviceMaximumFrameLatency [display, objects] = set_device_maximum_frame_latency(
                /// The device.
                device: D3d11DeviceId,
                /// MaxLatency; 0 is the default.
                latency: u32,
            ) -> HResult<()>;

            /// Returns a device's max frame latency. dxgi.h: IDXGIDevice1::GetMaximumFrameLatency.
            2081 GetDeviceMaximumFrameLatency [display, objects] = get_device_maximum_frame_latency(
                /// The device.
                device: D3d11DeviceId,
            ) -> HResult<u32>;

            /// Sets the max number of queued frames of a swap chain with a waitable object. dxgi1_3.h:
            /// IDXGISwapChain2::SetMaximumFrameLatency.
            2082 SetMaximumFrameLatency [display] = set_maximum_frame_latency(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// MaxLatency.
                latency: u32,
            ) -> HResult<()>;

            /// Returns a swap chain's max frame latency. dxgi1_3.h: IDXGISwapChain2::GetMaximumFrameLatency.
            2083 GetMaximumFrameLatency [display] = get_maximum_frame_latency(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u32>;

            /// Returns a new handle of a swap chain's waitable object; 0 if it has none. dxgi1_3.h:
            /// IDXGISwapChain2::GetFrameLatencyWaitableObject.
            2084 GetFrameLatencyWaitableObject [display] = get_frame_latency_waitable_object(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// Begins a wait for a swap chain's waitable object. synchapi.h: WaitForSingleObject, up to the point where
            /// it blocks.
            2085 BeginWaitForFrameLatency [display] = begin_wait_for_frame_latency(
                /// hHandle.
                handle: u64,
                /// dwMilliseconds; 0xffffffff is for ever.
                timeout_ms: u32,
            ) -> HResult<WaitStatus>;

            /// Ends the wait: the object is signalled, or simulated time has reached the timeout. Legal only in these
            /// cases.
            2086 FinishWaitForFrameLatency [display] = finish_wait_for_frame_latency(
                /// hHandle.
                handle: u64,
            ) -> HResult<WaitStatus>;

            /// Closes a handle of a waitable object. handleapi.h: CloseHandle.
            2087 CloseFrameLatencyWaitableObject [display] = close_frame_latency_waitable_object(
                /// hObject.
                handle: u64,
            ) -> HResult<()>;

            /// Fills a back buffer with a colour. Not a call of DXGI: the effect of an application's drawing.
            2088 FillBuffer [display] = fill_buffer(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The buffer.
                buffer: u32,
                /// The channels' bits, as floats.
                color: Vec<u32>,
            ) -> HResult<()>;

            /// Reads the colour of a back buffer, as set by FillBuffer; empty if its contents are undefined. Not a call
            /// of DXGI: the effect of a readback.
            2089 ReadBuffer [display] = read_buffer(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The buffer.
                buffer: u32,
            ) -> HResult<Vec<u32>>;

            /// Checks if a back buffer can have a view. d3d11.h: ID3D11Device::CreateRenderTargetView and
            /// CreateShaderResourceView of a back buffer; the view is destroyed at once.
            2090 CreateBufferView [display] = create_buffer_view(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The buffer.
                buffer: u32,
                /// Kind of the view.
                kind: BufferViewKind,
                /// Format; UNKNOWN is the buffer's.
                format: Format,
            ) -> HResult<()>;

            /// Makes a command queue wait for a fence: frames that its swap chains present from here on wait as well.
            /// Not a call of DXGI: the effect of ID3D12CommandQueue::Wait on the simulation.
            2091 SimulateQueueWait [queue, display] = simulate_queue_wait(
                /// The command queue.
                command_queue: CommandQueueId,
                /// The fence.
                fence: FenceId,
                /// The fence's value.
                value: u64,
            ) -> HResult<()>;

            /// Checks again the fence that a command queue waits for, and continues if it has its value; returns true
            /// in that case.
            2092 SimulateQueueContinue was SimulateQueueGoesOn [queue, display] = simulate_queue_continue(
                /// The command queue.
                command_queue: CommandQueueId,
            ) -> HResult<bool>;
        }
    };
}

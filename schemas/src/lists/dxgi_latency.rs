//! dxgi.h, dxgi1_3.h: frame latency; what back buffers hold; what queues wait for.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! dxgi_latency_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Frames of a device's swap chains that may be on their way. dxgi.h: IDXGIDevice1::SetMaximumFrameLatency.
            2080 SetDeviceMaximumFrameLatency [display, objects] = set_device_maximum_frame_latency(
                /// The device.
                device: D3d11DeviceId,
                /// MaxLatency; 0 is the default.
                latency: u32,
            ) -> HResult<()>;

            /// The same, asked. dxgi.h: IDXGIDevice1::GetMaximumFrameLatency.
            2081 GetDeviceMaximumFrameLatency [display, objects] = get_device_maximum_frame_latency(
                /// The device.
                device: D3d11DeviceId,
            ) -> HResult<u32>;

            /// Frames of a swap chain with a waitable object that may be on their way. dxgi1_3.h:
            /// IDXGISwapChain2::SetMaximumFrameLatency.
            2082 SetMaximumFrameLatency [display] = set_maximum_frame_latency(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// MaxLatency.
                latency: u32,
            ) -> HResult<()>;

            /// The same, asked. dxgi1_3.h: IDXGISwapChain2::GetMaximumFrameLatency.
            2083 GetMaximumFrameLatency [display] = get_maximum_frame_latency(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u32>;

            /// A handle of a swap chain's waitable object, a new one each time; 0 if it has none. dxgi1_3.h:
            /// IDXGISwapChain2::GetFrameLatencyWaitableObject.
            2084 GetFrameLatencyWaitableObject [display] = get_frame_latency_waitable_object(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// Begins to wait for a swap chain's waitable object. synchapi.h: WaitForSingleObject, as far as it does not
            /// block.
            2085 BeginWaitForFrameLatency [display] = begin_wait_for_frame_latency(
                /// hHandle.
                handle: u64,
                /// dwMilliseconds; 0xffffffff is for ever.
                timeout_ms: u32,
            ) -> HResult<WaitStatus>;

            /// Ends that wait: the object is signalled, or the simulation has come to its time. Legal only when that is so.
            2086 FinishWaitForFrameLatency [display] = finish_wait_for_frame_latency(
                /// hHandle.
                handle: u64,
            ) -> HResult<WaitStatus>;

            /// Closes a handle of a waitable object. handleapi.h: CloseHandle.
            2087 CloseFrameLatencyWaitableObject [display] = close_frame_latency_waitable_object(
                /// hObject.
                handle: u64,
            ) -> HResult<()>;

            /// Fills a back buffer with a colour. Not a call of DXGI: what an application's drawing comes to.
            2088 FillBuffer [display] = fill_buffer(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The buffer.
                buffer: u32,
                /// The channels' bits, as floats.
                color: Vec<u32>,
            ) -> HResult<()>;

            /// Reads the colour of a back buffer, as FillBuffer left it; empty if its contents are undefined. Not a call of
            /// DXGI: what reading it back comes to.
            2089 ReadBuffer [display] = read_buffer(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The buffer.
                buffer: u32,
            ) -> HResult<Vec<u32>>;

            /// Whether a back buffer can have a view. d3d11.h: ID3D11Device::CreateRenderTargetView and
            /// CreateShaderResourceView of a back buffer; the view is gone at once.
            2090 CreateBufferView [display] = create_buffer_view(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The buffer.
                buffer: u32,
                /// Which of the two.
                kind: BufferViewKind,
                /// Format; UNKNOWN is the buffer's.
                format: Format,
            ) -> HResult<()>;

            /// A command queue waits for a fence: frames that its swap chains present from here on do so too. Not a call of
            /// DXGI: beside ID3D12CommandQueue::Wait, what it means to the simulation.
            2091 SimulateQueueWait [queue, display] = simulate_queue_wait(
                /// The command queue.
                command_queue: CommandQueueId,
                /// What it waits for.
                fence: FenceId,
                /// The fence's value.
                value: u64,
            ) -> HResult<()>;

            /// A command queue looks again at the fence it waits for, and goes on if it has its value; gives whether it did.
            2092 SimulateQueueGoesOn [queue, display] = simulate_queue_goes_on(
                /// The command queue.
                command_queue: CommandQueueId,
            ) -> HResult<bool>;
        }
    };
}

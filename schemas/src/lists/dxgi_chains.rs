//! dxgi.h to dxgi1_5.h: windows, swap chains and queries about them.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! dxgi_chain_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a window. Not a call of DXGI: an event of the window system. Returns the window's number, from
            /// 1.
            2054 CreateWindow [display] = create_window(
                /// Width of the client area, in pixels.
                client_width: u32,
                /// Height in pixels.
                client_height: u32,
                /// The display of the window, by its number from ConnectDisplay.
                display: u32,
                /// State of the window; one that is neither hidden nor minimised ends full screen on its display.
                state: WindowState,
            ) -> HResult<u64>;

            /// Moves, resizes, covers, minimises or hides a window. Not a call of DXGI: an event of the window system.
            /// The present path of a swap chain that moves to another display is decided again.
            2055 SetWindow [display] = set_window(
                /// The window.
                window: u64,
                /// Width of the client area, in pixels.
                client_width: u32,
                /// Height in pixels.
                client_height: u32,
                /// The display of the window.
                display: u32,
                /// State of the window.
                state: WindowState,
            ) -> HResult<()>;

            /// Creates a swap chain. dxgi.h: IDXGIFactory::CreateSwapChain.
            2056 CreateSwapChain [queue, display, objects] = create_swap_chain(
                /// pDevice: a command queue, or a Direct3D 11 device.
                device: ObjectId,
                /// pDesc: the buffers.
                desc: SwapChainDesc,
                /// pDesc: the window, usage and refresh rate.
                window_desc was of_window: SwapChainWindowDesc,
                /// True if pDesc is not null.
                has_desc: bool,
                /// True if ppSwapChain is not null.
                want_swap_chain: bool,
            ) -> HResult<SwapChainId>;

            /// Returns a swap chain's description. dxgi.h: IDXGISwapChain::GetDesc.
            2057 GetSwapChainDesc [display] = get_swap_chain_desc(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// True if pDesc is not null.
                want_desc: bool,
            ) -> HResult<SwapChainFullDesc>;

            /// Returns the members that the older structure lacks. dxgi1_2.h: IDXGISwapChain1::GetDesc1.
            2058 GetSwapChainDesc1 [display] = get_swap_chain_desc1(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// True if pDesc is not null.
                want_desc: bool,
            ) -> HResult<SwapChainDesc1>;

            /// Returns true for a windowed swap chain. dxgi1_2.h: IDXGISwapChain1::GetFullscreenDesc.
            2059 GetFullscreenDesc [display] = get_fullscreen_desc(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// True if pDesc is not null.
                want_desc: bool,
            ) -> HResult<bool>;

            /// Returns the window of a swap chain. dxgi1_2.h: IDXGISwapChain1::GetHwnd.
            2060 GetHwnd [display] = get_hwnd(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// Adds a reference to a back buffer. dxgi.h: IDXGISwapChain::GetBuffer.
            2061 GetBuffer [display] = get_buffer(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// Buffer.
                buffer: u32,
            ) -> HResult<BackBuffer>;

            /// Releases a reference to a back buffer; returns the remaining count. unknwn.h: IUnknown::Release.
            2062 ReleaseBuffer [display] = release_buffer(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The buffer.
                buffer: u32,
            ) -> HResult<u32>;

            /// Replaces the buffers. dxgi.h: IDXGISwapChain::ResizeBuffers.
            2063 ResizeBuffers [display] = resize_buffers(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// BufferCount; 0 keeps the count.
                buffer_count: u32,
                /// Width; 0 is the window's.
                width: u32,
                /// Height; 0 is the window's.
                height: u32,
                /// NewFormat; UNKNOWN keeps the format.
                format: Format,
                /// SwapChainFlags.
                flags: SwapChainFlags,
            ) -> HResult<()>;

            /// As ResizeBuffers, with the queue of each buffer. dxgi1_4.h: IDXGISwapChain3::ResizeBuffers1.
            2064 ResizeBuffers1 [display] = resize_buffers_1(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// BufferCount; 0 keeps the count.
                buffer_count: u32,
                /// Width; 0 is the window's.
                width: u32,
                /// Height; 0 is the window's.
                height: u32,
                /// Format; UNKNOWN keeps the format.
                format: Format,
                /// SwapChainFlags.
                flags: SwapChainFlags,
                /// pCreationNodeMask; empty is null.
                node_masks: Vec<u32>,
                /// ppPresentQueue; empty is null.
                queues: Vec<CommandQueueId>,
            ) -> HResult<()>;

            /// Resizes the window of a windowed swap chain. dxgi.h: IDXGISwapChain::ResizeTarget.
            2065 ResizeTarget [display] = resize_target(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// pNewTargetParameters: Width.
                width: u32,
                /// pNewTargetParameters: Height.
                height: u32,
            ) -> HResult<()>;

            /// Returns the index of the buffer to draw to next. dxgi1_4.h: IDXGISwapChain3::GetCurrentBackBufferIndex.
            2066 GetCurrentBackBufferIndex [display] = get_current_back_buffer_index(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u32>;

            /// Returns the number of presents. dxgi.h: IDXGISwapChain::GetLastPresentCount.
            2067 GetLastPresentCount [display] = get_last_present_count(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// Returns the frame displayed last. dxgi.h: IDXGISwapChain::GetFrameStatistics.
            2068 GetFrameStatistics [display] = get_frame_statistics(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<FrameStatistics>;

            /// Returns the fullscreen state of a swap chain and its output. dxgi.h: IDXGISwapChain::GetFullscreenState.
            2069 GetFullscreenState [display] = get_fullscreen_state(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// True if ppTarget is not null.
                want_target: bool,
            ) -> HResult<FullscreenState>;

            /// Enters or leaves full screen. dxgi.h: IDXGISwapChain::SetFullscreenState, without a target.
            2070 SetFullscreenState [display] = set_fullscreen_state(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// Fullscreen.
                fullscreen: bool,
            ) -> HResult<()>;

            /// Ends full screen at the next Present. dxgi.h: IDXGIOutput::ReleaseOwnership.
            2071 ReleaseOwnership [display] = release_ownership(
                /// The output, by its number from an enumeration or a swap chain.
                output: u64,
            ) -> HResult<()>;

            /// Returns the output that shows most of a swap chain's window. dxgi.h:
            /// IDXGISwapChain::GetContainingOutput.
            2072 GetContainingOutput [display] = get_containing_output(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// Returns an adapter by index. dxgi.h: IDXGIFactory::EnumAdapters.
            2073 EnumAdapters [display] = enum_adapters(
                /// Adapter.
                index: u32,
            ) -> HResult<EnumeratedAdapter>;

            /// Returns the number of a new object for an adapter's output, by index. dxgi.h: IDXGIAdapter::EnumOutputs.
            2074 EnumOutputs [display] = enum_outputs(
                /// The adapter's object.
                object: u64,
                /// Output.
                index: u32,
            ) -> HResult<u64>;

            /// Returns true if DXGI supports a feature. dxgi1_5.h: IDXGIFactory5::CheckFeatureSupport.
            2075 CheckDxgiFeatureSupport [display] = check_dxgi_feature_support(
                /// Feature.
                feature: DxgiFeature,
                /// FeatureSupportDataSize, in bytes.
                size_bytes: u32,
            ) -> HResult<bool>;

            /// Sets the keys that DXGI handles in a window. dxgi.h: IDXGIFactory::MakeWindowAssociation.
            2076 MakeWindowAssociation [display] = make_window_association(
                /// WindowHandle; 0 ends the association.
                window: u64,
                /// Flags.
                flags: WindowAssociation,
            ) -> HResult<()>;

            /// Returns the associated window. dxgi.h: IDXGIFactory::GetWindowAssociation.
            2077 GetWindowAssociation [display] = get_window_association() -> HResult<u64>;

            /// Returns the support for a colour space in a swap chain. dxgi1_4.h:
            /// IDXGISwapChain3::CheckColorSpaceSupport.
            2078 CheckColorSpaceSupport [display] = check_color_space_support(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// ColorSpace.
                color_space: ColorSpace,
            ) -> HResult<ColorSpaceSupport>;

            /// Sets the colour space of a swap chain. dxgi1_4.h: IDXGISwapChain3::SetColorSpace1.
            2079 SetColorSpace1 [display] = set_color_space_1(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// ColorSpace.
                color_space: ColorSpace,
            ) -> HResult<()>;
        }
    };
}

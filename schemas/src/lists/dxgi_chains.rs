//! dxgi.h to dxgi1_5.h: windows, swap chains and what can be asked of them.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! dxgi_chain_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A window appears. Not a call of DXGI: what the window system says. Gives the window's number, from 1.
            2054 CreateWindow [display] = create_window(
                /// Pixels across its client area.
                client_width: u32,
                /// Pixels down.
                client_height: u32,
                /// The display that it is on, as its ConnectDisplay numbers it.
                display: u32,
                /// How it stands; one that is neither hidden nor minimised ends full screen on its display.
                state: WindowState,
            ) -> HResult<u64>;

            /// A window is moved, sized, covered, minimised or hidden. Not a call of DXGI: what the window system says. A
            /// swap chain that comes to another display is decided about again.
            2055 SetWindow [display] = set_window(
                /// The window.
                window: u64,
                /// Pixels across its client area.
                client_width: u32,
                /// Pixels down.
                client_height: u32,
                /// The display that it is on.
                display: u32,
                /// How it stands.
                state: WindowState,
            ) -> HResult<()>;

            /// Creates a swap chain. dxgi.h: IDXGIFactory::CreateSwapChain.
            2056 CreateSwapChain [queue, display, objects] = create_swap_chain(
                /// pDevice: a command queue, or a Direct3D 11 device.
                device: ObjectId,
                /// pDesc: the buffers.
                desc: SwapChainDesc,
                /// pDesc: the window, and what else there is.
                of_window: SwapChainWindowDesc,
                /// pDesc is not null.
                has_desc: bool,
                /// ppSwapChain is not null.
                want_swap_chain: bool,
            ) -> HResult<SwapChainId>;

            /// Asks what a swap chain is. dxgi.h: IDXGISwapChain::GetDesc.
            2057 GetSwapChainDesc [display] = get_swap_chain_desc(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// pDesc is not null.
                want_desc: bool,
            ) -> HResult<SwapChainFullDesc>;

            /// The same, what the older structure lacks. dxgi1_2.h: IDXGISwapChain1::GetDesc1.
            2058 GetSwapChainDesc1 [display] = get_swap_chain_desc1(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// pDesc is not null.
                want_desc: bool,
            ) -> HResult<SwapChainDesc1>;

            /// Whether a swap chain is windowed. dxgi1_2.h: IDXGISwapChain1::GetFullscreenDesc.
            2059 GetFullscreenDesc [display] = get_fullscreen_desc(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// pDesc is not null.
                want_desc: bool,
            ) -> HResult<bool>;

            /// The window of a swap chain. dxgi1_2.h: IDXGISwapChain1::GetHwnd.
            2060 GetHwnd [display] = get_hwnd(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// A reference to a back buffer more. dxgi.h: IDXGISwapChain::GetBuffer.
            2061 GetBuffer [display] = get_buffer(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// Buffer.
                buffer: u32,
            ) -> HResult<BackBuffer>;

            /// A reference to a back buffer less; gives what is left. unknwn.h: IUnknown::Release.
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
                /// BufferCount; 0 keeps it.
                buffer_count: u32,
                /// Width; 0 is the window's.
                width: u32,
                /// Height; 0 is the window's.
                height: u32,
                /// NewFormat; UNKNOWN keeps it.
                format: Format,
                /// SwapChainFlags.
                flags: SwapChainFlags,
            ) -> HResult<()>;

            /// The same, with the queue of each buffer. dxgi1_4.h: IDXGISwapChain3::ResizeBuffers1.
            2064 ResizeBuffers1 [display] = resize_buffers_1(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// BufferCount; 0 keeps it.
                buffer_count: u32,
                /// Width; 0 is the window's.
                width: u32,
                /// Height; 0 is the window's.
                height: u32,
                /// Format; UNKNOWN keeps it.
                format: Format,
                /// SwapChainFlags.
                flags: SwapChainFlags,
                /// pCreationNodeMask; empty is null.
                node_masks: Vec<u32>,
                /// ppPresentQueue; empty is null.
                queues: Vec<CommandQueueId>,
            ) -> HResult<()>;

            /// Sizes the window of a windowed swap chain. dxgi.h: IDXGISwapChain::ResizeTarget.
            2065 ResizeTarget [display] = resize_target(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// pNewTargetParameters: Width.
                width: u32,
                /// pNewTargetParameters: Height.
                height: u32,
            ) -> HResult<()>;

            /// The buffer that is drawn to next. dxgi1_4.h: IDXGISwapChain3::GetCurrentBackBufferIndex.
            2066 GetCurrentBackBufferIndex [display] = get_current_back_buffer_index(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u32>;

            /// Presents so far. dxgi.h: IDXGISwapChain::GetLastPresentCount.
            2067 GetLastPresentCount [display] = get_last_present_count(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// The frame that was shown last. dxgi.h: IDXGISwapChain::GetFrameStatistics.
            2068 GetFrameStatistics [display] = get_frame_statistics(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<FrameStatistics>;

            /// Whether a swap chain has the screen, and which. dxgi.h: IDXGISwapChain::GetFullscreenState.
            2069 GetFullscreenState [display] = get_fullscreen_state(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// ppTarget is not null.
                want_target: bool,
            ) -> HResult<FullscreenState>;

            /// Goes to the full screen or back to the window. dxgi.h: IDXGISwapChain::SetFullscreenState, without a target.
            2070 SetFullscreenState [display] = set_fullscreen_state(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// Fullscreen.
                fullscreen: bool,
            ) -> HResult<()>;

            /// Full screen ends at the next Present. dxgi.h: IDXGIOutput::ReleaseOwnership.
            2071 ReleaseOwnership [display] = release_ownership(
                /// The output, as an enumeration or a swap chain numbers it.
                output: u64,
            ) -> HResult<()>;

            /// The output that most of a swap chain's window is on. dxgi.h: IDXGISwapChain::GetContainingOutput.
            2072 GetContainingOutput [display] = get_containing_output(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// An adapter by its place. dxgi.h: IDXGIFactory::EnumAdapters.
            2073 EnumAdapters [display] = enum_adapters(
                /// Adapter.
                index: u32,
            ) -> HResult<EnumeratedAdapter>;

            /// An output of an adapter by its place. dxgi.h: IDXGIAdapter::EnumOutputs. Gives the number of a new object.
            2074 EnumOutputs [display] = enum_outputs(
                /// The adapter's object.
                object: u64,
                /// Output.
                index: u32,
            ) -> HResult<u64>;

            /// Whether DXGI has a feature. dxgi1_5.h: IDXGIFactory5::CheckFeatureSupport.
            2075 CheckDxgiFeatureSupport [display] = check_dxgi_feature_support(
                /// Feature.
                feature: DxgiFeature,
                /// FeatureSupportDataSize, in bytes.
                size_bytes: u32,
            ) -> HResult<bool>;

            /// Which keys DXGI heeds in a window. dxgi.h: IDXGIFactory::MakeWindowAssociation.
            2076 MakeWindowAssociation [display] = make_window_association(
                /// WindowHandle; 0 ends the association.
                window: u64,
                /// Flags.
                flags: WindowAssociation,
            ) -> HResult<()>;

            /// The window of that. dxgi.h: IDXGIFactory::GetWindowAssociation.
            2077 GetWindowAssociation [display] = get_window_association() -> HResult<u64>;

            /// Whether a swap chain can be shown in a colour space. dxgi1_4.h: IDXGISwapChain3::CheckColorSpaceSupport.
            2078 CheckColorSpaceSupport [display] = check_color_space_support(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// ColorSpace.
                color_space: ColorSpace,
            ) -> HResult<ColorSpaceSupport>;

            /// Says what a swap chain's colours mean. dxgi1_4.h: IDXGISwapChain3::SetColorSpace1.
            2079 SetColorSpace1 [display] = set_color_space_1(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// ColorSpace.
                color_space: ColorSpace,
            ) -> HResult<()>;
        }
    };
}

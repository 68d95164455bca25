//! dxgi.h: swap chains, presents, and cross-adapter resources.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! dxgi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Ends a frame. dxgi.h: IDXGISwapChain::Present, for a swap chain on this command queue.
            2048 Present [queue, objects] = present(
                /// The command queue.
                command_queue: CommandQueueId,
                /// SyncInterval.
                sync_interval: u32,
            ) -> HResult<()>;

            /// Creates a swap chain for a window on a display; a command queue's adapter renders its frames. dxgi1_2.h:
            /// IDXGIFactory2::CreateSwapChainForHwnd.
            2049 CreateSwapChainForHwnd [queue, display] = create_swap_chain_for_hwnd(
                /// pDevice: the command queue.
                command_queue: CommandQueueId,
                /// pDesc.
                desc: SwapChainDesc,
                /// The display of hWnd, by its number from ConnectDisplay.
                display: u32,
                /// True if the window covers the display.
                covers: bool,
            ) -> HResult<SwapChainId>;

            /// Presents a frame, at the current simulated time. dxgi1_2.h: IDXGISwapChain1::Present1, up to the point
            /// where it would block. Returns GetLastPresentCount.
            2050 Present1 [display] = present_1(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// SyncInterval.
                sync_interval: u32,
                /// PresentFlags.
                flags: PresentFlags,
            ) -> HResult<u64>;

            /// Ends a Present1: the application continues. Legal once fewer frames are queued than the chain's latency
            /// allows. Returns the time, in nanoseconds since the session began.
            2051 FinishPresent1 [display] = finish_present_1(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// Sets the cost of the application's next frame. Not a call of DXGI: a simulated application's work
            /// between two of its frames. Returns the time at which it presents.
            2052 SimulateWork [display] = simulate_work(
                /// The swap chain of the frame.
                swap_chain: SwapChainId,
                /// Time on the processor, from the end of the last Present1.
                cpu_ns: u64,
                /// Time on the graphics engine, from Present1.
                gpu_ns: u64,
            ) -> HResult<u64>;

            /// Creates a swap chain of a Direct3D 9 device. d3d9.h: IDirect3DDevice9::CreateAdditionalSwapChain. The
            /// rest of that interface is not simulated.
            2100 CreateAdditionalSwapChain [display] = create_additional_swap_chain(
                /// The adapter of the device.
                adapter: AdapterId,
                /// pPresentationParameters: D3DSWAPEFFECT_FLIPEX is the flip model's sequential effect.
                desc: SwapChainDesc,
                /// The display of the window, by its number from ConnectDisplay.
                display: u32,
                /// True if the window covers the display.
                covers: bool,
            ) -> HResult<SwapChainId>;

            /// Creates a cross-adapter resource as Direct3D 11 does: row-major, shared, in system memory. Not a call of
            /// applications: DXGI makes it through the driver's pfnCreateResource. Returns the resource's number, from
            /// 1.
            2101 CreateCrossAdapterResource [display] = create_cross_adapter_resource(
                /// The adapter that creates it.
                adapter: AdapterId,
                /// Width in pixels.
                width: u32,
                /// Height in pixels.
                height: u32,
                /// Format.
                format: Format,
                /// True with pPrimaryDesc: the resource is for scan-out.
                is_primary: bool,
            ) -> HResult<u64>;

            /// Opens a cross-adapter resource on another adapter. Not a call of applications: DXGI makes it through the
            /// driver's pfnOpenResource.
            2102 OpenCrossAdapterResource [display] = open_cross_adapter_resource(
                /// The adapter that opens it.
                adapter: AdapterId,
                /// The resource.
                resource: u64,
            ) -> HResult<()>;

            /// Creates a view of a cross-adapter resource as Direct3D 11 does. d3d11.h:
            /// ID3D11Device::CreateShaderResourceView and its relatives.
            2103 CreateCrossAdapterView [display] = create_cross_adapter_view(
                /// The adapter of the view.
                adapter: AdapterId,
                /// The resource.
                resource: u64,
                /// Kind of the view.
                view: TextureView,
                /// Format of the view: one of the resource's family.
                format: Format,
            ) -> HResult<()>;

            /// Releases the last reference to a cross-adapter resource, on every adapter. unknwn.h: IUnknown::Release.
            2104 ReleaseCrossAdapterResource [display] = release_cross_adapter_resource(
                /// The resource.
                resource: u64,
            ) -> HResult<()>;

            /// Releases the last reference to a swap chain. unknwn.h: IUnknown::Release.
            2053 ReleaseSwapChain [display] = release_swap_chain(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<()>;
        }
    };
}

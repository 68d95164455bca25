//! dxgi.h: what is presented.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! dxgi_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Ends a frame. dxgi.h: IDXGISwapChain::Present, of a swap chain on this command queue.
            2048 Present [queue, objects] = present(
                /// The command queue.
                command_queue: CommandQueueId,
                /// SyncInterval.
                sync_interval: u32,
            ) -> HResult<()>;

            /// Creates a swap chain whose frames a command queue's adapter renders, for a window on a display. dxgi1_2.h:
            /// IDXGIFactory2::CreateSwapChainForHwnd.
            2049 CreateSwapChainForHwnd [queue, display] = create_swap_chain_for_hwnd(
                /// pDevice: the command queue.
                command_queue: CommandQueueId,
                /// pDesc.
                desc: SwapChainDesc,
                /// The display that hWnd is on, as its ConnectDisplay numbers it.
                display: u32,
                /// Its window covers the display.
                covers: bool,
            ) -> HResult<SwapChainId>;

            /// Presents a frame, at the time that the simulation has come to. dxgi1_2.h: IDXGISwapChain1::Present1, up to
            /// where it would block. Gives GetLastPresentCount.
            2050 Present1 [display] = present_1(
                /// The swap chain.
                swap_chain: SwapChainId,
                /// SyncInterval.
                sync_interval: u32,
                /// PresentFlags.
                flags: PresentFlags,
            ) -> HResult<u64>;

            /// The end of a Present1: the application goes on. Legal once fewer frames are on their way than the chain's
            /// latency allows. Gives the time, in nanoseconds since the session began.
            2051 FinishPresent1 [display] = finish_present_1(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<u64>;

            /// What the application's next frame costs. Not a call of DXGI: what a simulated application does between two of
            /// its frames. Gives the time at which it presents.
            2052 SimulateWork [display] = simulate_work(
                /// The swap chain that the frame is for.
                swap_chain: SwapChainId,
                /// Time on the processor, from the end of its last Present1.
                cpu_ns: u64,
                /// Time on the graphics engine, from Present1.
                gpu_ns: u64,
            ) -> HResult<u64>;

            /// Creates a swap chain of a Direct3D 9 device. d3d9.h: IDirect3DDevice9::CreateAdditionalSwapChain. What else that
            /// interface has is not simulated.
            2100 CreateAdditionalSwapChain [display] = create_additional_swap_chain(
                /// The adapter of the device.
                adapter: AdapterId,
                /// pPresentationParameters: D3DSWAPEFFECT_FLIPEX is the flip model's sequential effect.
                desc: SwapChainDesc,
                /// The display that the window is on, as its ConnectDisplay numbers it.
                display: u32,
                /// Its window covers the display.
                covers: bool,
            ) -> HResult<SwapChainId>;

            /// Creates a cross-adapter resource in the way of Direct3D 11: rows one after another, shared, in the system's
            /// memory. No call that applications make: what DXGI has the driver do by pfnCreateResource. Gives the resource's
            /// number, from 1.
            2101 CreateCrossAdapterResource [display] = create_cross_adapter_resource(
                /// The adapter that creates it.
                adapter: AdapterId,
                /// Pixels across.
                width: u32,
                /// Pixels down.
                height: u32,
                /// Format.
                format: Format,
                /// With pPrimaryDesc: it is to be scanned out.
                is_primary: bool,
            ) -> HResult<u64>;

            /// Opens a cross-adapter resource on another adapter. No call that applications make: what DXGI has the driver do
            /// by pfnOpenResource.
            2102 OpenCrossAdapterResource [display] = open_cross_adapter_resource(
                /// The adapter that opens it.
                adapter: AdapterId,
                /// The resource.
                resource: u64,
            ) -> HResult<()>;

            /// Creates a view of a cross-adapter resource in the way of Direct3D 11. d3d11.h:
            /// ID3D11Device::CreateShaderResourceView and its kin.
            2103 CreateCrossAdapterView [display] = create_cross_adapter_view(
                /// The adapter that views it.
                adapter: AdapterId,
                /// The resource.
                resource: u64,
                /// Which of the three.
                view: TextureView,
                /// The view's format: one of the resource's family.
                format: Format,
            ) -> HResult<()>;

            /// The last reference to a cross-adapter resource goes, on every adapter. unknwn.h: IUnknown::Release.
            2104 ReleaseCrossAdapterResource [display] = release_cross_adapter_resource(
                /// The resource.
                resource: u64,
            ) -> HResult<()>;

            /// Gives up the last reference to a swap chain. unknwn.h: IUnknown::Release.
            2053 ReleaseSwapChain [display] = release_swap_chain(
                /// The swap chain.
                swap_chain: SwapChainId,
            ) -> HResult<()>;
        }
    };
}

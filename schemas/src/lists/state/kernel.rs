//! State: the graphics kernel, displays, swap chains and their frames.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! kernel_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// The graphics kernel, of a session that ever said anything to it.
            5696 GraphicsKernel {
                /// The last swap chain, dead or alive; null before the first.
                last_chain: SwapChainId,
                /// The machine's parts, as JSON.
                parts: String,
                /// Windows and DXGI's objects, as JSON.
                desktop: String,
                /// Allocations that adapters share, as JSON.
                shared: String,
                /// Engines, and frames on their way, as JSON; empty before the first swap chain.
                frames: String,
            }

            /// How an adapter stands to the graphics kernel.
            5697 KernelAdapter {
                /// Which.
                adapter: AdapterId,
                /// Its start, and what its kernel-mode driver said then, as JSON.
                kernel: String,
            }

            /// A display, by ascending numbers.
            5698 Display {
                /// Which.
                display: u32,
                /// The adapter that it hangs on.
                adapter: AdapterId,
                /// Its mode and recorded refreshes, as JSON.
                kept: String,
            }

            /// A swap chain that is alive.
            5699 SwapChain {
                /// Which.
                swap_chain: SwapChainId,
                /// The adapter that renders.
                adapter: AdapterId,
                /// The display that it is on.
                display: u32,
                /// How its frames come there.
                mode: HybridPresentMode,
                /// Frames presented.
                present_count: u64 as Count,
                /// All of it, as JSON.
                kept: String,
            }
        }
    };
}

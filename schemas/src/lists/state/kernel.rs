//! State: the graphics kernel, displays, swap chains and their frames.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! kernel_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// The graphics kernel, in a session that has called it.
            5696 GraphicsKernel {
                /// The last swap chain, dead or alive; null before the first.
                last_chain: SwapChainId,
                /// Properties of the machine, as JSON.
                parts: String,
                /// Windows and DXGI's objects, as JSON.
                desktop: String,
                /// Allocations shared between adapters, as JSON.
                shared: String,
                /// Engines and queued frames, as JSON; empty before the first swap chain.
                frames: String,
            }

            /// An adapter's state in the graphics kernel.
            5697 KernelAdapter {
                /// The adapter.
                adapter: AdapterId,
                /// Start of the adapter, and its kernel-mode driver's answers, as JSON.
                kernel: String,
            }

            /// A display, in ascending order of numbers.
            5698 Display {
                /// The display.
                display: u32,
                /// The adapter that the display is connected to.
                adapter: AdapterId,
                /// Mode and recorded refreshes, as JSON.
                state was kept: String,
            }

            /// A live swap chain.
            5699 SwapChain {
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The adapter that renders.
                adapter: AdapterId,
                /// The display of its window.
                display: u32,
                /// Present path of its frames.
                mode: HybridPresentMode,
                /// Frames presented so far.
                present_count: u64 as Count,
                /// The whole state, as JSON.
                state was kept: String,
            }
        }
    };
}

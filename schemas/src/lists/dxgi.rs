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
        }
    };
}

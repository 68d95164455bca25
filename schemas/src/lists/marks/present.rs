//! Marks: how swap chains are presented, and what became of their frames.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! present_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// How a swap chain's frames come to its display, decided at its creation. Its fields mirror those of
            /// Microsoft-Windows-DXGI's SwapChain_Start as far as that has them; the others are the decision's inputs.
            4448 HybridPresentDecision {
                /// pIDXGISwapChain.
                swap_chain: SwapChainId,
                /// The adapter that renders.
                render_adapter: AdapterId,
                /// The adapter that the display hangs on.
                display_adapter: AdapterId,
                /// HybridPresentMode.
                mode: HybridPresentMode,
                /// ScanoutEligible.
                scanout_eligible: bool,
                /// CrossAdapterTierSupport: the display adapter's tier.
                cross_adapter_tier_support: CrossAdapterTier,
                /// The rendering adapter's tier.
                render_tier: CrossAdapterTier,
                /// CASOFallbackReason as Windows would say it; its values are not public, so it is 0.
                caso_fallback_reason: u32,
                /// Why there is more than one copy.
                reason: FallbackReason,
                /// DXGI_DDI_PRIMARY_DRIVER_FLAG of the primary, if one was created.
                primary_flags: PrimaryDriverFlags,
                /// The static check was made.
                static_checked: bool,
                /// What it answered.
                static_check_supported: bool,
                /// The buffers.
                desc: SwapChainDesc,
                /// Bytes of a frame's pixels.
                payload_bytes: u64 as Size,
                /// Bytes of the cross-adapter resource.
                allocation_bytes: u64 as Size,
                /// The display that its window is on, as its ConnectDisplay numbers it.
                display: u32,
                /// Its window covers the display.
                covers: bool,
            }

            /// A frame was shown, or given up. Times are nanoseconds since the session began; 0 where there is none.
            4449 FrameEnded {
                /// The swap chain.
                swap_chain: SwapChainId,
                /// Its number among the chain's frames, from 1.
                present_count: u64 as Count,
                /// What became of it.
                fate: FrameFate,
                /// When it was presented.
                presented_at_ns: u64,
                /// When it was rendered.
                rendered_at_ns: u64,
                /// When the first copy began.
                copy_1_started_at_ns: u64,
                /// When it was over.
                copy_1_ended_at_ns: u64,
                /// When the second copy began.
                copy_2_started_at_ns: u64,
                /// When it was over.
                copy_2_ended_at_ns: u64,
                /// When it could be shown.
                ready_at_ns: u64,
                /// When it was shown or given up.
                ended_at_ns: u64,
                /// Bytes that its copies moved.
                bytes_copied: u64 as Size,
                /// When the compositor's drawing began.
                composition_started_at_ns: u64,
                /// When it was over.
                composition_ended_at_ns: u64,
                /// Row of the display from which on it was first seen; above it the frame before it was. 0 unless it tore.
                first_row: u32,
                /// Pixels of it that were looked at as it was scanned out: all of them in small frames, those of a grid in others.
                probes: u64 as Count,
                /// Of these, pixels that were not the frame's.
                wrong_probes: u64 as Count,
            }

            /// A mode that a link cannot carry: so many frames as the display has refreshes do not go through it.
            4452 LinkTooSlow {
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The adapter that hangs on the link.
                adapter: AdapterId,
                /// What the frames would take, in bytes a second.
                needed_bytes_per_second: u64,
                /// What the link carries, in bytes a second.
                link_bytes_per_second: u64,
                /// The mode's refreshes, in thousandths of a hertz.
                refresh_millihertz: u64,
                /// What the link would carry, in thousandths of a hertz.
                possible_millihertz: u64,
            }
        }
    };
}

//! Marks: present paths of swap chains, and outcomes of their frames.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! present_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// The present path from a swap chain to its display, decided at its creation. Fields mirror those of
            /// Microsoft-Windows-DXGI's SwapChain_Start as far as that has them; the others are inputs of the decision.
            4448 HybridPresentDecision {
                /// pIDXGISwapChain.
                swap_chain: SwapChainId,
                /// The adapter that renders.
                render_adapter: AdapterId,
                /// The adapter that the display is connected to.
                display_adapter: AdapterId,
                /// HybridPresentMode.
                mode: HybridPresentMode,
                /// ScanoutEligible.
                scanout_eligible: bool,
                /// CrossAdapterTierSupport: the display adapter's tier.
                cross_adapter_tier_support: CrossAdapterTier,
                /// The rendering adapter's tier.
                render_tier: CrossAdapterTier,
                /// CASOFallbackReason of Windows; its values are not public, so it is 0.
                caso_fallback_reason: u32,
                /// Reason for more than one copy.
                reason: FallbackReason,
                /// DXGI_DDI_PRIMARY_DRIVER_FLAG of the primary, if one was created.
                primary_flags: PrimaryDriverFlags,
                /// True if the static check was made.
                static_checked: bool,
                /// Result of the static check.
                static_check_supported: bool,
                /// Description of the buffers.
                desc: SwapChainDesc,
                /// Bytes of a frame's pixels.
                payload_bytes: u64 as Size,
                /// Bytes of the cross-adapter resource.
                allocation_bytes: u64 as Size,
                /// The display of the window, by its number from ConnectDisplay.
                display: u32,
                /// True if the window covers the display.
                covers: bool,
            }

            /// A frame was displayed or dropped. Times are nanoseconds since the session began; 0 for a step that did
            /// not occur.
            4449 FrameEnded {
                /// The swap chain.
                swap_chain: SwapChainId,
                /// Number of the frame among the chain's frames, from 1.
                present_count: u64 as Count,
                /// Outcome of the frame.
                outcome was fate: FrameOutcome,
                /// Time of the present.
                presented_at_ns: u64,
                /// Time of the end of rendering.
                rendered_at_ns: u64,
                /// Begin of the first copy.
                copy_1_started_at_ns: u64,
                /// End of the first copy.
                copy_1_ended_at_ns: u64,
                /// Begin of the second copy.
                copy_2_started_at_ns: u64,
                /// End of the second copy.
                copy_2_ended_at_ns: u64,
                /// Time from which the frame could be displayed.
                ready_at_ns: u64,
                /// Time at which the frame was displayed or dropped.
                ended_at_ns: u64,
                /// Bytes moved by the copies.
                bytes_copied: u64 as Size,
                /// Begin of the compositor's drawing.
                composition_started_at_ns: u64,
                /// End of the compositor's drawing.
                composition_ended_at_ns: u64,
                /// First row of the display on which the frame was visible, with the previous frame above it; 0 unless
                /// it tore.
                first_row: u32,
                /// Pixels that were checked during scan-out: all of a small frame, those of a grid of another.
                probes: u64 as Count,
                /// Checked pixels with a wrong value.
                wrong_probes: u64 as Count,
            }

            /// A display mode exceeds a link: the link cannot carry as many frames as the display refreshes.
            4452 LinkTooSlow {
                /// The swap chain.
                swap_chain: SwapChainId,
                /// The adapter at the link.
                adapter: AdapterId,
                /// Bandwidth that the frames need, in bytes a second.
                needed_bytes_per_second: u64,
                /// Bandwidth of the link, in bytes a second.
                link_bytes_per_second: u64,
                /// Refresh rate of the mode, in thousandths of a hertz.
                refresh_millihertz: u64,
                /// Frame rate that the link can carry, in thousandths of a hertz.
                possible_millihertz: u64,
            }

            /// Comparison of a swap chain's recorded presents with the capture that they were read from, at the end of
            /// the recording.
            4453 CaptureCompared {
                /// The swap chain; 0 if none of its presents was replayed.
                swap_chain: SwapChainId,
                /// Application in the capture.
                application: String,
                /// SwapChainAddress in the capture.
                address: String,
                /// Presents in the capture.
                presents: u64 as Count,
                /// Presents whose frame was displayed, or not displayed, as in the capture.
                as_logged: u64 as Count,
                /// Presents whose frame had another outcome or time.
                otherwise: u64 as Count,
                /// Presents that could not be replayed.
                not_played: u64 as Count,
                /// Frames that the driver generated or repeated, which are not among the presents.
                generated_frames: u64 as Count,
            }

            /// A frame that the driver generated or repeated, as captured. The model has no frame generation.
            4454 GeneratedFrame {
                /// The swap chain; 0 before its first present.
                swap_chain: SwapChainId,
                /// FrameType.
                frame_type: String,
                /// Time at which the frame was displayed, in nanoseconds since the session began; 0 for a frame that
                /// never was.
                shown_at_ns: u64,
            }
        }
    };
}

//! Events of presents.

use crate::view;
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, CrossAdapterTier, FallbackReason, FrameOutcome, HybridPresentMode, PrimaryDriverFlags, SwapChainId,
    dxgi, machine, mark,
};

/// An event of presents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PresentEvent {
    Machine(Machine),
    /// An adapter was described.
    Adapter(Adapter),
    /// A display appeared.
    Display(Display),
    /// A display's mode changes.
    ModeChange(ModeChange),
    /// A swap chain is being created; the decision about its path precedes the end of the call.
    Creation(Creation),
    /// A swap chain of a Direct3D 9 device is being created.
    Creation9(Creation9),
    /// Simulated time advances.
    Advance(Advance),
    /// A swap chain's path was decided.
    Decision(Decision),
    /// A link cannot carry a swap chain's mode.
    SlowLink(SlowLink),
    /// A frame ended.
    Frame(Frame),
    /// A swap chain was compared with its capture.
    Compared(CaptureCompared),
}

view! {
    /// Properties that all adapters share.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Machine of start machine::DescribeMachine {
        /// Bandwidth of system memory, in bytes a second.
        system_memory_bytes_per_second: u64,
        /// Time that waiting for another adapter's fence takes.
        cross_adapter_fence_ns: u64,
    }
}
view! {
    /// An adapter was described.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Adapter of start machine::DescribeAdapter {
        /// The adapter.
        adapter: AdapterId,
        /// True if the adapter has no memory of its own.
        uses_system_memory: bool = parts.uses_system_memory,
        /// Bandwidth of its link in one direction, in bytes a second; 0 without a link.
        link_bytes_per_second: u64 = parts.link_bytes_per_second,
    }
}
view! {
    /// A display appeared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Display of start machine::ConnectDisplay {
        /// The display's adapter.
        adapter: AdapterId,
        /// Width in pixels.
        width: u32 = mode.width,
        /// Height in pixels.
        height: u32 = mode.height,
        /// Refresh rate, in thousandths of a hertz.
        refresh_millihertz: u64 = mode.refresh_millihertz,
        /// Rotation of the panel, in degrees.
        rotation_degrees: u32 = mode.rotation_degrees,
    }
}
view! {
    /// A display's mode changes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ModeChange of start machine::SetDisplayMode {
        /// The display.
        display: u32,
        /// Width in pixels.
        width: u32 = mode.width,
        /// Height in pixels.
        height: u32 = mode.height,
        /// Refresh rate, in thousandths of a hertz.
        refresh_millihertz: u64 = mode.refresh_millihertz,
        /// Rotation of the panel, in degrees.
        rotation_degrees: u32 = mode.rotation_degrees,
    }
}
view! {
    /// A swap chain is being created.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Creation of start dxgi::CreateSwapChainForHwnd {
        /// The display of its window.
        display: u32,
        /// True if the window covers the display.
        covers: bool,
    }
}
view! {
    /// A swap chain of a Direct3D 9 device is being created.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Creation9 of start dxgi::CreateAdditionalSwapChain {
        /// The display of its window.
        display: u32,
        /// True if the window covers the display.
        covers: bool,
    }
}
view! {
    /// Simulated time advances.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Advance of start machine::AdvanceSimulation {
        /// New time.
        until_at_ns: u64,
    }
}
view! {
    /// A swap chain's path was decided.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Decision of info mark::HybridPresentDecision {
        /// The swap chain.
        swap_chain: SwapChainId,
        /// The adapter that renders.
        render_adapter: AdapterId,
        /// The adapter of the display.
        display_adapter: AdapterId,
        /// The path.
        mode: HybridPresentMode,
        /// Tier of the display adapter.
        cross_adapter_tier_support: CrossAdapterTier,
        /// Reason for more than one copy.
        reason: FallbackReason,
        /// True if the static check passed.
        static_check_supported: bool,
        /// Width in pixels.
        width: u32 = desc.width,
        /// Height in pixels.
        height: u32 = desc.height,
        /// Format.
        format: Format = desc.format,
        /// Bytes of a frame's pixels.
        payload_bytes: u64,
        /// Bytes of the cross-adapter resource.
        allocation_bytes: u64,
    } if any {
        /// Tier of the rendering adapter.
        render_tier: CrossAdapterTier,
        /// True if the static check was made.
        static_checked: bool,
        /// The driver's flags for the primary.
        primary_flags: PrimaryDriverFlags,
        /// CASOFallbackReason of Windows.
        caso_fallback_reason: u32,
        /// The display of the window.
        display: u32,
        /// True if the window covers the display.
        covers: bool,
    }
}
view! {
    /// A link cannot carry as many frames as the display refreshes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct SlowLink of info mark::LinkTooSlow {
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
}
view! {
    /// Comparison of a swap chain's presents with the capture that they were read from.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CaptureCompared of info mark::CaptureCompared {
        /// The swap chain.
        swap_chain: SwapChainId,
        /// Application in the capture.
        application: String,
        /// Presents in the capture.
        presents: u64,
        /// Presents whose frame was displayed, or not displayed, as in the capture.
        as_logged: u64,
        /// Presents whose frame had another outcome or time.
        otherwise: u64,
        /// Presents that could not be replayed.
        not_played: u64,
        /// Frames that the driver generated or repeated.
        generated_frames: u64,
    }
}
view! {
    /// A frame ended. Times are nanoseconds since the session began; 0 for a step that did not occur.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Frame of info mark::FrameEnded {
        /// The swap chain.
        swap_chain: SwapChainId,
        /// Number of the frame among the chain's frames.
        present_count: u64,
        /// Outcome of the frame.
        outcome: FrameOutcome,
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
        bytes_copied: u64,
    } if any {
        /// Begin of the compositor's drawing.
        composition_started_at_ns: u64,
        /// End of the compositor's drawing.
        composition_ended_at_ns: u64,
        /// Pixels that were checked during scan-out.
        probes: u64,
        /// Checked pixels with a wrong value.
        wrong_probes: u64,
    }
}

impl Frame {
    /// Number of copies of the frame.
    pub fn copies(&self) -> u64 {
        u64::from(self.copy_1_ended_at_ns > 0) + u64::from(self.copy_2_ended_at_ns > 0)
    }

    /// True if the frame was displayed.
    pub fn is_shown(&self) -> bool {
        self.outcome != FrameOutcome::NEVER_SHOWN
    }

    /// Duration of the compositor's drawing; 0 without one, or if it is not in the trace.
    pub fn composition_ns(&self) -> u64 {
        let times = self.composition_ended_at_ns.zip(self.composition_started_at_ns);
        times.map_or(0, |(ended, started)| ended.saturating_sub(started))
    }
}

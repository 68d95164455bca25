//! What can be told of presents.

use crate::view;
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, CrossAdapterTier, FallbackReason, FrameFate, HybridPresentMode, PrimaryDriverFlags, SwapChainId, dxgi,
    machine, mark,
};

/// Something that tells of presents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PresentEvent {
    /// What all adapters share.
    Machine(Machine),
    /// An adapter was described.
    Adapter(Adapter),
    /// A display appeared.
    Display(Display),
    /// A display's mode is to change.
    ModeChange(ModeChange),
    /// A swap chain is being created; the decision comes before the call's end.
    Creation(Creation),
    /// A swap chain of a Direct3D 9 device is being created.
    Creation9(Creation9),
    /// Simulated time goes on.
    Advance(Advance),
    /// A swap chain's path was decided.
    Decision(Decision),
    /// A link cannot carry a swap chain's mode.
    SlowLink(SlowLink),
    /// A frame ended.
    Frame(Frame),
}

view! {
    /// What all adapters share.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Machine of start machine::DescribeMachine {
        /// Bandwidth of the system's memory.
        system_memory_bytes_per_second: u64,
        /// What waiting for another adapter's fence takes.
        cross_adapter_fence_ns: u64,
    }
}
view! {
    /// An adapter was described.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Adapter of start machine::DescribeAdapter {
        /// The adapter.
        adapter: AdapterId,
        /// It has no memory of its own.
        uses_system_memory: bool = parts.uses_system_memory,
        /// What its link carries one way; 0 without one.
        link_bytes_per_second: u64 = parts.link_bytes_per_second,
    }
}
view! {
    /// A display appeared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Display of start machine::ConnectDisplay {
        /// Its adapter.
        adapter: AdapterId,
        /// Pixels across.
        width: u32 = mode.width,
        /// Pixels down.
        height: u32 = mode.height,
        /// Refreshes, in thousandths of a hertz.
        refresh_millihertz: u64 = mode.refresh_millihertz,
    }
}
view! {
    /// A display's mode is to change.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ModeChange of start machine::SetDisplayMode {
        /// The display.
        display: u32,
        /// Pixels across.
        width: u32 = mode.width,
        /// Pixels down.
        height: u32 = mode.height,
        /// Refreshes, in thousandths of a hertz.
        refresh_millihertz: u64 = mode.refresh_millihertz,
    }
}
view! {
    /// A swap chain is being created.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Creation of start dxgi::CreateSwapChainForHwnd {
        /// The display of its window.
        display: u32,
        /// Its window covers the display.
        covers: bool,
    }
}
view! {
    /// A swap chain of a Direct3D 9 device is being created.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Creation9 of start dxgi::CreateAdditionalSwapChain {
        /// The display of its window.
        display: u32,
        /// Its window covers the display.
        covers: bool,
    }
}
view! {
    /// Simulated time goes on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Advance of start machine::AdvanceSimulation {
        /// To this time.
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
        /// Why there is more than one copy.
        reason: FallbackReason,
        /// The static check passed.
        static_check_supported: bool,
        /// Pixels across.
        width: u32 = desc.width,
        /// Pixels down.
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
        /// The static check was made.
        static_checked: bool,
        /// What the driver said of the primary.
        primary_flags: PrimaryDriverFlags,
        /// CASOFallbackReason as Windows says it.
        caso_fallback_reason: u32,
        /// The display of its window.
        display: u32,
        /// Its window covers the display.
        covers: bool,
    }
}
view! {
    /// A link cannot carry so many frames as the display has refreshes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct SlowLink of info mark::LinkTooSlow {
        /// The swap chain.
        swap_chain: SwapChainId,
        /// The adapter that hangs on the link.
        adapter: AdapterId,
        /// What the frames would take.
        needed_bytes_per_second: u64,
        /// What the link carries.
        link_bytes_per_second: u64,
        /// Refreshes of the mode, in thousandths of a hertz.
        refresh_millihertz: u64,
        /// What the link would carry.
        possible_millihertz: u64,
    }
}
view! {
    /// A frame ended. Times are nanoseconds since the session began; 0 where there is none.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Frame of info mark::FrameEnded {
        /// The swap chain.
        swap_chain: SwapChainId,
        /// Its number among the chain's frames.
        present_count: u64,
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
        bytes_copied: u64,
    } if any {
        /// When the compositor's drawing began.
        composition_started_at_ns: u64,
        /// When it was over.
        composition_ended_at_ns: u64,
        /// Pixels of it that were looked at as it was scanned out.
        probes: u64,
        /// Of these, pixels that were not the frame's.
        wrong_probes: u64,
    }
}

impl Frame {
    /// Copies that were made of it.
    pub fn copies(&self) -> u64 {
        u64::from(self.copy_1_ended_at_ns > 0) + u64::from(self.copy_2_ended_at_ns > 0)
    }

    /// It came to a display.
    pub fn is_shown(&self) -> bool {
        self.fate != FrameFate::NEVER_SHOWN
    }

    /// How long the compositor drew it; 0 where it did not, or the trace does not say.
    pub fn composition_ns(&self) -> u64 {
        let times = self.composition_ended_at_ns.zip(self.composition_started_at_ns);
        times.map_or(0, |(ended, started)| ended.saturating_sub(started))
    }
}

//! A present that Windows reported.

/// Operation of the kernel that a present consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PresentSubmission {
    /// A call of DXGI or Direct3D 9 without an event of the kernel.
    Api,
    /// A copy.
    Blit,
    /// A copy that GDI redirects.
    RedirectedBlit,
    /// A flip.
    Flip,
    /// A token for the compositor without copy and flip.
    Token,
}

/// Path of a present to the display.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PresentPath {
    /// The events that decide it are not in the trace.
    Unknown,
    /// A flip of the whole screen.
    HardwareLegacyFlip,
    /// A copy to the front buffer.
    HardwareLegacyCopyToFrontBuffer,
    /// A flip of a window's buffer in place of the compositor's.
    HardwareIndependentFlip,
    /// As `HardwareIndependentFlip`, in a plane of its own.
    HardwareComposedIndependentFlip,
    /// A buffer that the compositor draws from.
    ComposedFlip,
}

impl PresentSubmission {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Blit => "blit",
            Self::RedirectedBlit => "redirected_blit",
            Self::Flip => "flip",
            Self::Token => "token",
        }
    }
}

impl PresentPath {
    /// Name in tables and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::HardwareLegacyFlip => "hardware_legacy_flip",
            Self::HardwareLegacyCopyToFrontBuffer => "hardware_legacy_copy_to_front_buffer",
            Self::HardwareIndependentFlip => "hardware_independent_flip",
            Self::HardwareComposedIndependentFlip => "hardware_composed_independent_flip",
            Self::ComposedFlip => "composed_flip",
        }
    }
}

/// A present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportedPresent {
    pub process: u32,
    /// Stream of the thread.
    pub stream: u32,
    pub submission: PresentSubmission,
    pub path: PresentPath,
    /// Address of the swap chain. `None` without an event of DXGI or Direct3D 9.
    pub swap_chain: Option<u64>,
    pub window: Option<u64>,
    /// VidPnSourceId of a flip.
    pub source: Option<u64>,
    pub start_stamp: u64,
    /// Stamp of the display. `None` if the trace does not show it.
    pub shown_stamp: Option<u64>,
    /// True if the present goes to another adapter. `None` if the kernel's event of its end has no flags.
    pub is_cross_adapter: Option<bool>,
    /// Ticks since the start of the last present of the same process, swap chain, window and source.
    pub interval_ticks: Option<u64>,
    /// True if the present was in progress when the first present was displayed: events from before the trace may be
    /// missing, so its display is unknown.
    pub is_untracked: bool,
}

/// Counts of events that belong to no present.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PresentCounts {
    /// Calls with DXGI_PRESENT_TEST.
    pub tests: u64,
    /// Ends of presents whose start is before the trace.
    pub ends_without_start: u64,
    /// Presents whose end is not in the trace.
    pub starts_without_end: u64,
    /// Tokens of the compositor: started, ended, ended without a start, and open at the end of the trace.
    pub tokens_started: u64,
    pub tokens_ended: u64,
    pub token_ends_without_start: u64,
    pub tokens_open: u64,
    /// Tokens of no present, such as those of GDI.
    pub tokens_without_present: u64,
    pub vertical_syncs: u64,
    /// Vertical synchronizations that displayed a flip from before the trace.
    pub syncs_of_unknown_flips: u64,
}

/// Presents, in order of their starts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportedPresents {
    pub presents: Vec<ImportedPresent>,
    pub counts: PresentCounts,
}

//! Present of a log.

use serde::Serialize;
use std::sync::Arc;

/// Swap chain of a present.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct LoggedChain {
    /// Name of the program.
    pub application: String,
    pub process_id: u64,
    /// Address of the swap chain, as logged.
    pub swap_chain: String,
}

impl LoggedChain {
    /// True for the desktop's compositor, whose presents show when displays refresh.
    pub fn is_compositor(&self) -> bool {
        self.application.eq_ignore_ascii_case("dwm.exe")
    }
}

/// Interface through which a present was made, by the column Runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runtime {
    Dxgi,
    Direct3D9,
    /// OpenGL, Vulkan without DXGI, or not known.
    Other,
}

/// Present of a log. Times are in nanoseconds; logged times have an arbitrary origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedPresent {
    /// Line of the file, from 1.
    pub line: u64,
    /// Swap chain of the present.
    pub chain: Arc<LoggedChain>,
    /// Time of the Present call.
    pub at_ns: u64,
    /// Time from the call to the end of its GPU work.
    pub gpu_end_after_ns: u64,
    /// Time from the call until the frame was shown; `None` if it never was.
    pub shown_after_ns: Option<u64>,
    /// SyncInterval; 0 where the log does not have it.
    pub sync_interval: u32,
    /// True if the frame may be shown in the middle of a refresh.
    pub allows_tearing: bool,
    pub runtime: Runtime,
    /// HybridPresent: true if the frame crossed to another adapter. `None` where the log does not have it.
    pub is_hybrid: Option<bool>,
    /// PresentMode, as logged.
    pub mode: Arc<str>,
    /// FrameType, if the driver generated or repeated the frame: it is then no present of the program.
    pub generated_by: Option<Arc<str>>,
}

impl LoggedPresent {
    /// Time at which the frame was shown, in the log's time.
    pub fn shown_at_ns(&self) -> Option<u64> {
        self.shown_after_ns.map(|after_ns| self.at_ns.saturating_add(after_ns))
    }

    /// True if the frame was shown without waiting for a refresh, if it was flipped.
    pub fn tears(&self) -> bool {
        self.allows_tearing && self.sync_interval == 0
    }

    /// True if the display scanned the swap chain's buffer out directly.
    pub fn is_flipped(&self) -> bool {
        self.mode.contains("Independent Flip") || self.mode.contains("Legacy Flip")
    }
}

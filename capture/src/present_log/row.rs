//! One present of a log.

use serde::Serialize;

/// Whose present it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct LoggedChain {
    /// The program.
    pub application: String,
    /// Its process.
    pub process_id: u64,
    /// The swap chain, as the log has it.
    pub swap_chain: String,
}

impl LoggedChain {
    /// The desktop's compositor: what it presents tells when displays refresh.
    pub fn is_compositor(&self) -> bool {
        self.application.eq_ignore_ascii_case("dwm.exe")
    }
}

/// A present. Times are nanoseconds; those of the log count from where it likes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedPresent {
    /// Line of the file, from 1.
    pub line: u64,
    /// Whose it is.
    pub chain: LoggedChain,
    /// The call of Present.
    pub at_ns: u64,
    /// From there to the end of its work on the graphics processor.
    pub gpu_ns: u64,
    /// From there to the display; none where it was never shown.
    pub shown_after_ns: Option<u64>,
    /// SyncInterval; 0 where the log does not know it.
    pub sync_interval: u32,
    /// It may be shown in the middle of a refresh.
    pub allows_tearing: bool,
    /// The log's word for how it reached the display.
    pub mode: String,
}

impl LoggedPresent {
    /// When it was shown, as the log counts.
    pub fn shown_at_ns(&self) -> Option<u64> {
        self.shown_after_ns.map(|after_ns| self.at_ns.saturating_add(after_ns))
    }

    /// A display's adapter scanned its buffer out.
    pub fn is_flipped(&self) -> bool {
        self.mode.contains("Independent Flip") || self.mode.contains("Legacy Flip")
    }
}

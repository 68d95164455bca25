//! Result of a case.

use super::case::GridCase;
use taut_schemas::{FallbackReason, HybridPresentMode};

/// Number of frames that a case presents.
pub(super) const FRAMES: u64 = 4;

/// Result of a case.
#[derive(Debug, Clone)]
pub struct GridResult {
    pub case: GridCase,
    /// Present path and reason; `None` if the swap chain was not created.
    pub path: Option<(HybridPresentMode, FallbackReason)>,
    /// Number of frames that were flipped, composed and torn.
    pub flipped: u64,
    pub composed: u64,
    pub torn: u64,
    /// First finding against the machine's drivers; `None` if the case passes.
    pub fault: Option<String>,
}

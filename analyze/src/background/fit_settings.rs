//! What "the same cost" is.

use serde::Serialize;

/// By what frames are judged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FitSettings {
    /// So many frames of the same work have to be there.
    pub frames_needed: u64,
    /// Their cost may differ by such a part of the least.
    pub tolerance_ratio: f64,
}

impl Default for FitSettings {
    fn default() -> Self {
        FitSettings { frames_needed: 4, tolerance_ratio: 0.01 }
    }
}

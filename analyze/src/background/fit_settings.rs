//! Settings of the check for stable measurements.

use serde::Serialize;

/// Thresholds by which frames of the same work are compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FitSettings {
    /// Min number of frames of the same work.
    pub frames_needed: u64,
    /// Max difference of their costs, as a share of the min cost.
    pub tolerance_ratio: f64,
}

impl Default for FitSettings {
    fn default() -> Self {
        FitSettings { frames_needed: 4, tolerance_ratio: 0.01 }
    }
}

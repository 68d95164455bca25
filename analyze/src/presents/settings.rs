//! Inputs of the report on presents that a trace does not have.

use serde::Serialize;

/// Inputs of the report on presents that a trace does not have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PresentSettings {
    /// Remaining share of scan-out reads if the target of a second copy is compressed: above 0, at most 1.
    pub compression_ratio: f64,
    /// Energy per byte that system memory reads or writes, in picojoules.
    pub memory_pj_per_byte: Option<f64>,
    /// Energy per byte that a link carries, in picojoules.
    pub link_pj_per_byte: Option<f64>,
}

impl Default for PresentSettings {
    fn default() -> PresentSettings {
        PresentSettings { compression_ratio: 1.0, memory_pj_per_byte: None, link_pj_per_byte: None }
    }
}

//! What the report cannot know from a trace.

use serde::Serialize;

/// What the report cannot know from a trace.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PresentSettings {
    /// What is left of scan-out reads where the target of a second copy is compressed: above 0, at most 1.
    pub compression_ratio: f64,
    /// Energy of a byte that the system's memory reads or writes, in picojoules.
    pub memory_pj_per_byte: Option<f64>,
    /// Energy of a byte that a link carries, in picojoules.
    pub link_pj_per_byte: Option<f64>,
}

impl Default for PresentSettings {
    fn default() -> PresentSettings {
        PresentSettings { compression_ratio: 1.0, memory_pj_per_byte: None, link_pj_per_byte: None }
    }
}

//! Binding of a blend state.

use taut_schemas::D3d11StateId;

/// Blend state binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlendBinding {
    /// Null is the default state.
    pub state: D3d11StateId,
    /// The bits of four floats; empty for four times 1.0.
    pub factor: Vec<u32>,
    pub sample_mask: u32,
}

impl Default for BlendBinding {
    fn default() -> Self {
        BlendBinding { state: D3d11StateId::NULL, factor: Vec::new(), sample_mask: u32::MAX }
    }
}

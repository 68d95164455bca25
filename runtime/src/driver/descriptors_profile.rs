//! Sizes of descriptors.

use serde::{Deserialize, Serialize};
use taut_schemas::DescriptorHeapType;

/// Max size of a descriptor: far above that of any driver, and far below one that exhausts addresses.
pub(crate) const MAX_DESCRIPTOR_BYTES: u32 = 4096;

/// Sizes of descriptors in bytes, by heap type: D3D12 returns them as increments of descriptor handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Descriptors {
    /// Views of constant buffers, shader resources and unordered access.
    pub cbv_srv_uav_bytes: u32,
    /// Samplers.
    pub sampler_bytes: u32,
    /// Render target views.
    pub rtv_bytes: u32,
    /// Depth-stencil views.
    pub dsv_bytes: u32,
}

impl Default for Descriptors {
    fn default() -> Descriptors {
        Descriptors { cbv_srv_uav_bytes: 32, sampler_bytes: 32, rtv_bytes: 32, dsv_bytes: 32 }
    }
}

impl Descriptors {
    /// Names of the keys.
    pub(crate) const KEYS: &'static [&'static str] = &["cbv_srv_uav_bytes", "sampler_bytes", "rtv_bytes", "dsv_bytes"];

    /// Size of a descriptor of this heap type; 0 for an unknown type.
    pub fn size_bytes(&self, heap_type: DescriptorHeapType) -> u32 {
        match heap_type {
            DescriptorHeapType::CBV_SRV_UAV => self.cbv_srv_uav_bytes,
            DescriptorHeapType::SAMPLER => self.sampler_bytes,
            DescriptorHeapType::RTV => self.rtv_bytes,
            DescriptorHeapType::DSV => self.dsv_bytes,
            _ => 0,
        }
    }

    /// True if all sizes are the defaults, which a profile's text leaves out.
    pub(crate) fn is_default(&self) -> bool {
        *self == Descriptors::default()
    }
}

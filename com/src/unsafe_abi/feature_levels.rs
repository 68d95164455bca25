//! D3D12_FEATURE_DATA_FEATURE_LEVELS: the structure with a pointer.

use super::plain::Plain;
use super::pointer::In;

/// D3D12_FEATURE_DATA_FEATURE_LEVELS.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FeatureLevels {
    pub count: u32,
    pub requested: In<u32>,
    pub max: u32,
}

const _: () = assert!(size_of::<FeatureLevels>() == 24);

// SAFETY: any bytes are integers and a pointer, which is followed as the documentation of the structure permits.
unsafe impl Plain for FeatureLevels {}

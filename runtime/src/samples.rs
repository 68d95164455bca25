//! Sample allocations of a driver profile, which explain a profile by its answers.

use crate::d3d12::alloc_info::{AllocInfo, AllocationKind, alloc_info};
use crate::driver::model::driver;
use crate::driver::profile::Profile;
use crate::settings::Settings;
use taut_schemas::format::Format;
use taut_schemas::{Dimension, ResourceDesc, ResourceFlags};

/// Sizes and alignments of one resource on a driver.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Description of the resource.
    pub what: &'static str,
    /// Placed, without tight alignment.
    pub classic: AllocInfo,
    /// Placed, with tight alignment.
    pub placed: AllocInfo,
    /// Committed, with tight alignment.
    pub committed: AllocInfo,
}

impl Profile {
    /// Returns sizes and alignments of a few resources that distinguish drivers.
    pub fn samples(&self) -> Vec<Sample> {
        let (driver, settings) = (driver(self), Settings::default());
        let query = |desc, kind| alloc_info(&settings, &*driver, &[desc], kind);
        let resources = resources().into_iter();
        let sample = |(what, desc): (&'static str, ResourceDesc)| {
            let tight = ResourceDesc { flags: desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT, ..desc };
            Sample {
                what,
                classic: query(desc, AllocationKind::Placed),
                placed: query(tight, AllocationKind::Placed),
                committed: query(tight, AllocationKind::Committed),
            }
        };
        resources.map(sample).collect()
    }
}

fn resources() -> [(&'static str, ResourceDesc); 6] {
    let buffer = |width| ResourceDesc::buffer(width);
    let texture = |side: u32, sample_count| ResourceDesc {
        dimension: Dimension::TEXTURE2D,
        width: side.into(),
        height: side,
        depth_or_array_size: 1,
        mip_levels: 1,
        format: Format::R8G8B8A8_UNORM,
        sample_count,
        flags: if sample_count > 1 { ResourceFlags::ALLOW_RENDER_TARGET } else { ResourceFlags::NONE },
        ..Default::default()
    };
    [
        ("buffer of 1000 bytes", buffer(1000)),
        ("buffer of 6 MiB", buffer(6 << 20)),
        ("texture 64 x 64, RGBA8", texture(64, 1)),
        ("texture 1024 x 1024, RGBA8", texture(1024, 1)),
        ("4 samples, 256 x 256, RGBA8", texture(256, 4)),
        ("4 samples, 2048 x 2048, RGBA8", texture(2048, 4)),
    ]
}

//! Resource descriptions for tests.

use taut_schemas::format::Format;
use taut_schemas::{Dimension, ResourceDesc, ResourceFlags};

pub const TIGHT: ResourceFlags = ResourceFlags::USE_TIGHT_ALIGNMENT;

pub const KIB_4: u64 = 4096;
pub const KIB_64: u64 = 65536;
pub const MIB_4: u64 = 4 << 20;

/// Size that the runtime reports for an invalid description.
pub const INVALID: u64 = u64::MAX;

pub fn buffer(width: u64) -> ResourceDesc {
    ResourceDesc::buffer(width)
}

pub fn tight_buffer(width: u64) -> ResourceDesc {
    ResourceDesc { flags: TIGHT, ..buffer(width) }
}

pub fn texture(format: Format, width: u64, height: u32) -> ResourceDesc {
    ResourceDesc {
        dimension: Dimension::TEXTURE2D,
        width,
        height,
        depth_or_array_size: 1,
        mip_levels: 1,
        format,
        sample_count: 1,
        ..Default::default()
    }
}

pub fn tight_texture(format: Format, width: u64, height: u32) -> ResourceDesc {
    ResourceDesc { flags: TIGHT, ..texture(format, width, height) }
}

pub fn msaa(format: Format, width: u64, height: u32, sample_count: u32) -> ResourceDesc {
    let flags = ResourceFlags::ALLOW_RENDER_TARGET;
    ResourceDesc { sample_count, flags, ..texture(format, width, height) }
}

/// Returns the description with the tight flag.
pub fn tightened(desc: ResourceDesc) -> ResourceDesc {
    ResourceDesc { flags: desc.flags | TIGHT, ..desc }
}

/// Returns the description with an alignment.
pub fn aligned(alignment_bytes: u64, desc: ResourceDesc) -> ResourceDesc {
    ResourceDesc { alignment_bytes, ..desc }
}

//! Descriptions of a level's resources, derived from a seed.

use super::allocator::Allocator;
use super::random::Random;
use taut_schemas::format::Format;
use taut_schemas::{Dimension, ResourceDesc, ResourceFlags};

/// Maximum side in texels of textures that are small resources in every format used here (rule A-03).
const SMALL_TEXELS: u64 = 64;
/// Alignment in bytes that a small texture without the tight flag may request (d3d12.h:
/// D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT).
const SMALL_ALIGNMENT_BYTES: u64 = 4 << 10;

/// Returns a 2D texture.
pub(crate) fn texture(format: Format, width: u64, height: u64, flags: ResourceFlags) -> ResourceDesc {
    ResourceDesc {
        dimension: Dimension::TEXTURE2D,
        width,
        height: height as u32,
        depth_or_array_size: 1,
        mip_levels: 1,
        format,
        sample_count: 1,
        flags,
        ..ResourceDesc::default()
    }
}

/// Returns a constant buffer. One in 16 lacks the tight flag, as if created by older code.
pub(crate) fn constants(allocator: &Allocator, random: &mut Random) -> ResourceDesc {
    let desc = ResourceDesc::buffer(64 + 4 * random.below(113));
    if random.once_in(16) { desc } else { allocator.tight(desc) }
}

/// Returns a mesh's vertex and index buffer. One mesh in six lacks the tight flag, as if from an older tool, so its
/// buffers separate tight buffers.
pub(crate) fn mesh(allocator: &Allocator, random: &mut Random) -> [ResourceDesc; 2] {
    let vertices = ResourceDesc::buffer(4 * random.magnitude(50, 12_000));
    let indices = ResourceDesc::buffer(2 * random.magnitude(36, 9_000));
    if random.once_in(6) { [vertices, indices] } else { [allocator.tight(vertices), allocator.tight(indices)] }
}

/// Returns a texture with all its mips. One in four lacks the tight flag and requests the small alignment where that is
/// legal.
pub(crate) fn material(allocator: &Allocator, random: &mut Random) -> ResourceDesc {
    let formats = [Format::R8G8B8A8_UNORM, Format::BC1_UNORM, Format::BC7_UNORM, Format::R16G16B16A16_FLOAT];
    let sizes = [32, 64, 256, 512];
    let (width, height) = (random.one_of(&sizes), random.one_of(&sizes));
    let mut desc = texture(random.one_of(&formats), width, height, ResourceFlags::NONE);
    desc.mip_levels = 0;
    if !random.once_in(4) {
        return allocator.tight(desc);
    }
    if width.max(height) <= SMALL_TEXELS {
        desc.alignment_bytes = SMALL_ALIGNMENT_BYTES;
    }
    desc
}

/// Returns a buffer of up to 48 KiB that lives for some frames.
pub(crate) fn transient(allocator: &Allocator, random: &mut Random) -> ResourceDesc {
    let desc = ResourceDesc::buffer(random.magnitude(256, 48 << 10));
    if random.once_in(6) { desc } else { allocator.tight(desc) }
}

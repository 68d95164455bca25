//! Bytes that an application requests: the payload of a resource, before any alignment.

use crate::format::{FormatClass, FormatInfo};
use crate::{Dimension, MipRegion, ResourceDesc};

/// Payload of a description in bytes: a buffer's width; for a texture, the texels of all mips, slices and samples, with
/// rows packed. `None` for a texture whose format has no known texel size.
///
/// A sampler feedback map is opaque; it counts as one byte for each mip region of each mip
/// (D3D12_RESOURCE_DESC1::SamplerFeedbackMipRegion).
pub fn requested_bytes(desc: &ResourceDesc, mip_region: MipRegion) -> Option<u64> {
    if desc.dimension == Dimension::BUFFER {
        return Some(desc.width);
    }
    let info = desc.format.info()?;
    let (slices, depth) = match desc.dimension {
        Dimension::TEXTURE3D => (1, u64::from(desc.depth_or_array_size).max(1)),
        _ => (u64::from(desc.depth_or_array_size).max(1), 1),
    };
    let (width, height) = texel_extent(desc, mip_region, info);
    let full_chain = width.max(height).max(depth).ilog2() + 1;
    let mips = match u32::from(desc.mip_levels) {
        0 => full_chain,
        mips => mips.min(full_chain),
    };
    let chain = (0..mips).fold(0_u64, |chain, mip| {
        let level = |extent: u64| (extent >> mip).max(1);
        let level_bytes = info.packed_bytes(level(width), level(height)).saturating_mul(level(depth));
        chain.saturating_add(level_bytes)
    });
    Some(chain.saturating_mul(slices).saturating_mul(u64::from(desc.sample_count).max(1)))
}

/// Extent of the most detailed mip, in texels; at least 1 each way.
fn texel_extent(desc: &ResourceDesc, mip_region: MipRegion, info: &FormatInfo) -> (u64, u64) {
    let (width, height) = (desc.width.max(1), u64::from(desc.height).max(1));
    if info.class != FormatClass::Feedback {
        return (width, height);
    }
    (width.div_ceil(u64::from(mip_region.width).max(1)), height.div_ceil(u64::from(mip_region.height).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    fn texture(format: Format, width: u64, height: u32, mip_levels: u16) -> ResourceDesc {
        ResourceDesc {
            dimension: Dimension::TEXTURE2D,
            width,
            height,
            depth_or_array_size: 1,
            mip_levels,
            format,
            sample_count: 1,
            ..Default::default()
        }
    }

    fn bytes(desc: &ResourceDesc) -> Option<u64> {
        requested_bytes(desc, MipRegion::default())
    }

    #[test]
    fn a_buffer_requests_its_width() {
        let desc = ResourceDesc { dimension: Dimension::BUFFER, width: 1027, height: 1, ..Default::default() };
        assert_eq!(bytes(&desc), Some(1027));
    }

    #[test]
    fn zero_mip_levels_are_the_full_chain() {
        let one = texture(Format::R8G8B8A8_UNORM, 8, 2, 1);
        assert_eq!(bytes(&one), Some(8 * 2 * 4));
        // 8×2, 4×1, 2×1, 1×1.
        assert_eq!(bytes(&ResourceDesc { mip_levels: 0, ..one }), Some((16 + 4 + 2 + 1) * 4));
        assert_eq!(bytes(&ResourceDesc { mip_levels: 0, ..one }), bytes(&ResourceDesc { mip_levels: 4, ..one }));
    }

    #[test]
    fn slices_and_samples_multiply_and_depth_shrinks_with_the_mips() {
        let base = texture(Format::R8_UNORM, 4, 4, 2);
        assert_eq!(bytes(&ResourceDesc { depth_or_array_size: 3, ..base }), Some(3 * (16 + 4)));
        assert_eq!(bytes(&ResourceDesc { sample_count: 4, mip_levels: 1, ..base }), Some(4 * 16));
        let volume = ResourceDesc { dimension: Dimension::TEXTURE3D, depth_or_array_size: 4, ..base };
        assert_eq!(bytes(&volume), Some(4 * 16 + 2 * 4));
    }

    #[test]
    fn blocks_and_planes_count_whole() {
        assert_eq!(bytes(&texture(Format::BC1_UNORM, 5, 5, 1)), Some(4 * 8));
        assert_eq!(bytes(&texture(Format::NV12, 4, 4, 1)), Some(16 + 8));
        assert_eq!(bytes(&texture(Format::UNKNOWN, 4, 4, 1)), None);
    }

    #[test]
    fn a_feedback_map_has_one_byte_per_mip_region() {
        let desc = texture(Format::SAMPLER_FEEDBACK_MIN_MIP_OPAQUE, 1024, 1000, 1);
        assert_eq!(requested_bytes(&desc, MipRegion { width: 64, height: 64, depth: 1 }), Some(16 * 16));
    }

    #[test]
    fn an_impossible_description_saturates() {
        let desc = ResourceDesc {
            depth_or_array_size: u16::MAX,
            height: u32::MAX,
            ..texture(Format::R8_UNORM, u64::MAX, 1, 0)
        };
        assert_eq!(bytes(&desc), Some(u64::MAX));
    }
}

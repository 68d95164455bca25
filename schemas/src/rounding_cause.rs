//! Reasons why a resource is larger than its payload.

use crate::{Dimension, ResourceDesc, ResourceFlags};

/// Payload below which a texture is small, in bytes.
const SMALL_BYTES: u64 = 64 << 10;
/// Max alignment in bytes that counts as a request for small placement (D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT).
const SMALL_ALIGNMENT_BYTES: u64 = 4 << 10;

/// Reason why a resource's size exceeds its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundingCause {
    /// A buffer of less than 256 bytes.
    BuffersBelow256B,
    /// A buffer of 256 bytes or more, and less than 4 KiB.
    BuffersBelow4Kib,
    /// A buffer of 4 KiB or more, and less than 64 KiB.
    BuffersBelow64Kib,
    /// A buffer of 64 KiB or more.
    LargerBuffers,
    /// A cross-adapter buffer.
    CrossAdapterBuffers,
    /// A multisampled texture.
    MsaaTextures,
    /// A small texture that requests neither small nor tight alignment.
    SmallTextures,
    /// Another texture whose size is at least twice its texels.
    TexturesBelowTheirTiles,
    /// The layout of any other texture: mips, slices and rows.
    TextureLayout,
}

impl RoundingCause {
    /// Every cause.
    pub const ALL: [RoundingCause; 9] = [
        RoundingCause::BuffersBelow256B,
        RoundingCause::BuffersBelow4Kib,
        RoundingCause::BuffersBelow64Kib,
        RoundingCause::LargerBuffers,
        RoundingCause::CrossAdapterBuffers,
        RoundingCause::MsaaTextures,
        RoundingCause::SmallTextures,
        RoundingCause::TexturesBelowTheirTiles,
        RoundingCause::TextureLayout,
    ];

    /// The cause for a resource of this description with this payload and size.
    pub fn new(desc: &ResourceDesc, requested_bytes: u64, size_bytes: u64) -> RoundingCause {
        if desc.dimension == Dimension::BUFFER {
            return match requested_bytes {
                _ if desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) => RoundingCause::CrossAdapterBuffers,
                ..256 => RoundingCause::BuffersBelow256B,
                256..4096 => RoundingCause::BuffersBelow4Kib,
                4096..65536 => RoundingCause::BuffersBelow64Kib,
                _ => RoundingCause::LargerBuffers,
            };
        }
        let is_small_request = (1..=SMALL_ALIGNMENT_BYTES).contains(&desc.alignment_bytes);
        let requests_less = is_small_request || desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
        if desc.sample_count > 1 {
            RoundingCause::MsaaTextures
        } else if requested_bytes < SMALL_BYTES && !requests_less {
            RoundingCause::SmallTextures
        } else if requested_bytes.saturating_mul(2) <= size_bytes {
            RoundingCause::TexturesBelowTheirTiles
        } else {
            RoundingCause::TextureLayout
        }
    }

    /// The cause's name in reports and parameters.
    pub fn name(self) -> &'static str {
        match self {
            RoundingCause::BuffersBelow256B => "buffers_below_256_b",
            RoundingCause::BuffersBelow4Kib => "buffers_below_4_kib",
            RoundingCause::BuffersBelow64Kib => "buffers_below_64_kib",
            RoundingCause::LargerBuffers => "larger_buffers",
            RoundingCause::CrossAdapterBuffers => "cross_adapter_buffers",
            RoundingCause::MsaaTextures => "msaa_textures",
            RoundingCause::SmallTextures => "small_textures",
            RoundingCause::TexturesBelowTheirTiles => "textures_below_their_tiles",
            RoundingCause::TextureLayout => "texture_layout",
        }
    }
}

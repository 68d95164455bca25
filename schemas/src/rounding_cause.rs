//! Why a resource takes more than it asks for.

use crate::{Dimension, ResourceDesc, ResourceFlags};

/// Textures whose texels are fewer bytes than this are small.
const SMALL_BYTES: u64 = 64 << 10;
/// An alignment up to which a small texture has asked for less (D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT).
const SMALL_ALIGNMENT_BYTES: u64 = 4 << 10;

/// Why a resource's size is more than it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundingCause {
    /// It is a buffer of less than 256 bytes.
    BuffersBelow256B,
    /// It is a larger one of less than 4 KiB.
    BuffersBelow4Kib,
    /// It is a larger one of less than 64 KiB.
    BuffersBelow64Kib,
    /// It is a larger one.
    LargerBuffers,
    /// It is a buffer that another adapter may read.
    CrossAdapterBuffers,
    /// It is a texture with several samples.
    MsaaTextures,
    /// It is a small texture that asked for neither a small alignment nor a tight one.
    SmallTextures,
    /// It is a texture that takes at least twice its texels.
    TexturesBelowTheirTiles,
    /// It is another texture, with mips, slices and rows.
    TextureLayout,
}

impl RoundingCause {
    /// Every one.
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

    /// That of a resource of this description that asks for one size and takes another.
    pub fn of(desc: &ResourceDesc, requested_bytes: u64, size_bytes: u64) -> RoundingCause {
        if desc.dimension == Dimension::BUFFER {
            return match requested_bytes {
                _ if desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) => RoundingCause::CrossAdapterBuffers,
                ..256 => RoundingCause::BuffersBelow256B,
                256..4096 => RoundingCause::BuffersBelow4Kib,
                4096..65536 => RoundingCause::BuffersBelow64Kib,
                _ => RoundingCause::LargerBuffers,
            };
        }
        let asks = (1..=SMALL_ALIGNMENT_BYTES).contains(&desc.alignment_bytes);
        let asked_for_less = asks || desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
        if desc.sample_count > 1 {
            RoundingCause::MsaaTextures
        } else if requested_bytes < SMALL_BYTES && !asked_for_less {
            RoundingCause::SmallTextures
        } else if requested_bytes.saturating_mul(2) <= size_bytes {
            RoundingCause::TexturesBelowTheirTiles
        } else {
            RoundingCause::TextureLayout
        }
    }

    /// Its name in reports and parameters.
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

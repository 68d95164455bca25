//! The causes that waste is split into: each byte has one.

use crate::world::Resource;
use taut_schemas::RoundingCause;

/// Why memory is wasted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Rounding of buffers that ask for less than 256 bytes.
    BuffersBelow256B,
    /// The same below 4 KiB.
    BuffersBelow4Kib,
    /// The same below 64 KiB.
    BuffersBelow64Kib,
    /// Rounding of larger buffers.
    LargerBuffers,
    /// Rounding of buffers that another adapter may read.
    CrossAdapterBuffers,
    /// Rounding of textures with several samples.
    MsaaTextures,
    /// Rounding of small textures that asked for neither a small alignment nor a tight one.
    SmallTextures,
    /// Rounding of textures to at least twice their texels.
    TexturesBelowTheirTiles,
    /// Rounding of other textures: mips, slices, rows.
    TextureLayout,
    /// Pages of implicit heaps.
    CommittedGranularity,
    /// Padding that another order of the same resources needs not.
    OrderInHeaps,
    /// Padding that every order needs.
    OtherPadding,
    /// Gaps between resources that no alignment makes.
    Holes,
    /// Bytes behind the last resource of a heap.
    Tails,
    /// Heaps in which nothing lies.
    EmptyHeaps,
}

impl Cause {
    /// Every cause, each at the place of its own number.
    pub const ALL: [Cause; 15] = [
        Cause::BuffersBelow256B,
        Cause::BuffersBelow4Kib,
        Cause::BuffersBelow64Kib,
        Cause::LargerBuffers,
        Cause::CrossAdapterBuffers,
        Cause::MsaaTextures,
        Cause::SmallTextures,
        Cause::TexturesBelowTheirTiles,
        Cause::TextureLayout,
        Cause::CommittedGranularity,
        Cause::OrderInHeaps,
        Cause::OtherPadding,
        Cause::Holes,
        Cause::Tails,
        Cause::EmptyHeaps,
    ];

    /// Name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Cause::BuffersBelow256B => RoundingCause::BuffersBelow256B.name(),
            Cause::BuffersBelow4Kib => RoundingCause::BuffersBelow4Kib.name(),
            Cause::BuffersBelow64Kib => RoundingCause::BuffersBelow64Kib.name(),
            Cause::LargerBuffers => RoundingCause::LargerBuffers.name(),
            Cause::CrossAdapterBuffers => RoundingCause::CrossAdapterBuffers.name(),
            Cause::MsaaTextures => RoundingCause::MsaaTextures.name(),
            Cause::SmallTextures => RoundingCause::SmallTextures.name(),
            Cause::TexturesBelowTheirTiles => RoundingCause::TexturesBelowTheirTiles.name(),
            Cause::TextureLayout => RoundingCause::TextureLayout.name(),
            Cause::CommittedGranularity => "committed_granularity",
            Cause::OrderInHeaps => "order_in_heaps",
            Cause::OtherPadding => "other_padding",
            Cause::Holes => "holes",
            Cause::Tails => "tails",
            Cause::EmptyHeaps => "empty_heaps",
        }
    }

    /// What it is, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Cause::BuffersBelow256B => "buffers below 256 B, rounded up",
            Cause::BuffersBelow4Kib => "buffers below 4 KiB, rounded up",
            Cause::BuffersBelow64Kib => "buffers below 64 KiB, rounded up",
            Cause::LargerBuffers => "larger buffers, rounded up",
            Cause::CrossAdapterBuffers => "cross-adapter buffers, rounded up",
            Cause::MsaaTextures => "textures with several samples",
            Cause::SmallTextures => "small textures that did not ask for a small alignment",
            Cause::TexturesBelowTheirTiles => "textures smaller than the driver's tiles",
            Cause::TextureLayout => "layout of other textures' mips, slices and rows",
            Cause::CommittedGranularity => "pages of implicit heaps",
            Cause::OrderInHeaps => "padding by the order in heaps",
            Cause::OtherPadding => "padding in every order",
            Cause::Holes => "holes between resources",
            Cause::Tails => "tails of heaps",
            Cause::EmptyHeaps => "heaps with nothing in them",
        }
    }

    /// Why a resource's size is more than it asks for.
    pub(in crate::reports::alignment) fn of_rounding(resource: &Resource) -> Cause {
        let size_bytes = resource.allocation.map_or(0, |allocation| allocation.size_bytes);
        match RoundingCause::of(&resource.desc, resource.requested_bytes, size_bytes) {
            RoundingCause::BuffersBelow256B => Cause::BuffersBelow256B,
            RoundingCause::BuffersBelow4Kib => Cause::BuffersBelow4Kib,
            RoundingCause::BuffersBelow64Kib => Cause::BuffersBelow64Kib,
            RoundingCause::LargerBuffers => Cause::LargerBuffers,
            RoundingCause::CrossAdapterBuffers => Cause::CrossAdapterBuffers,
            RoundingCause::MsaaTextures => Cause::MsaaTextures,
            RoundingCause::SmallTextures => Cause::SmallTextures,
            RoundingCause::TexturesBelowTheirTiles => Cause::TexturesBelowTheirTiles,
            RoundingCause::TextureLayout => Cause::TextureLayout,
        }
    }
}

//! Causes of waste. Each wasted byte has exactly one cause.

use crate::memory::Resource;
use crate::render::counted;
use taut_schemas::RoundingCause;

/// Cause of wasted memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Rounding of buffers with a requested size below 256 bytes.
    BuffersBelow256B,
    /// Rounding of buffers with a requested size below 4 KiB.
    BuffersBelow4Kib,
    /// Rounding of buffers with a requested size below 64 KiB.
    BuffersBelow64Kib,
    LargerBuffers,
    /// Rounding of cross-adapter buffers.
    CrossAdapterBuffers,
    /// Rounding of multisampled textures.
    MsaaTextures,
    /// Rounding of small textures that requested neither a small nor a tight alignment.
    SmallTextures,
    /// Rounding of textures to at least twice their texel size.
    TexturesBelowTheirTiles,
    /// Rounding of other textures: mips, slices, rows.
    TextureLayout,
    /// Page granularity of implicit heaps.
    CommittedGranularity,
    /// Padding that a better order of the resources would avoid.
    OrderInHeaps,
    /// Padding that occurs in every order.
    OtherPadding,
    /// Gaps between resources that are not padding.
    Holes,
    /// Unused bytes after the last resource of a heap.
    Tails,
    /// Heaps without resources.
    EmptyHeaps,
}

impl Cause {
    /// All causes, indexed by discriminant: `Split::share` relies on it.
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

    /// Description for display.
    pub fn meaning(self) -> &'static str {
        match self {
            Cause::BuffersBelow256B => "buffers below 256 B, rounded up",
            Cause::BuffersBelow4Kib => "buffers of 256 B to 4 KiB, rounded up",
            Cause::BuffersBelow64Kib => "buffers of 4 KiB to 64 KiB, rounded up",
            Cause::LargerBuffers => "buffers of 64 KiB or more, rounded up",
            Cause::CrossAdapterBuffers => "cross-adapter buffers, rounded up",
            Cause::MsaaTextures => "multisampled textures, rounded up",
            Cause::SmallTextures => "small textures without a small alignment",
            Cause::TexturesBelowTheirTiles => "textures smaller than the driver's tiles",
            Cause::TextureLayout => "padding of mips, slices and rows in textures",
            Cause::CommittedGranularity => "implicit heaps, rounded up to pages",
            Cause::OrderInHeaps => "padding due to the order of resources in heaps",
            Cause::OtherPadding => "padding that no order avoids",
            Cause::Holes => "free gaps between resources",
            Cause::Tails => "unused tails of heaps",
            Cause::EmptyHeaps => "empty heaps",
        }
    }

    /// The cause with this name in JSON.
    pub fn named(name: &str) -> Option<Cause> {
        Cause::ALL.into_iter().find(|cause| cause.name() == name)
    }

    /// Formats a number of resources, gaps or heaps that waste memory by the cause: `6,292 buffers below 256 B`.
    pub fn counted(self, count: u64) -> String {
        let (noun, rest) = match self {
            Cause::BuffersBelow256B => ("buffer", " below 256 B"),
            Cause::BuffersBelow4Kib => ("buffer", " of 256 B to 4 KiB"),
            Cause::BuffersBelow64Kib => ("buffer", " of 4 KiB to 64 KiB"),
            Cause::LargerBuffers => ("buffer", " of 64 KiB or more"),
            Cause::CrossAdapterBuffers => ("cross-adapter buffer", ""),
            Cause::MsaaTextures => ("multisampled texture", ""),
            Cause::SmallTextures => ("small texture", " without a small alignment"),
            Cause::TexturesBelowTheirTiles => ("texture", " below the size of the driver's tiles"),
            Cause::TextureLayout => ("texture", " with padded mips, slices or rows"),
            Cause::CommittedGranularity => ("implicit heap", " rounded up to pages"),
            Cause::OrderInHeaps => ("padding gap", " due to the order of resources in heaps"),
            Cause::OtherPadding => ("padding gap", " before aligned resources"),
            Cause::Holes => ("free gap", " between resources"),
            Cause::Tails => ("unused tail", " of heaps"),
            Cause::EmptyHeaps => ("empty heap", ""),
        };
        format!("{}{rest}", counted(count, noun))
    }

    /// True for a cause of rounding.
    pub fn is_rounding(self) -> bool {
        self < Cause::CommittedGranularity
    }

    /// Cause of the rounding of a resource.
    pub(in crate::reports::alignment) fn of_rounding(resource: &Resource) -> Cause {
        let size_bytes = resource.allocation.map_or(0, |allocation| allocation.size_bytes);
        match RoundingCause::new(&resource.desc, resource.requested_bytes, size_bytes) {
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

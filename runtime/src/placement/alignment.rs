//! Alignments of resources: requested, default, and allowed.

use super::shape::Shape;
use super::{KIB_4, KIB_64, MIB_4, TIGHT_MAX_BUFFER, TIGHT_MIN_COMMITTED, TIGHT_MIN_PLACED};
use taut_schemas::{Dimension, ResourceDesc, ResourceFlags, TextureLayout};

/// Resource classes: the rows of the documents' alignment tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceClass {
    /// A buffer.
    Buffer,
    /// A texture with one sample per texel.
    Texture,
    /// A texture with several samples per texel.
    Msaa,
}

impl ResourceClass {
    /// Returns the class of a resource.
    pub fn new(shape: &Shape) -> ResourceClass {
        match shape.dimension {
            Dimension::BUFFER => ResourceClass::Buffer,
            _ if shape.is_msaa() => ResourceClass::Msaa,
            _ => ResourceClass::Texture,
        }
    }

    /// Returns the classic default alignment (rule A-01): 64 KiB, and 4 MiB for MSAA.
    pub const fn default_alignment(self) -> u64 {
        match self {
            ResourceClass::Buffer | ResourceClass::Texture => KIB_64,
            ResourceClass::Msaa => MIB_4,
        }
    }

    /// Returns the classic alignment that a small resource may request (rule A-01).
    pub const fn small_alignment(self) -> u64 {
        match self {
            ResourceClass::Buffer | ResourceClass::Msaa => KIB_64,
            ResourceClass::Texture => KIB_4,
        }
    }

    /// Returns the class in words.
    pub const fn name(self) -> &'static str {
        match self {
            ResourceClass::Buffer => "buffer",
            ResourceClass::Texture => "texture",
            ResourceClass::Msaa => "MSAA texture",
        }
    }
}

/// Inclusive range of alignments, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AlignmentRange {
    pub min: u64,
    pub max: u64,
}

impl AlignmentRange {
    /// Creates a range of one alignment.
    pub const fn exactly(alignment: u64) -> AlignmentRange {
        AlignmentRange { min: alignment, max: alignment }
    }

    /// True if the range contains an alignment.
    pub const fn contains(self, alignment: u64) -> bool {
        self.min <= alignment && alignment <= self.max
    }
}

/// Returns the default alignment without the tight flag. A 64 KiB swizzle layout has 64 KiB, MSAA or not.
pub fn default_alignment(shape: &Shape) -> u64 {
    match shape.layout {
        TextureLayout::_64KB_UNDEFINED_SWIZZLE | TextureLayout::_64KB_STANDARD_SWIZZLE => KIB_64,
        _ => ResourceClass::new(shape).default_alignment(),
    }
}

/// Returns the alignments besides 0 that a resource may request without the tight flag (rule A-01): its default, and
/// the smaller one if it is small, or MSAA on a driver with MSAA64KBAlignedTextureSupported.
pub fn requested_alignments(shape: &Shape, small: bool, msaa_64kb_aligned: bool) -> [u64; 2] {
    let class = ResourceClass::new(shape);
    let default = default_alignment(shape);
    let smaller = small || (class == ResourceClass::Msaa && msaa_64kb_aligned);
    [default, if smaller { class.small_alignment() } else { default }]
}

/// Returns the range of valid driver answers with the tight flag (rule A-11), large pages aside.
pub const fn tight_range(class: ResourceClass, small: bool, committed: bool) -> AlignmentRange {
    let min = if committed { TIGHT_MIN_COMMITTED } else { TIGHT_MIN_PLACED };
    let max = match class {
        ResourceClass::Buffer if committed => TIGHT_MIN_COMMITTED,
        ResourceClass::Buffer => TIGHT_MAX_BUFFER,
        _ if small => class.small_alignment(),
        _ => class.default_alignment(),
    };
    AlignmentRange { min, max }
}

/// Returns the alignment in bytes that `Alignment` 0 of a description selects before any driver query: the minimum of
/// tight alignment if the resource has tight alignment, or else the default. Returns a nonzero `Alignment` unchanged.
pub fn expanded_alignment(desc: &ResourceDesc, tight_supported: bool, committed: bool) -> u64 {
    if desc.alignment_bytes != 0 {
        return desc.alignment_bytes;
    }
    let shape = Shape::from(desc);
    let swizzled =
        matches!(desc.layout, TextureLayout::_64KB_UNDEFINED_SWIZZLE | TextureLayout::_64KB_STANDARD_SWIZZLE);
    let tight = desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT)
        && !desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER)
        && tight_supported
        && !swizzled;
    match (tight, committed) {
        (true, true) => TIGHT_MIN_COMMITTED,
        (true, false) => TIGHT_MIN_PLACED,
        (false, _) => default_alignment(&shape),
    }
}

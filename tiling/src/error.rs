//! Errors in the arguments of an address or a copy.

use core::fmt;

use crate::Kernel;

/// Invalid argument, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TilingError {
    /// No layout has this name; the names are in [`LAYOUTS`](crate::LAYOUTS).
    UnknownLayout,
    /// No [`WriteOrder`](crate::WriteOrder) has this name.
    UnknownOrder,
    /// The pitch of the tiled surface is zero or not a multiple of the tile's width.
    PitchNotTileMultiple {
        /// Given pitch in bytes.
        pitch_bytes: u64,
        /// Width of a tile in bytes, of which the pitch must be a multiple.
        tile_width_bytes: u64,
    },
    /// The pitch of the linear side is smaller than one row of the rectangle, so rows would overlap.
    LinearPitchTooSmall {
        /// Given pitch in bytes.
        linear_pitch_bytes: u64,
        /// Width of a row in bytes.
        width_bytes: u64,
    },
    /// An extent that must be at least one is zero.
    ZeroSize {
        /// Name of the argument.
        argument: &'static str,
    },
    /// A coordinate, or the end of a rectangle, is outside the surface.
    Outside {
        /// Name of the argument.
        argument: &'static str,
        /// Given coordinate, or end of the rectangle.
        found: u64,
        /// End of the surface.
        limit: u64,
    },
    /// A slice of memory is shorter than the arguments require.
    BufferTooShort {
        /// Name of the argument.
        argument: &'static str,
        /// Required size in bytes.
        needed_bytes: u64,
        /// Size of the slice in bytes.
        found_bytes: u64,
    },
    /// A sum or product overflows the address type.
    Overflow {
        /// Name of the argument, or of the quantity computed from it.
        argument: &'static str,
    },
    /// This processor, or this build, does not support the requested kernel.
    KernelUnavailable { kernel: Kernel },
}

impl fmt::Display for TilingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLayout => write!(f, "layout: no such name"),
            Self::UnknownOrder => write!(f, "order: no such name"),
            Self::PitchNotTileMultiple { pitch_bytes, tile_width_bytes } => {
                write!(f, "pitch_bytes: {pitch_bytes} is not a positive multiple of the tile width, {tile_width_bytes}")
            }
            Self::LinearPitchTooSmall { linear_pitch_bytes, width_bytes } => {
                write!(f, "linear_pitch_bytes: {linear_pitch_bytes} is less than a row of {width_bytes} bytes")
            }
            Self::ZeroSize { argument } => write!(f, "{argument}: must not be zero"),
            Self::Outside { argument, found, limit } => {
                write!(f, "{argument}: reaches {found}, the surface ends at {limit}")
            }
            Self::BufferTooShort { argument, needed_bytes, found_bytes } => {
                write!(f, "{argument}: {needed_bytes} bytes needed, {found_bytes} found")
            }
            Self::Overflow { argument } => write!(f, "{argument}: too large, the address overflows"),
            Self::KernelUnavailable { kernel } => write!(f, "kernel: {kernel} is not available on this machine"),
        }
    }
}

impl core::error::Error for TilingError {}

//! What can be wrong with the arguments of an address or a copy.

use core::fmt;

use crate::Kernel;

/// Which argument was refused, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TilingError {
    /// No layout has this name; the names are in [`LAYOUTS`](crate::LAYOUTS).
    UnknownLayout,
    /// No [`WriteOrder`](crate::WriteOrder) has this name.
    UnknownOrder,
    /// The pitch of the tiled surface is zero or not a multiple of the tile's width.
    PitchNotTileMultiple {
        /// The pitch given, in bytes.
        pitch_bytes: u64,
        /// What it must be a multiple of.
        tile_width_bytes: u64,
    },
    /// The pitch of the linear side is smaller than one row of the rectangle, so rows would overlap.
    LinearPitchTooSmall {
        /// The pitch given, in bytes.
        linear_pitch_bytes: u64,
        /// The width of a row, in bytes.
        width_bytes: u64,
    },
    /// An extent that must be at least one is zero.
    ZeroSize {
        /// The name of the argument.
        argument: &'static str,
    },
    /// A coordinate, or the end of a rectangle, lies outside the surface.
    Outside {
        /// The name of the argument.
        argument: &'static str,
        /// The coordinate given, or where the rectangle would end.
        found: u64,
        /// Where the surface ends.
        limit: u64,
    },
    /// A slice of memory does not hold what the arguments describe.
    BufferTooShort {
        /// The name of the argument.
        argument: &'static str,
        /// Bytes described by the other arguments.
        needed_bytes: u64,
        /// Bytes there are.
        found_bytes: u64,
    },
    /// A sum or product does not fit the address type.
    Overflow {
        /// The name of the argument, or of the quantity computed from it.
        argument: &'static str,
    },
    /// This machine, or this build, lacks the kernel asked for.
    KernelUnavailable {
        /// The kernel asked for.
        kernel: Kernel,
    },
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

//! Positions in a surface.

use crate::TilingError;

/// Position of a byte: x in bytes, y in rows, z in slices.
///
/// For block-compressed formats, a row is a row of blocks, and x counts the bytes of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// Bytes from the left edge.
    pub x_bytes: u64,
    /// Rows (of blocks, for block-compressed formats) from the top.
    pub y: u64,
    /// Slices from the front, or the sample of a multisampled surface; 0 in two dimensions with one sample.
    pub z: u64,
}

impl Position {
    /// Returns the position of the first byte of texel (or block) `x` of row `y`, slice `z`, with `unit_bytes` each.
    ///
    /// ```
    /// use taut_tiling::Position;
    /// assert_eq!(Position::from_texel(3, 7, 0, 4)?, Position { x_bytes: 12, y: 7, z: 0 });
    /// # Ok::<(), taut_tiling::TilingError>(())
    /// ```
    ///
    /// # Errors
    /// [`TilingError::ZeroSize`] for a texel of no bytes, [`TilingError::Overflow`] when x in bytes overflows.
    pub const fn from_texel(x: u64, y: u64, z: u64, unit_bytes: u64) -> Result<Self, TilingError> {
        if unit_bytes == 0 {
            return Err(TilingError::ZeroSize { argument: "unit_bytes" });
        }
        match x.checked_mul(unit_bytes) {
            Some(x_bytes) => Ok(Self { x_bytes, y, z }),
            None => Err(TilingError::Overflow { argument: "x" }),
        }
    }
}

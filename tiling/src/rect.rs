//! Rectangles to copy.

use crate::{Surface, TilingError};

/// Rectangle of one slice: x and width in bytes, y and height in rows.
///
/// No alignment is required. In three dimensions, a box is copied slice by slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Bytes from the surface's left edge.
    pub x_bytes: u64,
    /// Rows (of blocks, for block-compressed formats) from the surface's top.
    pub y: u64,
    /// Slice; 0 in two dimensions.
    pub z: u64,
    /// Width in bytes.
    pub width_bytes: u64,
    /// Height in rows (of blocks).
    pub rows: u64,
}

impl Rect {
    /// Creates a rectangle at the origin, `width_bytes` by `rows`.
    pub const fn from_origin(width_bytes: u64, rows: u64) -> Self {
        Self { x_bytes: 0, y: 0, z: 0, width_bytes, rows }
    }

    /// Checks that the rectangle is not empty and wholly inside `surface`.
    pub(crate) fn check_inside(&self, surface: &Surface) -> Result<(), TilingError> {
        if self.width_bytes == 0 {
            return Err(TilingError::ZeroSize { argument: "width_bytes" });
        }
        if self.rows == 0 {
            return Err(TilingError::ZeroSize { argument: "rows" });
        }
        within("x_bytes", self.x_bytes, self.width_bytes, surface.pitch_bytes())?;
        within("y", self.y, self.rows, surface.rows())?;
        within("z", self.z, 1, surface.slices())
    }
}

fn within(argument: &'static str, start: u64, extent: u64, limit: u64) -> Result<(), TilingError> {
    let end = start.checked_add(extent).ok_or(TilingError::Overflow { argument })?;
    if end > limit {
        return Err(TilingError::Outside { argument, found: end, limit });
    }
    Ok(())
}

//! Tiled surface: a layout with extents.

use crate::address::{tile_rows_per_layer, tiles_per_row};
use crate::{Layout, Position, TilingError};

/// Tiled image (one mip level of one array slice) that starts at offset 0 of its memory.
///
/// ```
/// use taut_tiling::{Layout, Position, Surface};
/// // 100 x 40 texels of 4 bytes: the pitch is rounded up to whole tiles.
/// let surface = Surface::fitting(Layout::TileY, 100 * 4, 40)?;
/// assert_eq!((surface.pitch_bytes(), surface.size_bytes()), (512, 8 * 4096));
/// let at = Position::from_texel(99, 39, 0, 4)?;
/// assert_eq!(surface.position(surface.offset_bytes(at)?)?, at);
/// # Ok::<(), taut_tiling::TilingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Surface {
    layout: Layout,
    pitch_bytes: u64,
    rows: u64,
    slices: u64,
    size_bytes: u64,
}

impl Surface {
    /// Creates a surface of `rows` rows (of blocks, for block-compressed formats) with the pitch `pitch_bytes`.
    ///
    /// # Errors
    /// [`TilingError::PitchNotTileMultiple`], [`TilingError::ZeroSize`] for no rows, [`TilingError::Overflow`] if its
    /// size exceeds 64 bits.
    pub fn new(layout: Layout, pitch_bytes: u64, rows: u64) -> Result<Self, TilingError> {
        Self::with_slices(layout, pitch_bytes, rows, 1)
    }

    /// Creates a surface of `rows` rows with the minimum pitch for `width_bytes`.
    ///
    /// # Errors
    /// [`TilingError::ZeroSize`] for no width or no rows, [`TilingError::Overflow`] if its size exceeds 64 bits.
    pub fn fitting(layout: Layout, width_bytes: u64, rows: u64) -> Result<Self, TilingError> {
        if width_bytes == 0 {
            return Err(TilingError::ZeroSize { argument: "width_bytes" });
        }
        let pitch_bytes = width_bytes
            .checked_next_multiple_of(layout.rule().tile_width_bytes())
            .ok_or(TilingError::Overflow { argument: "width_bytes" })?;
        Self::new(layout, pitch_bytes, rows)
    }

    /// Creates a surface of `slices` slices (or samples) of `rows` rows each; more than one requires a layout of three
    /// dimensions (or of samples).
    ///
    /// # Errors
    /// As [`Surface::new`], and [`TilingError::Outside`] for several slices in a layout of two dimensions.
    pub fn with_slices(layout: Layout, pitch_bytes: u64, rows: u64, slices: u64) -> Result<Self, TilingError> {
        let rule = layout.rule();
        let tiles_per_row = tiles_per_row(rule, pitch_bytes)?;
        let tile_rows = tile_rows_per_layer(rule, rows)?;
        if slices == 0 {
            return Err(TilingError::ZeroSize { argument: "slices" });
        }
        if slices > 1 && !rule.is_3d() {
            return Err(TilingError::Outside { argument: "slices", found: slices, limit: 1 });
        }
        let size_bytes = tiles_per_row
            .checked_mul(tile_rows)
            .and_then(|tiles| tiles.checked_mul(((slices - 1) >> rule.z_bits()) + 1))
            .and_then(|tiles| tiles.checked_mul(rule.tile_bytes()))
            .ok_or(TilingError::Overflow { argument: "size_bytes" })?;
        Ok(Self { layout, pitch_bytes, rows, slices, size_bytes })
    }

    /// Returns the layout.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns the pitch in bytes, a multiple of the tile's width.
    pub const fn pitch_bytes(&self) -> u64 {
        self.pitch_bytes
    }

    /// Returns the rows of a slice, as given; memory consists of whole tiles.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the slices, as given; memory consists of whole tiles.
    pub const fn slices(&self) -> u64 {
        self.slices
    }

    /// Returns the size in bytes, in whole tiles.
    pub const fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Returns the offset of the byte at `at`. See [`Layout::offset_bytes`] for the rule.
    ///
    /// # Errors
    /// [`TilingError::Outside`] if `at` is not in the surface.
    pub fn offset_bytes(&self, at: Position) -> Result<u64, TilingError> {
        if at.z >= self.slices {
            return Err(TilingError::Outside { argument: "z", found: at.z, limit: self.slices });
        }
        self.layout.offset_bytes(at, self.pitch_bytes, Some(self.rows))
    }

    /// Returns the position of the byte at `offset_bytes`: the inverse of [`offset_bytes`](Surface::offset_bytes).
    ///
    /// A padding byte of a tile has a y of at least [`rows`](Surface::rows), or a z of at least
    /// [`slices`](Surface::slices).
    ///
    /// # Errors
    /// [`TilingError::Outside`] if the offset is not below [`size_bytes`](Surface::size_bytes).
    pub fn position(&self, offset_bytes: u64) -> Result<Position, TilingError> {
        if offset_bytes >= self.size_bytes {
            return Err(TilingError::Outside { argument: "offset_bytes", found: offset_bytes, limit: self.size_bytes });
        }
        self.layout.position(offset_bytes, self.pitch_bytes, Some(self.rows))
    }
}

//! Validated copy in machine words.

use crate::address::tile_rows_per_layer;
use crate::bits::deposit;
use crate::kernels::bands::{Bands, Place};
use crate::kernels::lines::{BAND_ROWS, FourRowLines, GROUP_BYTES};
use crate::{Rect, Rule, Surface, TilingError};

/// Bytes `x..x_end` of rows `y..y_end` of the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub x: usize,
    pub x_end: usize,
    pub y: usize,
    pub y_end: usize,
}

impl Area {
    fn is_empty(&self) -> bool {
        self.x == self.x_end || self.y == self.y_end
    }

    /// Returns the part that consists of whole groups and whole bands; it may be empty.
    fn inside(&self) -> Area {
        let Area { x, x_end, y, y_end } = *self;
        let (x, y) = (x.next_multiple_of(GROUP_BYTES).min(x_end), y.next_multiple_of(BAND_ROWS).min(y_end));
        Area { x, x_end: x.max(x_end - x_end % GROUP_BYTES), y, y_end: y.max(y_end - y_end % BAND_ROWS) }
    }
}

/// Precomputed values of a copy with validated arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub rule: &'static Rule,
    /// Geometry of four-row lines, in layouts that have them.
    pub lines: Option<&'static FourRowLines>,
    /// Rectangle in the surface.
    pub area: Area,
    /// Part of the rectangle that consists of whole groups and whole bands; it may be empty.
    pub inside: Area,
    /// Bands of that part, if the layout has four-row lines and the part is not empty.
    pub bands: Option<Bands>,
    /// Offset of the slice's first tile row, without the bits of z inside a tile.
    pub layer: usize,
    /// The bits of z inside a tile.
    pub z_bits: usize,
    /// Bytes of a row of tiles.
    pub tile_row_bytes: usize,
    pub linear_pitch_bytes: usize,
    /// Required size of the linear side in bytes.
    pub linear_bytes: usize,
    /// Required size of the tiled side in bytes.
    pub tiled_bytes: usize,
}

impl Plan {
    pub fn new(surface: &Surface, rect: Rect, linear_pitch_bytes: u64) -> Result<Self, TilingError> {
        rect.check_inside(surface)?;
        if rect.rows > 1 && linear_pitch_bytes < rect.width_bytes {
            return Err(TilingError::LinearPitchTooSmall { linear_pitch_bytes, width_bytes: rect.width_bytes });
        }
        let linear_bytes = linear_pitch_bytes
            .checked_mul(rect.rows - 1)
            .and_then(|start| start.checked_add(rect.width_bytes))
            .ok_or(TilingError::Overflow { argument: "linear_pitch_bytes" })?;
        // The pitch of a single row is not used.
        let pitch_used = if rect.rows > 1 { linear_pitch_bytes } else { rect.width_bytes };
        let rule = surface.layout().rule();
        // Neither product exceeds the size of the surface, which is known to fit.
        let tile_row_bytes = surface.pitch_bytes() * rule.tile_rows() * rule.tile_slices();
        let layer = (rect.z >> rule.z_bits()) * tile_rows_per_layer(rule, surface.rows())? * tile_row_bytes;
        let area = Area {
            x: word(rect.x_bytes, "x_bytes")?,
            x_end: word(rect.x_bytes + rect.width_bytes, "width_bytes")?,
            y: word(rect.y, "y")?,
            y_end: word(rect.y + rect.rows, "rows")?,
        };
        let lines = FourRowLines::new(surface.layout());
        let plan = Self {
            rule,
            lines,
            area,
            inside: area.inside(),
            bands: None,
            layer: word(layer, "z")?,
            z_bits: word(deposit(rect.z, rule.z_mask), "z")?,
            tile_row_bytes: word(tile_row_bytes, "size_bytes")?,
            linear_pitch_bytes: word(pitch_used, "linear_pitch_bytes")?,
            linear_bytes: word(linear_bytes, "linear_pitch_bytes")?,
            tiled_bytes: word(surface.size_bytes(), "size_bytes")?,
        };
        let bands = lines.filter(|_| !plan.inside.is_empty()).map(|lines| Bands::new(lines, &plan.place()));
        Ok(Self { bands, ..plan })
    }

    /// Returns the position of the inside, which is not empty.
    fn place(&self) -> Place {
        let Area { x, x_end, y, y_end } = self.inside;
        Place {
            x,
            x_end,
            band: (y & (self.rule.tile_rows() as usize - 1)) / BAND_ROWS,
            bands: (y_end - y) / BAND_ROWS,
            linear: self.linear(x, y),
            linear_pitch_bytes: self.linear_pitch_bytes,
            tile_row: self.tile_row(y),
            z_bits: self.z_bits,
            tile_row_bytes: self.tile_row_bytes,
            tile_bytes: self.rule.tile_bytes() as usize,
        }
    }

    /// Returns the number of bytes that the copy moves.
    pub fn moved_bytes(&self) -> usize {
        (self.area.x_end - self.area.x) * (self.area.y_end - self.area.y)
    }

    /// Returns an offset whose bits inside the tile are the bits of the coordinates, with bit 6 toggled if the layout
    /// does so.
    #[inline(always)]
    pub fn swizzled(&self, offset: usize) -> usize {
        if self.rule.bit6_toggles == 0 { offset } else { self.rule.toggle_bit6(offset as u64) as usize }
    }

    /// True if slice `z` of a tile is the copied one.
    pub fn is_slice(&self, z: u64) -> bool {
        deposit(z, self.rule.z_mask) == self.z_bits as u64
    }

    /// Returns the offset of the tile row of row `y`.
    #[inline(always)]
    pub fn tile_row(&self, y: usize) -> usize {
        self.layer + (y >> self.rule.y_bits()) * self.tile_row_bytes
    }

    /// Returns the offset on the linear side of the byte at `x`, `y` of the surface.
    #[inline(always)]
    pub fn linear(&self, x: usize, y: usize) -> usize {
        (y - self.area.y) * self.linear_pitch_bytes + (x - self.area.x)
    }
}

/// Converts to a machine word. No slice is longer than `isize::MAX`, so larger values are invalid.
fn word(value: u64, argument: &'static str) -> Result<usize, TilingError> {
    isize::try_from(value).map(isize::unsigned_abs).map_err(|_| TilingError::Overflow { argument })
}

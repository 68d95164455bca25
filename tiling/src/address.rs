//! Conversion between positions and offsets.

use crate::{Layout, Position, Rule, TilingError};

impl Layout {
    /// Returns the offset in bytes, from the start of the surface, of the byte at `at`.
    ///
    /// `pitch_bytes` is the distance between rows of the whole surface, a multiple of the tile's width. `slice_rows` is
    /// the number of rows of a slice; it is used only in three dimensions, from the second layer of tiles on, and may
    /// be `None` otherwise. Each layer consists of whole tiles. The caller adds the surface's own start (mip level,
    /// array slice). y and z have no other limits; [`Surface`](crate::Surface) checks against real extents.
    ///
    /// Rules T-01, T-02, T-03: [`Rule::pattern`] and [`Rule::bit6_toggles`], sources in [`Rule::source`].
    ///
    /// ```
    /// use taut_tiling::{Layout, Position};
    /// // Column 1 of a Y-tile starts at 512, and its first two lines are exchanged.
    /// let at = Position { x_bytes: 16, y: 4, z: 0 };
    /// assert_eq!(Layout::TileYNoCsx.offset_bytes(at, 128, None)?, 576);
    /// assert_eq!(Layout::TileY.offset_bytes(at, 128, None)?, 512);
    /// # Ok::<(), taut_tiling::TilingError>(())
    /// ```
    ///
    /// # Errors
    /// - [`TilingError::PitchNotTileMultiple`] for a pitch that is zero or not a multiple of the tile's width,
    /// - [`TilingError::Outside`] for x beyond the pitch, y beyond `slice_rows` where given, or z beyond the first
    ///   layer of tiles without `slice_rows` (in two dimensions: any z but 0),
    /// - [`TilingError::ZeroSize`] for `slice_rows` of zero, [`TilingError::Overflow`] for an offset beyond 64 bits.
    pub fn offset_bytes(self, at: Position, pitch_bytes: u64, slice_rows: Option<u64>) -> Result<u64, TilingError> {
        let rule = self.rule();
        let tiles_per_row = tiles_per_row(rule, pitch_bytes)?;
        if at.x_bytes >= pitch_bytes {
            return Err(TilingError::Outside { argument: "x_bytes", found: at.x_bytes, limit: pitch_bytes });
        }
        let tile_x = at.x_bytes >> rule.x_bits();
        let tile_y = at.y >> rule.y_bits();
        let tile_z = at.z >> rule.z_bits();
        let mut tile_rows_above = tile_y;
        match slice_rows {
            Some(rows) => {
                let per_layer = tile_rows_per_layer(rule, rows)?;
                if at.y >= rows {
                    return Err(TilingError::Outside { argument: "y", found: at.y, limit: rows });
                }
                if !rule.is_3d() && at.z > 0 {
                    return Err(TilingError::Outside { argument: "z", found: at.z, limit: 1 });
                }
                tile_rows_above = tile_z
                    .checked_mul(per_layer)
                    .and_then(|above| above.checked_add(tile_y))
                    .ok_or(TilingError::Overflow { argument: "z" })?;
            }
            None if tile_z > 0 => {
                return Err(TilingError::Outside { argument: "z", found: at.z, limit: rule.tile_slices() });
            }
            None => {}
        }
        tile_rows_above
            .checked_mul(tiles_per_row)
            .and_then(|tiles| tiles.checked_add(tile_x))
            .and_then(|tile| tile.checked_mul(rule.tile_bytes()))
            .map(|start| start | rule.encode_in_tile(at.x_bytes, at.y, at.z))
            .ok_or(TilingError::Overflow { argument: "y" })
    }

    /// Returns the position of the byte at `offset_bytes` from the start of the surface: the inverse of
    /// [`offset_bytes`](Layout::offset_bytes), with the same `pitch_bytes` and `slice_rows`.
    ///
    /// Without `slice_rows`, a surface has one layer of tiles. With it, padding rows in the last tiles of a layer are
    /// included: their y is at least `slice_rows`.
    ///
    /// ```
    /// use taut_tiling::{Layout, Position};
    /// assert_eq!(Layout::TileY.position(512, 128, None)?, Position { x_bytes: 16, y: 4, z: 0 });
    /// # Ok::<(), taut_tiling::TilingError>(())
    /// ```
    ///
    /// # Errors
    /// - [`TilingError::PitchNotTileMultiple`] and [`TilingError::ZeroSize`] as for `offset_bytes`,
    /// - [`TilingError::Outside`] in two dimensions for an offset beyond the tiles of `slice_rows`.
    pub fn position(
        self,
        offset_bytes: u64,
        pitch_bytes: u64,
        slice_rows: Option<u64>,
    ) -> Result<Position, TilingError> {
        let rule = self.rule();
        let tiles_per_row = tiles_per_row(rule, pitch_bytes)?;
        let tile = offset_bytes / rule.tile_bytes();
        let (x_in_tile, y_in_tile, z_in_tile) = rule.decode_in_tile(offset_bytes % rule.tile_bytes());
        let (tile_x, tile_row) = (tile % tiles_per_row, tile / tiles_per_row);
        let (tile_y, tile_z) = match slice_rows {
            Some(rows) => {
                let per_layer = tile_rows_per_layer(rule, rows)?;
                if !rule.is_3d() && tile_row >= per_layer {
                    let limit = per_layer.saturating_mul(tiles_per_row).saturating_mul(rule.tile_bytes());
                    return Err(TilingError::Outside { argument: "offset_bytes", found: offset_bytes, limit });
                }
                (tile_row % per_layer, tile_row / per_layer)
            }
            None => (tile_row, 0),
        };
        // No overflow: a tile's extents are at most its bytes, so no coordinate exceeds the offset.
        Ok(Position {
            x_bytes: tile_x * rule.tile_width_bytes() + x_in_tile,
            y: tile_y * rule.tile_rows() + y_in_tile,
            z: tile_z * rule.tile_slices() + z_in_tile,
        })
    }
}

pub(crate) fn tiles_per_row(rule: &Rule, pitch_bytes: u64) -> Result<u64, TilingError> {
    let tile_width_bytes = rule.tile_width_bytes();
    if pitch_bytes == 0 || pitch_bytes & (tile_width_bytes - 1) != 0 {
        return Err(TilingError::PitchNotTileMultiple { pitch_bytes, tile_width_bytes });
    }
    Ok(pitch_bytes >> rule.x_bits())
}

pub(crate) fn tile_rows_per_layer(rule: &Rule, rows: u64) -> Result<u64, TilingError> {
    if rows == 0 {
        return Err(TilingError::ZeroSize { argument: "rows" });
    }
    Ok(((rows - 1) >> rule.y_bits()) + 1)
}

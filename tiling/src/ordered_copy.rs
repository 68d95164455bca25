//! Copies in the write orders of programs, and their stores.

use crate::kernels::orders;
use crate::{Store, TileCopy, TilingError, WriteOrder};

impl TileCopy {
    /// Copies from linear memory into the tiled surface in this order, with stores of `store_width_bytes` except at the
    /// rectangle's edges.
    ///
    /// # Errors
    /// [`TilingError::BufferTooShort`], and [`TilingError::Outside`] for a width that the order does not have; nothing
    /// is copied then.
    pub fn write_in_order(
        &self,
        order: WriteOrder,
        store_width_bytes: usize,
        linear: &[u8],
        tiled: &mut [u8],
    ) -> Result<(), TilingError> {
        order.check_width(store_width_bytes)?;
        self.check_lengths(linear.len(), tiled.len())?;
        orders::copy(self.plan(), order, store_width_bytes, linear, tiled);
        Ok(())
    }

    /// Calls `store` for every store that [`write_in_order`](TileCopy::write_in_order) makes, in order, from the same
    /// loops but without memory.
    ///
    /// ```
    /// use taut_tiling::{Layout, Rect, Surface, TileCopy, WriteOrder};
    /// let surface = Surface::new(Layout::TileY, 128, 32)?;
    /// let mut stores = Vec::new();
    /// TileCopy::new(&surface, Rect::from_origin(128, 32), 128)?
    ///     .observe_order(WriteOrder::LinearRows, 16, |offset_bytes, width_bytes| stores.push((offset_bytes, width_bytes)))?;
    /// assert_eq!(stores[..3], [(0, 16), (576, 16), (1024, 16)]);
    /// # Ok::<(), taut_tiling::TilingError>(())
    /// ```
    ///
    /// # Errors
    /// [`TilingError::Outside`] for a width that the order does not have.
    pub fn observe_order(
        &self,
        order: WriteOrder,
        store_width_bytes: usize,
        store: impl Store,
    ) -> Result<(), TilingError> {
        order.check_width(store_width_bytes)?;
        orders::observe(self.plan(), order, store_width_bytes, store);
        Ok(())
    }
}

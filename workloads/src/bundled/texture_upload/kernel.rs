//! Copy kernels of the modes, observed while they run.

use super::surface::{Mapped, MappedLayout};
use taut_tiling::{Kernel, Store, TileCopy, TilingError, WriteOrder};

/// Modes: write orders, and `whole` for the library's best kernel.
pub(super) const MODES: &[&str] =
    &["linear-rows", "linear-columns", "tile-order", "optimized", "rows-2x32", "rows-4x32", "rows-4x64", "whole"];

/// Calls `store` for every store of `mode` into the mapped rectangle. `store_bytes` is used where the mode allows a
/// choice. The stores of "whole" depend on the machine.
pub(super) fn write(mapped: &Mapped, mode: &str, store_bytes: usize, store: impl Store) -> Result<(), TilingError> {
    match &mapped.memory {
        MappedLayout::Tiled(copy) => match mode.parse::<WriteOrder>() {
            Ok(order) => copy.observe_order(order, width(order, store_bytes), store),
            Err(_) => {
                copy.observe_to_tiled(Kernel::best(), store);
                Ok(())
            }
        },
        MappedLayout::Linear { .. } => {
            rows(mapped, store);
            Ok(())
        }
    }
}

/// Calls `load` for every load of a program that reads the rectangle row by row, 16 bytes at a time.
pub(super) fn read(mapped: &Mapped, load: impl Store) -> Result<(), TilingError> {
    match &mapped.memory {
        MappedLayout::Tiled(copy) => row_by_row(copy, load),
        MappedLayout::Linear { .. } => {
            rows(mapped, load);
            Ok(())
        }
    }
}

fn row_by_row(copy: &TileCopy, load: impl Store) -> Result<(), TilingError> {
    copy.observe_order(WriteOrder::LinearRows, 16, load)
}

fn width(order: WriteOrder, wanted: usize) -> usize {
    let widths = order.store_widths_bytes();
    // A mode that does not support the requested width uses its first one.
    widths.iter().copied().find(|width| *width == wanted).unwrap_or(widths[0])
}

/// Calls `store` for each store into an ordinary staging texture, which is filled row by row in any mode.
fn rows(mapped: &Mapped, mut store: impl Store) {
    let MappedLayout::Linear { pitch_bytes } = mapped.memory else { return };
    let rect = &mapped.rect;
    for y in rect.y..rect.y + rect.rows {
        let (mut at, mut left) = ((y * pitch_bytes + rect.x_bytes) as usize, rect.width_bytes as usize);
        while left > 0 {
            let count = left.min(16);
            store.stored(at, count);
            (at, left) = (at + count, left - count);
        }
    }
}

//! Drawing of one tile with the first stores of the recorded write order and of the best one.

use super::{OrderFigures, SurfaceFigures};
use serde_json::{Value, json};
use taut_tiling::{Layout, Rect, Store, Surface, TileCopy, WriteCombiner, WriteOrder};

/// Number of stores that the drawing numbers.
const DRAWN_STORES: usize = 48;
/// Width of a cell of the drawing: bytes of a row that are contiguous in every layout that Map can report.
const CELL_BYTES: u64 = 16;
/// Size of a write-combining buffer.
const LINE_BYTES: u64 = 64;
/// Maximum number of cells of the drawing; larger tiles are not drawn.
const MAX_CELLS: u64 = 1024;

/// Drawing of a tile of the surface; null if its write order is not recognised, or its tiles are too large.
pub(super) fn tile(surface: &SurfaceFigures) -> Value {
    drawing(surface).unwrap_or_default()
}

fn drawing(surface: &SurfaceFigures) -> Option<Value> {
    let layout: Layout = surface.layout.parse().ok()?;
    let (width_bytes, rows) = (layout.rule().tile_width_bytes(), layout.rule().tile_rows());
    let columns = width_bytes / CELL_BYTES;
    if columns * rows > MAX_CELLS || !width_bytes.is_multiple_of(CELL_BYTES) {
        return None;
    }
    let tile = Surface::new(layout, width_bytes, rows).ok()?;
    let recorded = surface.store_bytes.map(|bytes| (surface.order.as_str(), bytes))?;
    let best = surface.orders.iter().min_by_key(|other| (other.transactions, other.order != "tile-order"));
    let is_better = |best: &&OrderFigures| best.transactions < surface.transactions;
    let best = best.filter(is_better).map(|OrderFigures { order, store_bytes, .. }| (*order, *store_bytes));
    let orders = [Some(recorded), best];
    let orders: Vec<Value> =
        orders.into_iter().flatten().filter_map(|(name, bytes)| stores(&tile, name, bytes)).collect();
    let line = |cell: u64| {
        let at = taut_tiling::Position { x_bytes: cell % columns * CELL_BYTES, y: cell / columns, z: 0 };
        tile.offset_bytes(at).map_or(0, |offset| offset / LINE_BYTES)
    };
    Some(json!({
        "layout": surface.layout,
        "columns": columns,
        "rows": rows,
        "cell_bytes": CELL_BYTES,
        "buffers": WriteCombiner::GUARANTEED,
        "lines": (0..columns * rows).map(line).collect::<Vec<_>>(),
        "orders": orders,
    }))
}

/// Cells of each of the first stores in a write order, and the number of transactions of a whole tile.
fn stores(tile: &Surface, name: &str, store_bytes: usize) -> Option<Value> {
    let columns = tile.pitch_bytes() / CELL_BYTES;
    let order: WriteOrder = name.parse().ok()?;
    let rect = Rect::from_origin(tile.pitch_bytes(), tile.rows());
    let copy = TileCopy::new(tile, rect, rect.width_bytes).ok()?;
    let (mut stores, mut model) = (Vec::new(), WriteCombiner::new(WriteCombiner::GUARANTEED).ok()?);
    let cells = |offset: usize, width: usize| -> Vec<u64> {
        let pieces = (offset as u64..(offset + width) as u64).step_by(CELL_BYTES as usize);
        let at = pieces.filter_map(|piece| tile.position(piece).ok());
        at.map(|at| at.y * columns + at.x_bytes / CELL_BYTES).collect()
    };
    let store = |offset: usize, width: usize| {
        if stores.len() < DRAWN_STORES {
            stores.push(cells(offset, width));
        }
        model.stored(offset, width);
    };
    copy.observe_order(order, store_bytes, store).ok()?;
    model.drain();
    let counts = model.counts();
    Some(json!({
        "order": name,
        "store_bytes": store_bytes,
        "stores": stores,
        "full_lines": counts.full_lines,
        "partial_evictions": counts.partial_evictions,
        "transactions": counts.transactions(),
    }))
}

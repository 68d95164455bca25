//! Copies in the write orders of programs without this crate.

use super::dispatch;
use super::lines::next;
use super::mover::{Mover, piece};
use super::plan::{Area, Plan};
use super::slices::SliceMover;
use crate::bits::deposit;
use crate::store::NoObservation;
use crate::{Kernel, Store, WriteOrder};

/// Copies `source` to `target`, whose lengths are validated for the plan.
pub(crate) fn copy(plan: &Plan, order: WriteOrder, width: usize, source: &[u8], target: &mut [u8]) {
    if let Some(kernel) = order.kernel() {
        let kernel = if kernel.is_available() { kernel } else { Kernel::Portable };
        return dispatch::copy::<true>(plan, kernel, false, source, target);
    }
    let mut mover = SliceMover::<_, true>::new(source, target, plan.linear_pitch_bytes, NoObservation);
    walk(&mut mover, plan, order, width);
}

/// Reports to `sink` every store that [`copy`] would make, without memory.
pub(crate) fn observe<S: Store>(plan: &Plan, order: WriteOrder, width: usize, sink: S) {
    match order.kernel() {
        Some(kernel) => dispatch::observe::<_, true>(plan, kernel, sink),
        None => dispatch::observe_loop(plan, sink, |mover| walk(mover, plan, order, width)),
    }
}

fn walk<P: Mover>(mover: &mut P, plan: &Plan, order: WriteOrder, width: usize) {
    match (order, width) {
        (WriteOrder::LinearColumns, 4) => columns::<_, 4>(mover, plan),
        (WriteOrder::LinearColumns, _) => columns::<_, 16>(mover, plan),
        (WriteOrder::TileOrder, 4) => tiles::<_, 4>(mover, plan),
        (WriteOrder::TileOrder, _) => tiles::<_, 16>(mover, plan),
        (WriteOrder::Rows2x32, _) if plan.lines.is_some() => row_pairs(mover, plan),
        (_, 4) => rows::<_, 4>(mover, plan, plan.area),
        _ => rows::<_, 16>(mover, plan, plan.area),
    }
}

/// Columns along x: the bytes of one row that a store of at most `width` bytes covers.
struct Columns {
    bytes: usize,
    mask: usize,
}

impl Columns {
    fn new(plan: &Plan, width: usize) -> Columns {
        // Bytes below the lowest address bit that is not x are contiguous.
        let bytes = width.min(1 << plan.rule.x_mask.trailing_ones().min(4));
        let mask = plan.rule.x_mask & !(bytes as u64 - 1) | !(plan.rule.tile_bytes() - 1);
        Columns { bytes, mask: mask as usize }
    }

    /// The address bits that the column of byte `x` has of x.
    fn at(&self, x: usize) -> usize {
        deposit((x / self.bytes) as u64, self.mask as u64) as usize
    }
}

/// Returns the address bits of row `y`, and the offset of its tile row.
fn row_bits(plan: &Plan, y: usize) -> (usize, usize) {
    let in_tile = deposit(y as u64 & (plan.rule.tile_rows() - 1), plan.rule.y_mask);
    (in_tile as usize | plan.z_bits, plan.tile_row(y))
}

/// Moves the bytes of one row between `x` and `x_end`, in one column.
#[inline(always)]
fn cell<P: Mover, const N: usize>(mover: &mut P, linear: usize, tiled: usize, count: usize) {
    if count == N { mover.bytes::<N>(linear, tiled) } else { piece(mover, linear, tiled, count) }
}

fn rows<P: Mover, const N: usize>(mover: &mut P, plan: &Plan, area: Area) {
    let columns = Columns::new(plan, N);
    for y in area.y..area.y_end {
        let (bits, tile_row) = row_bits(plan, y);
        let (mut x, mut column) = (area.x, columns.at(area.x));
        while x < area.x_end {
            let count = (area.x_end - x).min(columns.bytes - x % columns.bytes);
            let tiled = tile_row + plan.swizzled(bits | column) + x % columns.bytes;
            cell::<_, N>(mover, plan.linear(x, y), tiled, count);
            x += count;
            column = next(column, columns.mask);
        }
    }
}

fn columns<P: Mover, const N: usize>(mover: &mut P, plan: &Plan) {
    let (area, columns) = (plan.area, Columns::new(plan, N));
    let (mut x, mut column) = (area.x, columns.at(area.x));
    while x < area.x_end {
        let count = (area.x_end - x).min(columns.bytes - x % columns.bytes);
        for y in area.y..area.y_end {
            let (bits, tile_row) = row_bits(plan, y);
            let tiled = tile_row + plan.swizzled(bits | column) + x % columns.bytes;
            cell::<_, N>(mover, plan.linear(x, y), tiled, count);
        }
        x += count;
        column = next(column, columns.mask);
    }
}

/// Copies every tile that the rectangle touches, from its first byte to its last.
fn tiles<P: Mover, const N: usize>(mover: &mut P, plan: &Plan) {
    let (area, bytes) = (plan.area, Columns::new(plan, N).bytes);
    let (width, height) = (plan.rule.tile_width_bytes() as usize, plan.rule.tile_rows() as usize);
    let mut y = area.y - area.y % height;
    while y < area.y_end {
        let mut x = area.x - area.x % width;
        while x < area.x_end {
            let tile = plan.tile_row(y) + x / width * plan.rule.tile_bytes() as usize;
            for at in (0..plan.rule.tile_bytes() as usize).step_by(bytes) {
                let (x_in_tile, y_in_tile, z_in_tile) = plan.rule.decode_in_tile(at as u64);
                let (x, row) = (x + x_in_tile as usize, y + y_in_tile as usize);
                let (from, to) = (x.max(area.x), (x + bytes).min(area.x_end));
                let inside = (area.y..area.y_end).contains(&row) && plan.is_slice(z_in_tile);
                if inside && from < to {
                    cell::<_, N>(mover, plan.linear(from, row), tile + at + (from - x), to - from);
                }
            }
            x += width;
        }
        y += height;
    }
}

/// Copies two rows at a time, in layouts whose lines hold 16 bytes of each of four rows.
fn row_pairs<P: Mover>(mover: &mut P, plan: &Plan) {
    let (area, columns) = (plan.area, Columns::new(plan, 16));
    let mut y = area.y;
    while y < area.y_end {
        if y % 2 == 1 || y + 1 == area.y_end {
            rows::<_, 16>(mover, plan, Area { y, y_end: y + 1, ..area });
            y += 1;
            continue;
        }
        let (bits, tile_row) = row_bits(plan, y);
        let (mut x, mut column) = (area.x, columns.at(area.x));
        while x < area.x_end {
            let count = (area.x_end - x).min(16 - x % 16);
            let tiled = tile_row + plan.swizzled(bits | column) + x % 16;
            if count == 16 {
                mover.pair(plan.linear(x, y), tiled);
            } else {
                piece(mover, plan.linear(x, y), tiled, count);
                piece(mover, plan.linear(x, y + 1), tiled + 16, count);
            }
            x += count;
            column = next(column, columns.mask);
        }
        y += 2;
    }
}

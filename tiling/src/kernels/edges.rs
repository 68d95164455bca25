//! Edges of a rectangle in a layout of four-row lines: the part outside of [`bands`](super::bands).

use super::lines::{BAND_ROWS, FourRowLines, GROUP_BYTES, LINE_BYTES};
use super::mover::{Mover, piece};
use super::plan::{Area, Plan};
use crate::bits::deposit;

/// Moves the rows above and below the inside, and the bytes to its left and right.
#[inline(always)]
pub(crate) fn copy<P: Mover>(mover: &mut P, plan: &Plan, lines: &FourRowLines) {
    let (whole, inside) = (plan.area, plan.inside);
    strip(mover, plan, lines, Area { y_end: inside.y, ..whole });
    strip(mover, plan, lines, Area { x_end: inside.x, y: inside.y, y_end: inside.y_end, ..whole });
    strip(mover, plan, lines, Area { x: inside.x_end, y: inside.y, y_end: inside.y_end, ..whole });
    strip(mover, plan, lines, Area { y: inside.y_end, ..whole });
}

/// Moves an area of any shape, line by line: whole lines at once, others row by row.
fn strip<P: Mover>(mover: &mut P, plan: &Plan, lines: &FourRowLines, area: Area) {
    let mut y = area.y;
    while y < area.y_end {
        let y_end = area.y_end.min((y | (BAND_ROWS - 1)) + 1);
        let row_in_tile = y & (plan.rule.tile_rows() as usize - 1);
        let band = plan.z_bits | deposit((row_in_tile / BAND_ROWS) as u64, lines.band_mask as u64) as usize;
        let steps = lines.steps(band);
        let mut x = area.x;
        while x < area.x_end {
            let group = deposit((x / GROUP_BYTES) as u64, lines.group_mask as u64) as usize;
            let line = plan.tile_row(y) + band + group + steps[x % GROUP_BYTES / LINE_BYTES];
            let count = (area.x_end - x).min(LINE_BYTES - x % LINE_BYTES);
            if count == LINE_BYTES && y_end - y == BAND_ROWS {
                mover.line(plan.linear(x, y), line);
            } else {
                for row in y..y_end {
                    piece(mover, plan.linear(x, row), line + row % BAND_ROWS * LINE_BYTES + x % LINE_BYTES, count);
                }
            }
            x += count;
        }
        y = y_end;
    }
}

//! Loop for the remaining layouts, X and W: row by row, in runs of contiguous bytes.

use super::lines::next;
use super::mover::{Mover, piece};
use super::plan::Plan;
use crate::bits::deposit;

/// Moves the whole rectangle.
#[inline(always)]
pub(crate) fn copy<P: Mover>(mover: &mut P, plan: &Plan) {
    let (rule, area) = (plan.rule, plan.area);
    // Bytes below the lowest address bit that is not x are contiguous; with a toggle of bit 6, at most a line is.
    let run_bits = rule.x_mask.trailing_ones().min(if rule.bit6_toggles == 0 { u32::MAX } else { 6 });
    let run_bytes = 1 << run_bits;
    let run_mask = (rule.x_mask & !(run_bytes as u64 - 1) | !(rule.tile_bytes() - 1)) as usize;
    let first_run = deposit((area.x / run_bytes) as u64, run_mask as u64) as usize;
    for y in area.y..area.y_end {
        let tile_row = plan.tile_row(y);
        let row = rule.encode_in_tile(0, y as u64 & (rule.tile_rows() - 1), 0) as usize | plan.z_bits;
        let (mut linear, mut x, mut run) = (plan.linear(area.x, y), area.x, first_run);
        while x < area.x_end {
            let count = (area.x_end - x).min(run_bytes - x % run_bytes);
            // The toggle depends on bits of y, so it applies to a whole row or not at all.
            piece(mover, linear, tile_row + (run ^ row) + x % run_bytes, count);
            linear += count;
            x += count;
            run = next(run, run_mask);
        }
    }
}

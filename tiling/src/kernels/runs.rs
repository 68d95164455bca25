//! The loop for the remaining layouts, X and W: row by row, in the runs of bytes that stay together.

use super::lines::next;
use super::mover::{Mover, piece};
use super::plan::Plan;
use crate::bits::deposit;

/// Moves the whole rectangle.
#[inline(always)]
pub(crate) fn copy<P: Mover>(mover: &mut P, plan: &Plan) {
    let (rule, area) = (plan.rule, plan.area);
    // Bytes below the lowest address bit that is not x stay together; where bit 6 is flipped, at most a line does.
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
            // The flip comes from bits of y, so a row has it for all of x or for none.
            piece(mover, linear, tile_row + (run ^ row) + x % run_bytes, count);
            linear += count;
            x += count;
            run = next(run, run_mask);
        }
    }
}

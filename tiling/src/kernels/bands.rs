//! The inside of a rectangle in a layout of four-row lines: whole groups of whole bands.
//!
//! It goes in bands of four rows, across several tiles: a line is finished before the next is begun, and the four
//! linear rows stay few enough not to collide in the first cache where the pitch is a power of two.

use super::lines::{BAND_ROWS, FourRowLines, GROUP_BYTES, next};
use super::plan::Plan;
use super::port::{Band, Port};
use crate::bits::deposit;

/// How many groups ahead lines are asked for, where the port prefetches.
const PREFETCH_GROUPS: usize = 16;

/// Moves the inside.
#[inline(always)]
pub(crate) fn copy<P: Port>(port: &mut P, plan: &Plan, lines: &FourRowLines) {
    let inside = plan.inside();
    let tile_rows = plan.rule.tile_rows() as usize;
    let group_at = |x: usize| deposit((x / GROUP_BYTES) as u64, lines.group_mask as u64) as usize;
    let (first_group, first_ahead) = (group_at(inside.x), group_at(inside.x + PREFETCH_GROUPS * GROUP_BYTES));
    let groups = (inside.x_end - inside.x) / GROUP_BYTES;
    let mut y = inside.y;
    while y < inside.y_end {
        let y_end = inside.y_end.min((y | (tile_rows - 1)) + 1);
        let tile_row = plan.tile_row(y);
        let mut in_tile = deposit(((y & (tile_rows - 1)) / BAND_ROWS) as u64, lines.band_mask as u64) as usize;
        for y in (y..y_end).step_by(BAND_ROWS) {
            let band = plan.z_bits | in_tile;
            port.begin_band(Band {
                linear: plan.linear(inside.x, y),
                tiled: tile_row + band,
                groups,
                steps: lines.steps(band),
            });
            let (mut group, mut ahead) = (first_group, first_ahead);
            for number in 0..groups {
                if P::PREFETCHES && groups - number > PREFETCH_GROUPS {
                    port.prefetch(ahead);
                    ahead = next(ahead, lines.group_mask);
                }
                port.group(number, group);
                group = next(group, lines.group_mask);
            }
            in_tile = next(in_tile, lines.band_mask);
        }
        y = y_end;
    }
}

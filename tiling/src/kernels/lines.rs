//! Layouts whose 64-byte lines hold 16 bytes of each of four rows: all but X and W.
//!
//! Four such lines side by side make a *group*, 64 bytes of each of four rows; four rows make a *band*.

use crate::layout::LAYOUTS;
use crate::{Layout, Rule};

pub(crate) const LINE_BYTES: usize = 16;
pub(crate) const GROUP_BYTES: usize = 64;
pub(crate) const BAND_ROWS: usize = 4;

/// Geometry of groups in such a layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourRowLines {
    /// Address bits that count groups: the bits of x from bit 6 on, and the number of the tile.
    pub group_mask: usize,
    /// Address bits inside a tile that count bands: the bits of y from bit 2 on.
    pub band_mask: usize,
    /// Distances of a group's four lines from its first, with address bit 6 of the first clear, and set.
    steps: [[usize; 4]; 2],
    /// The lines of a group differ in address bits 6 to 8, which select the memory channel. Otherwise, a whole band
    /// uses few channels, and non-temporal stores take longer than ordinary stores.
    pub spreads: bool,
}

/// Geometry of each layout, computed at compile time.
static TABLE: [Option<FourRowLines>; LAYOUTS.len()] = {
    let mut table = [None; LAYOUTS.len()];
    let mut at = 0;
    while at < LAYOUTS.len() {
        table[at] = FourRowLines::of_rule(&LAYOUTS[at]);
        at += 1;
    }
    table
};

impl FourRowLines {
    pub fn new(layout: Layout) -> Option<&'static Self> {
        TABLE[layout as usize].as_ref()
    }

    const fn of_rule(rule: &Rule) -> Option<Self> {
        let column_bits = rule.encode_in_tile(0x30, 0, 0) & rule.x_mask;
        let are_lines = rule.x_mask & 0x3f == 0x0f && rule.y_mask & 0x3f == 0x30;
        // A toggle by bits other than those of the column would make the distances differ between groups.
        if !are_lines || rule.bit6_toggles & !column_bits != 0 {
            return None;
        }
        // If bit 6 is a bit of x, it is 0 in the first line of a group.
        let set = 1 << 6 & !rule.x_mask;
        let (steps, steps_if_set) = (Self::steps_of(rule, 0), Self::steps_of(rule, set));
        Some(Self {
            spreads: (steps[1] | steps[2] | steps[3]) & 0x1c0 != 0,
            group_mask: (rule.x_mask & !0xf & !column_bits | !(rule.tile_bytes() - 1)) as usize,
            band_mask: (rule.y_mask & !0x30) as usize,
            steps: [steps, steps_if_set],
        })
    }

    const fn steps_of(rule: &Rule, bit6: u64) -> [usize; 4] {
        let mut steps = [0; 4];
        let mut column = 0;
        while column < 4 {
            steps[column] = ((rule.encode_in_tile(column as u64 * 16, 0, 0) ^ bit6) - bit6) as usize;
            column += 1;
        }
        steps
    }

    /// Returns the distances of the four lines of a group from its first, in the band at `band` inside the tile.
    #[inline(always)]
    pub fn steps(&self, band: usize) -> [usize; 4] {
        let [_, second, third, fourth] = self.steps[band >> 6 & 1];
        [0, second, third, fourth]
    }
}

/// Increments a counter on the bits of `mask`: carries skip the other bits.
#[inline(always)]
pub(crate) fn next(counter: usize, mask: usize) -> usize {
    counter.wrapping_sub(mask) & mask
}

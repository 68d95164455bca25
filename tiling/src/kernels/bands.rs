//! Inside of a rectangle in a layout of four-row lines: whole groups of whole bands.
//!
//! The loop processes bands of four rows, across several tiles: a line is finished before the next is begun, and the
//! four linear rows stay few enough not to collide in the first-level cache if the pitch is a power of two.

use super::lines::{BAND_ROWS, FourRowLines, GROUP_BYTES, next};
use crate::bits::deposit;

/// Prefetch distance in groups, for tiles that bypass the caches.
const PREFETCH_GROUPS: u64 = 16;

/// Groups of all bands, precomputed for a rectangle.
///
/// A narrow surface has only a few groups per band, so the work between bands is minimal and uses few values: values
/// that do not fit into registers are reloaded from memory in every band, after stores that the load must wait for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bands {
    /// Offset of the first band on the linear side.
    linear: usize,
    /// Distance from the end of one band to the beginning of the next.
    linear_advance: usize,
    linear_end: usize,
    /// Offset of the tile row of the first band, including the bits of z inside a tile.
    tile_row: usize,
    tile_row_bytes: usize,
    tiled_end: usize,
    /// First band inside its tile, and the address bits that count bands.
    in_tile: usize,
    band_mask: usize,
    count: usize,
    /// First group of every band, the end of its groups, and the address bits that count groups.
    group: usize,
    group_end: usize,
    group_mask: usize,
    /// Distance in bytes of the prefetched group.
    ahead_bytes: usize,
    /// Distances of the four lines of a group from its first, with bit 6 of the first clear, and set.
    steps: [[usize; 4]; 2],
}

/// Position of the bands of a rectangle: at least one group of at least one band.
pub(crate) struct Place {
    /// Byte range of a row.
    pub x: usize,
    pub x_end: usize,
    /// First band inside its tile, and number of bands.
    pub band: usize,
    pub bands: usize,
    /// Offset of the first band on the linear side.
    pub linear: usize,
    pub linear_pitch_bytes: usize,
    /// Offset of the tile row of the first band, and the bits of z inside a tile.
    pub tile_row: usize,
    pub z_bits: usize,
    pub tile_row_bytes: usize,
    pub tile_bytes: usize,
}

/// Mover of groups.
///
/// A trait instead of a closure, because a closure cannot be marked inline: outside the function that enables a
/// vector's instructions, each of them would become a call.
pub(crate) trait GroupMover {
    /// Moves the group whose rows begin at `linear` on the linear side and whose first line is at `tiled` on the tiled
    /// side; `steps` are the distances of its lines from that.
    fn group(&mut self, linear: usize, tiled: usize, steps: [usize; 4]);
}

impl Bands {
    /// Computes the bands of a position with at least one group and band.
    pub fn new(lines: &FourRowLines, place: &Place) -> Bands {
        let groups = (place.x_end - place.x) / GROUP_BYTES;
        let group_at = |x: usize| deposit((x / GROUP_BYTES) as u64, lines.group_mask as u64) as usize;
        let last = group_at(place.x_end - GROUP_BYTES);
        let in_tile = deposit(place.band as u64, lines.band_mask as u64) as usize;
        let bands_per_tile = 1 << lines.band_mask.count_ones();
        let last_row = place.tile_row + (place.band + place.bands - 1) / bands_per_tile * place.tile_row_bytes;
        let rows = place.bands * BAND_ROWS;
        Bands {
            linear: place.linear,
            // Unused with a single band.
            linear_advance: (place.linear_pitch_bytes.wrapping_mul(BAND_ROWS)).wrapping_sub(groups * GROUP_BYTES),
            linear_end: place.linear + (rows - 1) * place.linear_pitch_bytes + groups * GROUP_BYTES,
            tile_row: place.tile_row | place.z_bits,
            tile_row_bytes: place.tile_row_bytes,
            // The lines of a group are in one tile.
            tiled_end: last_row + (last | (place.tile_bytes - 1)) + 1,
            in_tile,
            band_mask: lines.band_mask,
            count: place.bands,
            group: group_at(place.x),
            group_end: next(last, lines.group_mask),
            group_mask: lines.group_mask,
            ahead_bytes: deposit(PREFETCH_GROUPS, lines.group_mask as u64) as usize,
            steps: [lines.steps(0), lines.steps(64)],
        }
    }

    /// Returns the begin of the first band on the linear side.
    pub fn linear(&self) -> usize {
        self.linear
    }

    /// Returns the end of the last group on the linear side.
    pub fn linear_end(&self) -> usize {
        self.linear_end
    }

    /// Returns the end of the last tile with a group on the tiled side.
    pub fn tiled_end(&self) -> usize {
        self.tiled_end
    }

    /// Returns all bits that may occur in the distances between lines.
    pub fn tiled_bits(&self) -> usize {
        let steps = self.steps.as_flattened().iter().fold(0, |bits, step| bits | step);
        self.tile_row | self.tile_row_bytes | self.band_mask | self.group_mask | steps
    }

    /// Moves every group. None exceeds the ends.
    #[inline(always)]
    pub fn each_group<M: GroupMover>(&self, mover: &mut M) {
        let Bands { mut linear, band_mask, group_end, group_mask, .. } = *self;
        let mut band = self.tile_row | self.in_tile;
        for _ in 0..self.count {
            let [_, second, third, fourth] = self.steps[band >> 6 & 1];
            let steps = [0, second, third, fourth];
            let mut distance = self.group;
            loop {
                mover.group(linear, band + distance, steps);
                linear += GROUP_BYTES;
                distance = next(distance, group_mask);
                if distance == group_end {
                    break;
                }
            }
            linear = linear.wrapping_add(self.linear_advance);
            let in_tile = next(band & band_mask, band_mask);
            // After the last band of a tile row, counting wraps to the next tile row.
            let row_bytes = if in_tile == 0 { self.tile_row_bytes } else { 0 };
            band = (band & !band_mask | in_tile) + row_bytes;
        }
    }

    /// Returns the prefetch offset for a group; it may be past the last group.
    #[inline(always)]
    pub fn ahead(&self, tiled: usize) -> usize {
        let mask = self.group_mask;
        (tiled | !mask).wrapping_add(self.ahead_bytes) & mask | tiled & !mask
    }
}

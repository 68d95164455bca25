//! Written bytes of a surface, as a bitmap.

use super::RegionFigures;
use taut_tiling::{Position, Surface, line_transactions};

/// Size of a write-combining buffer (a cache line). One `u64` of the bitmap covers one line.
const LINE_BYTES: u64 = 64;
/// Memory limit of the bitmap: stores beyond 1 GiB count as out of bounds.
const MAX_TRACKED_BYTES: u64 = 1 << 30;
/// Maximum number of unwritten regions listed.
const REGIONS: usize = 16;
/// Bytes of a row that are contiguous in every layout that Map can report.
const COLUMN_BYTES: u64 = 16;

/// Bitmap with one bit per byte of a surface.
#[derive(Debug, Clone)]
pub(super) struct Coverage {
    lines: Vec<u64>,
}

impl Coverage {
    /// Creates a bitmap without written bytes; bytes beyond 1 GiB are not tracked.
    pub fn new(size_bytes: u64) -> Coverage {
        Coverage { lines: vec![0; (size_bytes.min(MAX_TRACKED_BYTES) / LINE_BYTES) as usize] }
    }

    /// Marks the bytes of a store as written; false if the store is not entirely inside the bitmap.
    pub fn add(&mut self, offset_bytes: u64, size_bytes: u32) -> bool {
        let (mut at, mut left) = (offset_bytes, u64::from(size_bytes));
        let end = self.lines.len() as u64 * LINE_BYTES;
        // An end that overflows is outside as well.
        if at.checked_add(left).is_none_or(|last| last > end) {
            return false;
        }
        while left > 0 {
            let first = at % LINE_BYTES;
            let count = left.min(LINE_BYTES - first);
            // `count` is at least 1, so that the shift is at most 63.
            self.lines[(at / LINE_BYTES) as usize] |= u64::MAX >> (LINE_BYTES - count) << first;
            (at, left) = (at + count, left - count);
        }
        true
    }

    /// Adds the written bytes of another bitmap.
    pub fn join(&mut self, other: &Coverage) {
        self.lines.iter_mut().zip(&other.lines).for_each(|(line, more)| *line |= more);
    }

    /// Number of bus transactions if each line is completed before the next is begun.
    pub fn ideal_transactions(&self) -> u64 {
        self.lines.iter().filter(|line| **line != 0).map(|line| line_transactions(*line)).sum()
    }

    fn has(&self, offset_bytes: u64) -> bool {
        let line = self.lines.get((offset_bytes / LINE_BYTES) as usize).copied().unwrap_or_default();
        line >> (offset_bytes % LINE_BYTES) & 1 == 1
    }

    /// Number of unwritten bytes in the texture whose top left corner is at `corner`, and the first unwritten
    /// rectangles.
    pub fn unwritten_regions(
        &self,
        surface: &Surface,
        corner: (u64, u64),
        (width_bytes, rows): (u64, u64),
    ) -> (u64, Vec<RegionFigures>) {
        let (mut bytes, mut regions, mut above) = (0, Vec::new(), Vec::<RegionFigures>::new());
        for y in 0..rows {
            let gaps = self.gaps(surface, corner, width_bytes, y);
            bytes += gaps.iter().map(|gap| gap.width_bytes).sum::<u64>();
            let mut current = Vec::with_capacity(gaps.len());
            for gap in gaps {
                let same =
                    |region: &RegionFigures| (region.x_bytes, region.width_bytes) == (gap.x_bytes, gap.width_bytes);
                // Equal gaps in consecutive rows form one rectangle.
                match above.iter().position(same) {
                    Some(at) => {
                        let region = above.swap_remove(at);
                        current.push(RegionFigures { rows: region.rows + 1, ..region });
                    }
                    None => current.push(gap),
                }
            }
            regions.append(&mut above);
            above = current;
        }
        regions.append(&mut above);
        regions.sort_by_key(|region| (region.y, region.x_bytes));
        regions.truncate(REGIONS);
        (bytes, regions)
    }

    /// Unwritten byte ranges of one row, as regions of height 1.
    fn gaps(&self, surface: &Surface, corner: (u64, u64), width_bytes: u64, y: u64) -> Vec<RegionFigures> {
        let mut gaps: Vec<RegionFigures> = Vec::new();
        let mut x = 0;
        while x < width_bytes {
            let at = Position { x_bytes: corner.0 + x, y: corner.1 + y, z: 0 };
            let count = (COLUMN_BYTES - at.x_bytes % COLUMN_BYTES).min(width_bytes - x);
            let Ok(offset) = surface.offset_bytes(at) else { break };
            let touched = (0..count).filter(|byte| self.has(offset + byte)).count() as u64;
            if touched < count {
                // Bytes are checked one by one only in a partly written column, which occurs at the edges of a
                // rectangle.
                for byte in (0..count).filter(|byte| !self.has(offset + byte)) {
                    match gaps.last_mut().filter(|gap| gap.x_bytes + gap.width_bytes == x + byte) {
                        Some(gap) => gap.width_bytes += 1,
                        None => gaps.push(RegionFigures { x_bytes: x + byte, y, width_bytes: 1, rows: 1 }),
                    }
                }
            }
            x += count;
        }
        gaps
    }
}

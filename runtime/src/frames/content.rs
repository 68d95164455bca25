//! Frame contents, and their comparison with the displayed pixels: pure values, without a clock.
//!
//! A pixel is a function of its frame, column and row. Small frames are copied whole, row by row with the pitch of each
//! surface; of larger frames, the same code copies a grid of pixels that includes every edge.

/// Min size in bytes of a frame of which only a grid of pixels is copied; a whole copy would take too long per frame.
const MIN_SAMPLED_BYTES: u64 = 1 << 20;
/// Value of an unwritten byte.
const UNWRITTEN: u8 = 0xa5;

/// Contiguous bytes of a row of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    row: u32,
    column: u32,
    pixels: u32,
    /// Offset in bytes from the begin of the surface.
    offset: u64,
    /// Index in the stored bytes of the surface.
    start: usize,
    bytes: usize,
}

/// Stored part of a surface.
#[derive(Debug, Clone)]
struct Surface {
    pitch_bytes: u64,
    runs: Vec<Run>,
    stored: Vec<u8>,
}

impl Surface {
    fn new(spans: &[(u32, u32, u32)], pixel_bytes: u64, pitch_bytes: u64) -> Surface {
        let mut start = 0;
        let run = |&(row, column, pixels): &(u32, u32, u32)| {
            let bytes = usize::try_from(u64::from(pixels) * pixel_bytes).unwrap_or(0);
            let offset = u64::from(row) * pitch_bytes + u64::from(column) * pixel_bytes;
            let run = Run { row, column, pixels, offset, start, bytes };
            start += bytes;
            run
        };
        let runs: Vec<Run> = spans.iter().map(run).collect();
        Surface { pitch_bytes, runs, stored: vec![UNWRITTEN; start] }
    }

    /// Reads bytes at an offset. Most reads match a stored run; `near` is its index.
    fn read(&self, offset: u64, near: usize, out: &mut [u8]) {
        if let Some(run) = self.runs.get(near).filter(|run| run.offset == offset && run.bytes == out.len()) {
            out.copy_from_slice(&self.stored[run.start..run.start + run.bytes]);
            return;
        }
        out.fill(UNWRITTEN);
        let end = offset + out.len() as u64;
        let first = self.runs.partition_point(|run| run.offset + run.bytes as u64 <= offset);
        for run in self.runs[first..].iter().take_while(|run| run.offset < end) {
            let (from, to) = (run.offset.max(offset), (run.offset + run.bytes as u64).min(end));
            let bytes = (to - from) as usize;
            let source = run.start + (from - run.offset) as usize;
            let target = (from - offset) as usize;
            out[target..target + bytes].copy_from_slice(&self.stored[source..source + bytes]);
        }
    }

    /// Copies another surface with that surface's pitch, row by row, as a copy engine does.
    fn copy_from(&mut self, other: &Surface, pixel_bytes: u64) {
        for (near, run) in self.runs.iter().enumerate() {
            let offset = u64::from(run.row) * other.pitch_bytes + u64::from(run.column) * pixel_bytes;
            other.read(offset, near, &mut self.stored[run.start..run.start + run.bytes]);
        }
    }
}

/// Path of a frame to a display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FramePath {
    /// Number of copies between the memories of adapters.
    pub copies: u64,
    /// Pitch in bytes and number of rows of the scan-out; `None` if the surface is read with its own.
    pub scan_out: Option<(u64, u32)>,
    /// First row that shows this frame.
    pub first_row: u32,
}

/// Result of comparing a displayed frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ProbeResult {
    /// Number of compared pixels.
    pub probes: u64,
    /// Number of pixels that differ from the frame.
    pub wrong: u64,
}

/// Surfaces of a swap chain: the back buffer, the cross-adapter resource, and the display adapter's own.
#[derive(Debug, Clone)]
pub(crate) struct ChainSurfaces {
    pixel_bytes: u64,
    surfaces: [Surface; 3],
    /// Buffer for a row as the display reads it.
    read: Vec<u8>,
}

/// Pitch alignments in bytes of the three surfaces: back buffer, cross-adapter resource, primary.
const PITCHES_BYTES: [u64; 3] = [64, 128, 256];

impl ChainSurfaces {
    /// Creates surfaces for frames of this size.
    pub fn new(width: u32, height: u32, pixel_bytes: u64) -> ChainSurfaces {
        let row_bytes = u64::from(width) * pixel_bytes;
        let is_whole = row_bytes * u64::from(height) < MIN_SAMPLED_BYTES;
        let spans = if is_whole { whole(width, height) } else { grid(width, height) };
        let surface = |pitch: u64| Surface::new(&spans, pixel_bytes, row_bytes.next_multiple_of(pitch));
        ChainSurfaces { pixel_bytes, surfaces: PITCHES_BYTES.map(surface), read: Vec::new() }
    }

    /// Draws, copies and scans out a frame. Returns the result of the comparison on the display.
    pub fn show(&mut self, frame: u64, way: FramePath) -> ProbeResult {
        let pixel_bytes = self.pixel_bytes;
        draw(&mut self.surfaces[0], frame, pixel_bytes);
        let last = (way.copies as usize).min(self.surfaces.len() - 1);
        for at in 0..last {
            let [before, after] = &mut self.surfaces[at..at + 2] else { break };
            after.copy_from(before, pixel_bytes);
        }
        compare(&self.surfaces[last], &mut self.read, frame, pixel_bytes, way)
    }
}

/// Compares what the hardware reads with the frame.
fn compare(surface: &Surface, read: &mut Vec<u8>, frame: u64, pixel_bytes: u64, way: FramePath) -> ProbeResult {
    let (pitch_bytes, height) = way.scan_out.unwrap_or((surface.pitch_bytes, u32::MAX));
    let mut seen = ProbeResult::default();
    for (near, run) in surface.runs.iter().enumerate().filter(|(_, run)| run.row >= way.first_row) {
        seen.probes += u64::from(run.pixels);
        if run.row >= height {
            seen.wrong += u64::from(run.pixels);
            continue;
        }
        read.resize(run.bytes, 0);
        surface.read(u64::from(run.row) * pitch_bytes + u64::from(run.column) * pixel_bytes, near, read);
        for (column, found) in (run.column..).zip(read.chunks_exact(pixel_bytes as usize)) {
            let pixel = pixel(frame, column, run.row).to_le_bytes();
            seen.wrong += u64::from(found != &pixel[..found.len()]);
        }
    }
    seen
}

fn draw(surface: &mut Surface, frame: u64, pixel_bytes: u64) {
    for run in &surface.runs {
        let bytes = &mut surface.stored[run.start..run.start + run.bytes];
        for (column, target) in (run.column..).zip(bytes.chunks_exact_mut(pixel_bytes as usize)) {
            target.copy_from_slice(&pixel(frame, column, run.row).to_le_bytes()[..target.len()]);
        }
    }
}

/// Returns the bits of a pixel: neighbours in column, row or frame differ.
fn pixel(frame: u64, column: u32, row: u32) -> u64 {
    let place = u64::from(row) << 32 | u64::from(column);
    let mixed = frame.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ place.wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 29
}

/// Returns every row.
fn whole(width: u32, height: u32) -> Vec<(u32, u32, u32)> {
    (0..height).map(|row| (row, 0, width)).collect()
}

/// Returns pixels of a few rows and columns, with the edges and their neighbours.
fn grid(width: u32, height: u32) -> Vec<(u32, u32, u32)> {
    let lines = |size: u32| {
        let mut lines = vec![0, 1, size / 2, size.saturating_sub(1)];
        lines.retain(|line| *line < size);
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    let columns = lines(width);
    lines(height).into_iter().flat_map(|row| columns.iter().map(move |column| (row, *column, 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN: FramePath = FramePath { copies: 0, scan_out: None, first_row: 0 };

    fn shared_pitch(width: u32, pixel_bytes: u64) -> u64 {
        (u64::from(width) * pixel_bytes).next_multiple_of(128)
    }

    proptest! {
        /// Odd sizes, both pixel sizes, and the resulting pitches: every byte arrives.
        #[test]
        fn every_pixel_arrives_by_every_way(width in 1_u32..700, height in 1_u32..400, is_wide: bool, copies in 0_u64..3, frame: u64) {
            let pixel_bytes = if is_wide { 8 } else { 4 };
            let mut picture = ChainSurfaces::new(width, height, pixel_bytes);
            let scan_out = (copies == 1).then(|| (shared_pitch(width, pixel_bytes), height));
            let seen = picture.show(frame, FramePath { copies, scan_out, first_row: 0 });
            let pixels = u64::from(width) * u64::from(height);
            let is_whole = pixels * pixel_bytes < MIN_SAMPLED_BYTES;
            prop_assert_eq!(seen.wrong, 0);
            let expected = if is_whole { pixels..=pixels } else { 1..=16 };
            prop_assert!(expected.contains(&seen.probes), "{seen:?}");
        }

        /// A scan-out with another pitch or fewer rows is detected, in small and large frames.
        #[test]
        fn a_wrong_pitch_and_a_lost_row_are_seen(
            (width, height) in prop_oneof![(2_u32..300, 2_u32..300), (600_u32..5000, 500_u32..3000)],
            is_wide: bool,
            off in prop_oneof![-4_i64..0, 1_i64..5],
        ) {
            let pixel_bytes = if is_wide { 8 } else { 4 };
            let mut picture = ChainSurfaces::new(width, height, pixel_bytes);
            let pitch = shared_pitch(width, pixel_bytes);
            let wrong_pitch = pitch.saturating_add_signed(off * 4);
            let way = |scan_out| FramePath { copies: 1, scan_out: Some(scan_out), first_row: 0 };
            prop_assert!(picture.show(7, way((wrong_pitch, height))).wrong > 0);
            prop_assert!(picture.show(7, way((pitch, height - 1))).wrong > 0);
            prop_assert_eq!(picture.show(7, way((pitch, height))).wrong, 0);
        }

        /// A torn frame is shown from its first row on; the rows above belong to another frame.
        #[test]
        fn a_torn_frame_is_its_own_from_its_first_row_on(height in 2_u32..300, part in 0_u32..1000) {
            let first_row = part * height / 1000;
            let mut picture = ChainSurfaces::new(64, height, 4);
            let seen = picture.show(2, FramePath { first_row, ..PLAIN });
            prop_assert_eq!(seen, ProbeResult { probes: u64::from(height - first_row) * 64, wrong: 0 });
            // The previous frame is still in the rows above: comparing it with this frame finds every pixel wrong.
            let mut before = ChainSurfaces::new(64, height, 4).surfaces[0].clone();
            draw(&mut before, 1, 4);
            prop_assert_eq!(compare(&before, &mut Vec::new(), 2, 4, PLAIN).wrong, u64::from(height) * 64);
        }
    }

    #[test]
    fn a_grid_has_all_four_corners_and_small_frames_all_pixels() {
        let spans = grid(3840, 2160);
        for corner in [(0, 0), (0, 3839), (2159, 0), (2159, 3839)] {
            assert!(spans.contains(&(corner.0, corner.1, 1)), "{corner:?}");
        }
        assert_eq!(spans.len(), 16);
        assert_eq!(ChainSurfaces::new(1, 1, 8).show(1, PLAIN), ProbeResult { probes: 1, wrong: 0 });
    }

    #[test]
    fn frames_above_and_below_a_mebibyte_are_moved_as_a_grid_and_whole() {
        let probes = |width, height, bytes| ChainSurfaces::new(width, height, bytes).show(3, PLAIN).probes;
        assert_eq!(probes(512, 511, 4), 512 * 511);
        assert_eq!(probes(512, 512, 4), 16);
        assert_eq!(probes(512, 255, 8), 512 * 255);
        assert_eq!(probes(512, 256, 8), 16);
    }
}

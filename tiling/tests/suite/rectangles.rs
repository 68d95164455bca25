//! Random rectangles by the million, on every kernel, against the address function, in memory between guard pages.
//!
//! The ten million take minutes, and are ignored by default: `cargo test --release -p taut-tiling --test suite -- rectangles::
//! --ignored --nocapture`.
#![cfg(unix)]

use crate::guarded;

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use guarded::{Flush, Guarded};
use taut_tiling::{Kernel, Layout, Position, Rect, Streaming, Surface, TileCopy};

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

/// Bytes of memory per side: a surface of two by two tiles of 64 KiB in two layers, and whole pages.
const ARENA_BYTES: usize = 1 << 20;
/// Number of rectangles per surface.
const PER_SURFACE: u64 = 1000;

/// Random numbers: SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }

    fn flush(&mut self) -> Flush {
        self.pick(&[Flush::Start, Flush::End])
    }
}

/// Returns `length` bytes at one end of the memory.
fn place(memory: &mut [u8], length: usize, flush: Flush) -> &mut [u8] {
    let start = if flush == Flush::Start { 0 } else { memory.len() - length };
    &mut memory[start..][..length]
}

/// Offsets of the bytes of a slice by the address function, row after row.
struct Offsets {
    offsets: Vec<u32>,
    pitch_bytes: usize,
}

impl Offsets {
    fn new(surface: &Surface, z: u64) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut offsets = Vec::new();
        for y in 0..surface.rows() {
            for x_bytes in 0..surface.pitch_bytes() {
                offsets.push(u32::try_from(surface.offset_bytes(Position { x_bytes, y, z })?)?);
            }
        }
        Ok(Self { offsets, pitch_bytes: usize::try_from(surface.pitch_bytes())? })
    }

    /// Returns the offsets of a rectangle, row by row.
    fn of(&self, rect: Rect) -> impl Iterator<Item = &[u32]> {
        let rows = self.offsets.chunks(self.pitch_bytes).skip(rect.y as usize).take(rect.rows as usize);
        rows.map(move |row| &row[rect.x_bytes as usize..][..rect.width_bytes as usize])
    }
}

/// One slice of a surface, with the expected contents of its memory.
struct Canvas<'m> {
    surface: Surface,
    z: u64,
    offsets: Offsets,
    tiled: &'m mut [u8],
    expected: Vec<u8>,
}

impl<'m> Canvas<'m> {
    /// Creates a surface of any layout, one or two tiles wide, with odd height and depth, in memory of any alignment.
    fn any(memory: &'m mut [u8], numbers: &mut Numbers) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let layout = numbers.pick(Layout::all());
        let rule = layout.rule();
        let slices = if rule.is_3d() { 1 + numbers.below(rule.tile_slices() + 1) } else { 1 };
        let (tiles, rows) = (1 + numbers.below(2), 1 + numbers.below(2 * rule.tile_rows()));
        let surface = Surface::with_slices(layout, tiles * rule.tile_width_bytes(), rows, slices)?;
        let z = numbers.below(slices);
        let offsets = Offsets::new(&surface, z)?;
        let surplus = numbers.pick(&[0, 0, 1, 16, 32, 48, 77]);
        let tiled = place(memory, usize::try_from(surface.size_bytes())? + surplus, numbers.flush());
        numbers.fill(tiled);
        let expected = tiled.to_vec();
        Ok(Self { surface, z, offsets, tiled, expected })
    }

    /// Returns mostly small rectangles; some as large as the surface, and some aligned for the kernels.
    fn rectangle(&self, numbers: &mut Numbers) -> Rect {
        let (pitch_bytes, surface_rows) = (self.surface.pitch_bytes(), self.surface.rows());
        let (x_unit, y_unit) = numbers.pick(&[(1, 1), (1, 1), (4, 1), (16, 4), (64, 4)]);
        let (x_bytes, y) =
            (numbers.below(pitch_bytes) / x_unit * x_unit, numbers.below(surface_rows) / y_unit * y_unit);
        let (max_bytes, max_rows) = if numbers.below(32) == 0 { (pitch_bytes, surface_rows) } else { (400, 20) };
        let extent = |numbers: &mut Numbers, unit: u64, max_extent: u64, room: u64| {
            (1 + numbers.below(max_extent.min(room))).next_multiple_of(unit).min(room)
        };
        let width_bytes = extent(numbers, x_unit, max_bytes, pitch_bytes - x_bytes);
        let rows = extent(numbers, y_unit, max_rows, surface_rows - y);
        Rect { x_bytes, y, z: self.z, width_bytes, rows }
    }

    /// Copies a rectangle in both directions with every kernel; all bytes must match the address function, and those
    /// outside the rectangle must be unchanged.
    fn check_rectangle(&mut self, memory: &mut [u8], numbers: &mut Numbers) -> Outcome {
        let rect = self.rectangle(numbers);
        let pitch_bytes = rect.width_bytes + numbers.pick(&[0, 0, 1, 4, 64, 77]);
        let streaming = numbers.pick(&[Streaming::Auto, Streaming::Never, Streaming::Always]);
        let copy = TileCopy::new(&self.surface, rect, pitch_bytes)?.with_streaming(streaming);
        let surplus = numbers.pick(&[0, 0, 0, 3, 16]);
        let linear = place(memory, copy.linear_bytes() + surplus, numbers.flush());
        let available = Kernel::all().iter().copied().filter(|kernel| kernel.is_available());
        for kernel in available.map(Some).chain([None]) {
            let copy = kernel.map_or(Ok(copy), |kernel| copy.with_kernel(kernel))?;
            let context = || format!("{kernel:?}, {streaming:?}, {rect:?}, pitch {pitch_bytes}, {:?}", self.surface);

            numbers.fill(linear);
            for (row, offsets) in self.offsets.of(rect).enumerate() {
                let from = row * pitch_bytes as usize;
                offsets.iter().zip(&linear[from..]).for_each(|(to, byte)| self.expected[*to as usize] = *byte);
            }
            copy.linear_to_tiled(linear, self.tiled)?;
            for (row, offsets) in self.offsets.of(rect).enumerate() {
                let from = row * pitch_bytes as usize;
                let same = offsets.iter().zip(&linear[from..]).all(|(to, byte)| self.tiled[*to as usize] == *byte);
                assert!(same, "to tiled, row {row}: {}", context());
            }

            numbers.fill(linear);
            let mut expected = linear.to_vec();
            for (row, offsets) in self.offsets.of(rect).enumerate() {
                let to = row * pitch_bytes as usize;
                offsets.iter().zip(&mut expected[to..]).for_each(|(from, byte)| *byte = self.tiled[*from as usize]);
            }
            copy.tiled_to_linear(self.tiled, linear)?;
            assert!(*linear == expected[..], "to linear: {}", context());
        }
        // Bytes that a kernel writes outside the rectangle are not overwritten by the next.
        assert!(*self.tiled == self.expected[..], "outside {rect:?}, pitch {pitch_bytes}, {:?}", self.surface);
        Ok(())
    }
}

/// Checks `count` rectangles, and reports progress to `done`.
fn check(count: u64, seed: u64, done: impl Fn(u64)) -> Outcome {
    let mut numbers = Numbers(seed);
    let (mut tiled, mut linear) = (Guarded::new(ARENA_BYTES, Flush::Start)?, Guarded::new(ARENA_BYTES, Flush::Start)?);
    let (tiled, linear) = (tiled.bytes(), linear.bytes());
    let mut left = count;
    while left > 0 {
        let mut canvas = Canvas::any(tiled, &mut numbers)?;
        let of_this = left.min(PER_SURFACE);
        for _ in 0..of_this {
            canvas.check_rectangle(linear, &mut numbers)?;
        }
        left -= of_this;
        done(of_this);
    }
    Ok(())
}

#[test]
fn t03_thousands_of_rectangles() -> Outcome {
    (0..40).try_for_each(|seed| check(50, seed, |_| ()))
}

#[test]
#[ignore = "minutes: a long check"]
fn t03_ten_million_rectangles() -> Outcome {
    const COUNT: u64 = 10_000_000;
    let started = Instant::now();
    const REPORT_INTERVAL: u64 = 500_000;
    let threads = thread::available_parallelism()?.get() as u64;
    let finished = AtomicU64::new(0);
    let done = &|count| {
        let before = finished.fetch_add(count, Ordering::Relaxed);
        if before / REPORT_INTERVAL != (before + count) / REPORT_INTERVAL {
            println!("{} rectangles, {:.0} s", before + count, started.elapsed().as_secs_f64());
        }
    };
    let done: Vec<Outcome> = thread::scope(|scope| {
        let share = |number| COUNT / threads + u64::from(number < COUNT % threads);
        let running: Vec<_> =
            (0..threads).map(|number| scope.spawn(move || check(share(number), 1 << 32 | number, done))).collect();
        let died = || Err("a thread found a difference, told above".into());
        running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| died())).collect()
    });
    done.into_iter().collect::<Outcome>()?;
    let kernels: Vec<String> =
        Kernel::all().iter().filter(|kernel| kernel.is_available()).map(Kernel::to_string).collect();
    println!("{COUNT} rectangles on {}: {:.0} s", kernels.join(", "), started.elapsed().as_secs_f64());
    Ok(())
}

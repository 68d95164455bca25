//! Tiled copies against a plain copy of the same bytes, in one run.
//!
//! Every round times each contestant once, so that all run under the same conditions; the best of all rounds counts.

use crate::BenchError;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Instant;
use taut_tiling::{Kernel, Layout, Position, Rect, Surface, TileCopy, TilingError, stream_copy};

const SIZES_PX: [u64; 4] = [64, 256, 1024, 4096];
const TEXEL_BYTES: u64 = 4;
const LAYOUTS: [Layout; 2] = [Layout::TileY, Layout::TileYNoCsx];
/// Duration of one measurement of memcpy, in seconds. It sets the number of calls in each measurement of the other
/// contestants too.
const SLICE_S: f64 = 400e-6;
/// Number of rounds in which the loop over texels takes part: it is slow, and its times vary little.
const TEXEL_ROUNDS: u32 = 2;

/// Best times of all contestants for one direction, layout and size.
struct TileCase {
    to_tiled: bool,
    layout: Layout,
    size_px: u64,
    memcpy_s: f64,
    tiled_s: f64,
    texels_s: f64,
    stream_s: f64,
}

impl TileCase {
    fn bytes(&self) -> f64 {
        (self.size_px * self.size_px * TEXEL_BYTES) as f64
    }

    fn ratio(&self, seconds: f64) -> f64 {
        self.memcpy_s / seconds
    }

    fn direction(&self) -> &'static str {
        if self.to_tiled { "linear_to_tiled" } else { "tiled_to_linear" }
    }

    fn json(&self) -> Value {
        json!({
            "direction": self.direction(),
            "layout": self.layout.to_string(),
            "size_px": self.size_px,
            "gb_per_s": self.bytes() / self.tiled_s / 1e9,
            "ratio_to_memcpy": self.ratio(self.tiled_s),
            "memcpy_gb_per_s": self.bytes() / self.memcpy_s / 1e9,
            "per_pixel_ratio_to_memcpy": self.ratio(self.texels_s),
            "non_temporal_ratio_to_memcpy": self.ratio(self.stream_s),
        })
    }
}

/// Options of the benchmark.
#[derive(Debug, Clone, Copy)]
pub struct TileOptions {
    /// Rounds of measurements.
    pub rounds: u32,
    /// Max size of a surface, in texels a side.
    pub max_size: u64,
}

/// Results of the benchmark.
pub struct TileFigures {
    kernel: String,
    rounds: u32,
    cases: Vec<TileCase>,
}

/// Measures tiled copies.
///
/// # Errors
/// A layout refuses a surface or a copy.
pub fn measure(options: TileOptions) -> Result<TileFigures, BenchError> {
    let mut cases = Vec::new();
    for layout in LAYOUTS {
        for to_tiled in [true, false] {
            for size_px in SIZES_PX.into_iter().filter(|size_px| *size_px <= options.max_size) {
                cases.push(measure_case(layout, to_tiled, size_px, options.rounds)?);
            }
        }
    }
    Ok(TileFigures { kernel: Kernel::best().to_string(), rounds: options.rounds, cases })
}

impl TileFigures {
    /// Figures as JSON.
    pub fn json(&self) -> Value {
        let cases: Vec<Value> = self.cases.iter().map(TileCase::json).collect();
        json!({"kernel": self.kernel, "rounds": self.rounds, "cases": cases})
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        text(&self.cases, &self.kernel, self.rounds)
    }
}

fn text(cases: &[TileCase], kernel: &str, rounds: u32) -> String {
    let mut text = format!(
        "RGBA8, one thread, instructions {kernel}; ratio to memcpy of the same bytes, best of {rounds} interleaved rounds\n"
    );
    for block in cases.chunk_by(|one, next| (one.layout, one.to_tiled) == (next.layout, next.to_tiled)) {
        let Some(first) = block.first() else { continue };
        let (layout, to_tiled) = (first.layout, first.to_tiled);
        let title = if to_tiled { format!("linear → {layout}") } else { format!("{layout} → linear") };
        text += &format!("\n{title:<28}");
        block.iter().for_each(|case| text += &format!("{:>9}", format!("{}²", case.size_px)));
        let mut row = |name: &str, value: &dyn Fn(&TileCase) -> String| {
            text += &format!("\n  {name:<26}");
            block.iter().for_each(|case| text += &format!("{:>9}", value(case)));
        };
        row("memcpy, GB/s", &|case| format!("{:.1}", case.bytes() / case.memcpy_s / 1e9));
        row("tiled copy", &|case| format!("{:.2}", case.ratio(case.tiled_s)));
        row("loop over texels", &|case| format!("{:.3}", case.ratio(case.texels_s)));
        row("plain non-temporal copy", &|case| format!("{:.2}", case.ratio(case.stream_s)));
        text.push('\n');
    }
    text
}

fn measure_case(layout: Layout, to_tiled: bool, size_px: u64, rounds: u32) -> Result<TileCase, TilingError> {
    let pitch_bytes = size_px * TEXEL_BYTES;
    let surface = Surface::fitting(layout, pitch_bytes, size_px)?;
    let copy = TileCopy::new(&surface, Rect::from_origin(pitch_bytes, size_px), pitch_bytes)?;
    let (linear_bytes, tiled_bytes) = (copy.linear_bytes(), copy.tiled_bytes());
    let (source_bytes, target_bytes) = if to_tiled { (linear_bytes, tiled_bytes) } else { (tiled_bytes, linear_bytes) };
    let (mut source_memory, mut target_memory) = (vec![1_u8; source_bytes + 4096], vec![2_u8; target_bytes + 4096]);
    let source = &*page_aligned(&mut source_memory, source_bytes);
    let target = page_aligned(&mut target_memory, target_bytes);
    let once = time(1, || target[..linear_bytes].copy_from_slice(black_box(&source[..linear_bytes])));
    let repeats = (SLICE_S / once.max(1e-9)).clamp(1.0, 4000.0) as u32;
    let mut case = TileCase {
        to_tiled,
        layout,
        size_px,
        memcpy_s: f64::INFINITY,
        tiled_s: f64::INFINITY,
        texels_s: f64::INFINITY,
        stream_s: f64::INFINITY,
    };
    for round in 0..rounds {
        let plain = || black_box(&mut *target)[..linear_bytes].copy_from_slice(black_box(&source[..linear_bytes]));
        case.memcpy_s = case.memcpy_s.min(time(repeats, plain));
        let mut failed = None;
        let tiled = time(repeats, || {
            let (source, target) = (black_box(source), black_box(&mut *target));
            let done =
                if to_tiled { copy.linear_to_tiled(source, target) } else { copy.tiled_to_linear(source, target) };
            failed = done.err();
        });
        if let Some(error) = failed {
            return Err(error);
        }
        case.tiled_s = case.tiled_s.min(tiled);
        let stream = || {
            black_box(stream_copy(black_box(&source[..linear_bytes]), black_box(&mut *target)));
        };
        case.stream_s = case.stream_s.min(time(repeats, stream));
        if round < TEXEL_ROUNDS {
            let texels = || texels(&surface, size_px, to_tiled, black_box(source), black_box(&mut *target));
            case.texels_s = case.texels_s.min(time(1, texels));
        }
    }
    Ok(case)
}

/// Copies one texel after another, each with its own address computation, which tiled copies avoid.
fn texels(surface: &Surface, size_px: u64, to_tiled: bool, source: &[u8], target: &mut [u8]) {
    let width = TEXEL_BYTES as usize;
    for y in 0..size_px {
        for x in 0..size_px {
            let at = Position { x_bytes: x * TEXEL_BYTES, y, z: 0 };
            let Ok(tiled) = surface.offset_bytes(at) else { continue };
            let (linear, tiled) = (((y * size_px + x) * TEXEL_BYTES) as usize, tiled as usize);
            let (from, to) = if to_tiled { (linear, tiled) } else { (tiled, linear) };
            target[to..to + width].copy_from_slice(&source[from..from + width]);
        }
    }
}

/// Mean seconds of `repeats` calls, after a first call that brings the caches into their steady state.
fn time(repeats: u32, mut work: impl FnMut()) -> f64 {
    work();
    let start = Instant::now();
    (0..repeats).for_each(|_| work());
    start.elapsed().as_secs_f64() / f64::from(repeats)
}

fn page_aligned(memory: &mut [u8], length: usize) -> &mut [u8] {
    let skip = memory.as_ptr().align_offset(4096);
    &mut memory[skip..][..length]
}

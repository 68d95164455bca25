//! Speed of the copies relative to a plain copy of the same bytes.
//!
//! Absolute times vary between machines and over time, so every round times the plain copy and each kernel one after
//! another. The best round counts, as in `taut bench tile`: other load on the machine only ever adds time. The result
//! is the ratio: 1.0 is as fast as memcpy, higher is better. RGBA8 surfaces, whole, one thread, page-aligned buffers.
//!
//! `cargo bench --bench ratio -- tile4 ys_32` measures these layouts instead of the usual four.
#![allow(missing_docs)]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use taut_tiling::{Kernel, Layout, Rect, Streaming, Surface, TileCopy};

const SIZES_PX: [u64; 4] = [64, 256, 1024, 4096];
const TEXEL_BYTES: u64 = 4;
const ROUNDS: usize = 41;
/// Approximate duration of one measurement of one copy.
const SLICE: Duration = Duration::from_micros(400);

fn main() -> Result<(), Box<dyn Error>> {
    let selected = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let mut layouts = selected.map(|name| name.parse()).collect::<Result<Vec<Layout>, _>>()?;
    if layouts.is_empty() {
        layouts = vec![Layout::TileY, Layout::TileYNoCsx, Layout::Tile4, Layout::Ys32];
    }
    println!(
        "ratio to memcpy of the same bytes, best of {ROUNDS} interleaved rounds; best kernel here: {}",
        Kernel::best()
    );
    for layout in layouts {
        for to_tiled in [true, false] {
            table(layout, to_tiled)?;
        }
    }
    Ok(())
}

/// Compared copies: the library's own choice first, then every kernel with ordinary stores. Streaming stores in
/// unsuitable cases would evict the caches for the next copy, so they are left out.
fn contestants() -> Vec<(String, Option<Kernel>, Streaming)> {
    let kernels = Kernel::all().iter().filter(|kernel| kernel.is_available());
    let forced = kernels.map(|&kernel| (format!("{kernel}, ordinary stores"), Some(kernel), Streaming::Never));
    std::iter::once(("automatic".to_owned(), None, Streaming::Auto)).chain(forced).collect()
}

fn table(layout: Layout, to_tiled: bool) -> Result<(), Box<dyn Error>> {
    let contestants = contestants();
    let mut columns = Vec::new();
    for size_px in SIZES_PX {
        columns.push(column(layout, to_tiled, size_px, &contestants)?);
    }
    let direction = if to_tiled { format!("linear -> {layout}") } else { format!("{layout} -> linear") };
    print!("\n{direction:<26}");
    SIZES_PX.iter().for_each(|size_px| print!("{:>9}", format!("{size_px}²")));
    print!("\n{:<26}", "memcpy, GB/s");
    columns.iter().for_each(|(gb_per_s, _)| print!("{gb_per_s:>9.1}"));
    println!();
    for (row, (name, ..)) in contestants.iter().enumerate() {
        print!("{name:<26}");
        columns.iter().for_each(|(_, ratios)| print!("{:>9.2}", ratios[row]));
        println!();
    }
    Ok(())
}

/// Returns GB/s of memcpy (bytes copied, each counted once) and the ratio of each copy to it.
fn column(
    layout: Layout,
    to_tiled: bool,
    size_px: u64,
    contestants: &[(String, Option<Kernel>, Streaming)],
) -> Result<(f64, Vec<f64>), Box<dyn Error>> {
    let pitch_bytes = size_px * TEXEL_BYTES;
    let surface = Surface::fitting(layout, pitch_bytes, size_px)?;
    let copy = TileCopy::new(&surface, Rect::from_origin(pitch_bytes, size_px), pitch_bytes)?;
    let (source_bytes, target_bytes) = match to_tiled {
        true => (copy.linear_bytes(), copy.tiled_bytes()),
        false => (copy.tiled_bytes(), copy.linear_bytes()),
    };
    let mut source_memory = vec![1u8; source_bytes + 4096];
    let mut target_memory = vec![2u8; target_bytes + 4096];
    let (source, target) =
        (page_aligned(&mut source_memory, source_bytes), page_aligned(&mut target_memory, target_bytes));
    let moved = copy.linear_bytes();

    let mut copies = Vec::new();
    for (_, kernel, streaming) in contestants {
        let copy = copy.with_streaming(*streaming);
        copies.push(kernel.map_or(Ok(copy), |kernel| copy.with_kernel(kernel))?);
    }
    let plain_once = time(1, || target[..moved].copy_from_slice(black_box(&source[..moved])));
    let repeats = (SLICE.as_secs_f64() / plain_once.max(1e-9)).clamp(1.0, 4000.0) as u32;
    let mut plain = f64::INFINITY;
    let mut times = vec![f64::INFINITY; contestants.len()];
    for _ in 0..ROUNDS {
        let copy_plainly = || black_box(&mut *target)[..moved].copy_from_slice(black_box(&source[..moved]));
        plain = plain.min(time(repeats, copy_plainly));
        for (copy, best) in copies.iter().zip(&mut times) {
            *best = best.min(time(repeats, || {
                let (source, target) = (black_box(&*source), black_box(&mut *target));
                let done =
                    if to_tiled { copy.linear_to_tiled(source, target) } else { copy.tiled_to_linear(source, target) };
                assert_eq!(done, Ok(()));
            }));
        }
    }
    Ok((moved as f64 / plain / 1e9, times.iter().map(|time| plain / time).collect()))
}

/// Returns the seconds per call of `repeats` calls, after one that warms the caches.
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

//! Throughput of the copies alone; `ratio` compares them with memcpy.
#![allow(missing_docs)]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use taut_tiling::{Layout, Rect, Surface, TileCopy, TilingError};

const SIZES_PX: [u64; 3] = [64, 256, 1024];

fn main() {
    divan::main();
}

/// Returns a copy of a whole RGBA8 surface, with memory for both sides.
fn whole(layout: Layout, size_px: u64) -> Result<(TileCopy, Vec<u8>, Vec<u8>), TilingError> {
    let pitch_bytes = size_px * 4;
    let surface = Surface::fitting(layout, pitch_bytes, size_px)?;
    let copy = TileCopy::new(&surface, Rect::from_origin(pitch_bytes, size_px), pitch_bytes)?;
    Ok((copy, vec![1; copy.linear_bytes()], vec![2; copy.tiled_bytes()]))
}

#[divan::bench(args = SIZES_PX, consts = [Layout::TileY as usize, Layout::TileX as usize, Layout::W as usize, Layout::Ys32 as usize])]
fn linear_to_tiled<const LAYOUT: usize>(bencher: Bencher<'_, '_>, size_px: u64) {
    let Ok((copy, linear, mut tiled)) = whole(Layout::all()[LAYOUT], size_px) else { return };
    let bencher = bencher.counter(BytesCount::new(copy.linear_bytes()));
    bencher.bench_local(|| copy.linear_to_tiled(black_box(&linear), black_box(&mut tiled)));
}

#[divan::bench(args = SIZES_PX, consts = [Layout::TileY as usize, Layout::TileX as usize, Layout::W as usize, Layout::Ys32 as usize])]
fn tiled_to_linear<const LAYOUT: usize>(bencher: Bencher<'_, '_>, size_px: u64) {
    let Ok((copy, mut linear, tiled)) = whole(Layout::all()[LAYOUT], size_px) else { return };
    let bencher = bencher.counter(BytesCount::new(copy.linear_bytes()));
    bencher.bench_local(|| copy.tiled_to_linear(black_box(&tiled), black_box(&mut linear)));
}

/// Benchmarks an unaligned rectangle.
#[divan::bench(args = SIZES_PX)]
fn unaligned_rectangle(bencher: Bencher<'_, '_>, size_px: u64) {
    let Ok(surface) = Surface::fitting(Layout::TileY, size_px * 4 + 64, size_px + 8) else { return };
    let rect = Rect { x_bytes: 12, y: 3, z: 0, width_bytes: size_px * 4, rows: size_px };
    let Ok(copy) = TileCopy::new(&surface, rect, size_px * 4) else { return };
    let (linear, mut tiled) = (vec![1; copy.linear_bytes()], vec![2; copy.tiled_bytes()]);
    let bencher = bencher.counter(BytesCount::new(copy.linear_bytes()));
    bencher.bench_local(|| copy.linear_to_tiled(black_box(&linear), black_box(&mut tiled)));
}

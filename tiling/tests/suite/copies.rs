//! Tests of every kernel against the address function, on any rectangle, in memory between guard pages.
#![cfg(unix)]

use crate::guarded;

use std::error::Error;
use std::sync::LazyLock;

use guarded::{Flush, Guarded};
use proptest::prelude::*;
use taut_tiling::{Kernel, Layout, Position, Rect, Streaming, Surface, TileCopy, linear_to_tiled, tiled_to_linear};

/// A copy with the placement of its memory.
#[derive(Clone, Debug)]
struct Case {
    surface: Surface,
    rect: Rect,
    linear_pitch_bytes: u64,
    flush: Flush,
    /// Bytes by which both sides are longer than needed; makes their starts unaligned with `Flush::End`.
    surplus: [usize; 2],
    streaming: Streaming,
}

fn noise(at: u64) -> u8 {
    (at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// Fills `bytes` with noise that depends on `seed`.
fn fill(bytes: &mut [u8], seed: usize) {
    static NOISE: LazyLock<Vec<u8>> = LazyLock::new(|| (0..1 << 22).map(noise).collect());
    bytes.copy_from_slice(&NOISE[seed * 1013..][..bytes.len()]);
}

/// Returns the bytes of the rectangle: offset on the linear side, offset on the tiled side.
fn pairs(case: &Case) -> Result<Vec<(usize, usize)>, Box<dyn Error>> {
    let Rect { x_bytes, y, z, width_bytes, rows } = case.rect;
    let mut pairs = Vec::new();
    for row in 0..rows {
        for byte in 0..width_bytes {
            let tiled = case.surface.offset_bytes(Position { x_bytes: x_bytes + byte, y: y + row, z })?;
            pairs.push((usize::try_from(row * case.linear_pitch_bytes + byte)?, usize::try_from(tiled)?));
        }
    }
    Ok(pairs)
}

/// Copies in both directions with every available kernel; all bytes must match the address function, and those outside
/// the rectangle must be unchanged.
fn check(case: &Case) -> Result<(), Box<dyn Error>> {
    let copy = TileCopy::new(&case.surface, case.rect, case.linear_pitch_bytes)?.with_streaming(case.streaming);
    let pairs = pairs(case)?;
    let mut linear = Guarded::new(copy.linear_bytes() + case.surplus[0], case.flush)?;
    let mut tiled = Guarded::new(copy.tiled_bytes() + case.surplus[1], case.flush)?;
    let (linear, tiled) = (linear.bytes(), tiled.bytes());
    fill(linear, 0);
    fill(tiled, 1);
    let mut expected = tiled.to_vec();
    pairs.iter().for_each(|&(from, to)| expected[to] = linear[from]);
    for &kernel in Kernel::all().iter().filter(|kernel| kernel.is_available()) {
        fill(tiled, 1);
        copy.with_kernel(kernel)?.linear_to_tiled(linear, tiled)?;
        assert_eq!(first_difference(tiled, &expected), None, "{kernel} to tiled: {case:?}");
    }

    fill(tiled, 2);
    let mut expected = linear.to_vec();
    pairs.iter().for_each(|&(to, from)| expected[to] = tiled[from]);
    for &kernel in Kernel::all().iter().filter(|kernel| kernel.is_available()) {
        fill(linear, 0);
        copy.with_kernel(kernel)?.tiled_to_linear(tiled, linear)?;
        assert_eq!(first_difference(linear, &expected), None, "{kernel} to linear: {case:?}");
    }
    Ok(())
}

fn first_difference(found: &[u8], expected: &[u8]) -> Option<usize> {
    if found == expected {
        return None;
    }
    found.iter().zip(expected).position(|(found, expected)| found != expected)
}

/// Generates surfaces of a few tiles, some with an odd row or slice, and rectangles in them.
fn any_case() -> impl Strategy<Value = Case> {
    let layout = proptest::sample::select(Layout::all());
    (layout, 1u64..4, 1u64..80, 1u64..20, any::<[u64; 5]>(), 0u64..100, any::<bool>(), any::<[u8; 2]>(), 0usize..3)
        .prop_filter_map(
            "rectangle too large to check byte by byte",
            |(layout, tiles, rows, slices, pick, extra_pitch, flush, surplus, streaming)| {
                let rule = layout.rule();
                let slices = if rule.is_3d() { slices } else { 1 };
                let surface = Surface::with_slices(layout, tiles * rule.tile_width_bytes(), rows, slices).ok()?;
                let (x_bytes, y) = (pick[0] % surface.pitch_bytes(), pick[1] % rows);
                let width_bytes = 1 + pick[3] % (surface.pitch_bytes() - x_bytes);
                let rect = Rect { x_bytes, y, z: pick[2] % slices, width_bytes, rows: 1 + pick[4] % (rows - y) };
                Some(Case {
                    surface,
                    rect,
                    linear_pitch_bytes: width_bytes + extra_pitch,
                    flush: if flush { Flush::Start } else { Flush::End },
                    surplus: surplus.map(usize::from),
                    streaming: [Streaming::Auto, Streaming::Never, Streaming::Always][streaming],
                })
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn t03_every_kernel_follows_the_address_function(case in any_case()) {
        check(&case).map_err(|error| TestCaseError::fail(error.to_string()))?;
    }
}

/// Whole aligned surfaces, for which kernels take their widest path and may stream.
#[test]
fn t03_whole_surfaces_on_every_kernel() -> Result<(), Box<dyn Error>> {
    for &layout in Layout::all() {
        let rule = layout.rule();
        let slices = if rule.is_3d() { 2 } else { 1 };
        let surface = Surface::with_slices(layout, rule.tile_width_bytes() * 2, rule.tile_rows() + 4, slices)?;
        let rect = Rect { z: slices - 1, ..Rect::from_origin(surface.pitch_bytes(), surface.rows()) };
        for streaming in [Streaming::Never, Streaming::Always] {
            let linear_pitch_bytes = surface.pitch_bytes();
            check(&Case { surface, rect, linear_pitch_bytes, flush: Flush::Start, surplus: [0; 2], streaming })?;
        }
    }
    Ok(())
}

/// Every alignment of the left and right edge, and of the top and bottom one, within a group of lines.
#[test]
fn t03_every_edge_alignment() -> Result<(), Box<dyn Error>> {
    for layout in [Layout::TileY, Layout::Tile4, Layout::Ys32, Layout::TileX, Layout::W] {
        let surface = Surface::new(layout, layout.rule().tile_width_bytes() * 2, 12)?;
        for start in 0..=66 {
            for end in start + 1..=surface.pitch_bytes().min(140) {
                let (y, rows) = (start % 5, 1 + end % 7);
                let rect = Rect { x_bytes: start, y, z: 0, width_bytes: end - start, rows };
                let flush = if end % 2 == 0 { Flush::Start } else { Flush::End };
                let linear_pitch_bytes = rect.width_bytes + start % 3;
                check(&Case {
                    surface,
                    rect,
                    linear_pitch_bytes,
                    flush,
                    surplus: [0; 2],
                    streaming: Streaming::Never,
                })?;
            }
        }
    }
    Ok(())
}

#[test]
fn short_forms_copy_in_both_directions() -> Result<(), Box<dyn Error>> {
    let surface = Surface::fitting(Layout::Ys64, 300 * 8, 70)?;
    let rect = Rect { x_bytes: 8, y: 1, z: 0, width_bytes: 290 * 8, rows: 60 };
    let linear: Vec<u8> = (0..2500 * 60).map(noise).collect();
    let mut tiled = vec![0; usize::try_from(surface.size_bytes())?];
    linear_to_tiled(&linear, 2500, &mut tiled, &surface, rect)?;
    let mut back = vec![0; linear.len()];
    tiled_to_linear(&tiled, &surface, rect, &mut back, 2500)?;
    for row in 0..60 {
        assert_eq!(back[row * 2500..][..290 * 8], linear[row * 2500..][..290 * 8]);
        assert!(back[row * 2500 + 290 * 8..][..180].iter().all(|&byte| byte == 0));
    }
    Ok(())
}

/// The plain copy copies correctly for any begin and end of its slices.
#[test]
fn a_streamed_copy_is_a_copy() {
    let source: Vec<u8> = (0..1000_usize).map(|at| (at * 31) as u8).collect();
    for skip in 0..20 {
        for count in [0, 1, 63, 64, 65, 500, 900] {
            let mut target = vec![0xaa_u8; 1000];
            assert_eq!(taut_tiling::stream_copy(&source[..count], &mut target[skip..]), count);
            assert_eq!(target[skip..skip + count], source[..count]);
            assert!(target[..skip].iter().chain(&target[skip + count..]).all(|byte| *byte == 0xaa));
        }
    }
}

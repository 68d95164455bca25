//! Tests that invalid input is rejected with the argument and the reason, without a panic.

use proptest::prelude::*;
use taut_tiling::{Kernel, Layout, Rect, Surface, TileCopy, TilingError, linear_to_tiled, tiled_to_linear};

fn surface() -> Result<Surface, TilingError> {
    Surface::new(Layout::TileY, 256, 40)
}

#[test]
fn invalid_surfaces_report_the_reason() {
    let refused = [
        (
            Surface::new(Layout::TileY, 100, 8),
            TilingError::PitchNotTileMultiple { pitch_bytes: 100, tile_width_bytes: 128 },
        ),
        (
            Surface::new(Layout::TileX, 0, 8),
            TilingError::PitchNotTileMultiple { pitch_bytes: 0, tile_width_bytes: 512 },
        ),
        (Surface::new(Layout::TileY, 128, 0), TilingError::ZeroSize { argument: "rows" }),
        (Surface::with_slices(Layout::Ys3d8, 64, 1, 0), TilingError::ZeroSize { argument: "slices" }),
        (Surface::with_slices(Layout::Ys8, 256, 1, 2), TilingError::Outside { argument: "slices", found: 2, limit: 1 }),
        (Surface::new(Layout::TileY, 1 << 40, 1 << 40), TilingError::Overflow { argument: "size_bytes" }),
        (Surface::fitting(Layout::TileY, 0, 1), TilingError::ZeroSize { argument: "width_bytes" }),
        (Surface::fitting(Layout::TileY, u64::MAX, 1), TilingError::Overflow { argument: "width_bytes" }),
    ];
    for (number, (found, expected)) in refused.into_iter().enumerate() {
        assert_eq!(found, Err(expected), "case {number}");
    }
}

#[test]
fn invalid_rectangles_report_the_reason() -> Result<(), TilingError> {
    let surface = surface()?;
    let inside = Rect { x_bytes: 4, y: 2, z: 0, width_bytes: 16, rows: 3 };
    let refused = [
        (Rect { width_bytes: 0, ..inside }, 16, TilingError::ZeroSize { argument: "width_bytes" }),
        (Rect { rows: 0, ..inside }, 16, TilingError::ZeroSize { argument: "rows" }),
        (Rect { x_bytes: 250, ..inside }, 16, TilingError::Outside { argument: "x_bytes", found: 266, limit: 256 }),
        (Rect { y: 38, ..inside }, 16, TilingError::Outside { argument: "y", found: 41, limit: 40 }),
        (Rect { z: 1, ..inside }, 16, TilingError::Outside { argument: "z", found: 2, limit: 1 }),
        (Rect { x_bytes: u64::MAX, ..inside }, 16, TilingError::Overflow { argument: "x_bytes" }),
        (Rect { y: u64::MAX, ..inside }, 16, TilingError::Overflow { argument: "y" }),
        (inside, 15, TilingError::LinearPitchTooSmall { linear_pitch_bytes: 15, width_bytes: 16 }),
        (inside, u64::MAX, TilingError::Overflow { argument: "linear_pitch_bytes" }),
        (inside, u64::MAX / 4, TilingError::Overflow { argument: "linear_pitch_bytes" }),
    ];
    for (number, (rect, pitch, expected)) in refused.into_iter().enumerate() {
        assert_eq!(TileCopy::new(&surface, rect, pitch).err(), Some(expected), "case {number}");
    }
    Ok(())
}

/// The pitch of a single row is not used.
#[test]
fn one_row_takes_any_pitch() -> Result<(), TilingError> {
    let copy = TileCopy::new(&surface()?, Rect { x_bytes: 0, y: 5, z: 0, width_bytes: 256, rows: 1 }, u64::MAX)?;
    assert_eq!(copy.linear_bytes(), 256);
    let mut tiled = vec![0; copy.tiled_bytes()];
    for &kernel in Kernel::all().iter().filter(|kernel| kernel.is_available()) {
        copy.with_kernel(kernel)?.linear_to_tiled(&[1; 256], &mut tiled)?;
    }
    Ok(())
}

#[test]
fn short_buffers_are_refused() -> Result<(), TilingError> {
    let (surface, rect) = (surface()?, Rect::from_origin(200, 40));
    let needed = 256 * 64;
    let (mut linear, mut tiled) = (vec![0; 39 * 200 + 200], vec![0; needed]);
    linear_to_tiled(&linear, 200, &mut tiled, &surface, rect)?;
    tiled_to_linear(&tiled, &surface, rect, &mut linear, 200)?;
    let short_tiled =
        TilingError::BufferTooShort { argument: "tiled", needed_bytes: needed as u64, found_bytes: needed as u64 - 1 };
    assert_eq!(linear_to_tiled(&linear, 200, &mut tiled[1..], &surface, rect), Err(short_tiled));
    assert_eq!(tiled_to_linear(&tiled[1..], &surface, rect, &mut linear, 200), Err(short_tiled));
    let short_linear = TilingError::BufferTooShort { argument: "linear", needed_bytes: 8000, found_bytes: 7999 };
    assert_eq!(linear_to_tiled(&linear[1..], 200, &mut tiled, &surface, rect), Err(short_linear));
    assert_eq!(tiled_to_linear(&tiled, &surface, rect, &mut linear[1..], 200), Err(short_linear));
    Ok(())
}

#[test]
fn a_missing_kernel_is_refused() -> Result<(), TilingError> {
    let copy = TileCopy::new(&surface()?, Rect::from_origin(16, 1), 16)?;
    for &kernel in Kernel::all() {
        let refused = copy.with_kernel(kernel).err();
        assert_eq!(refused, (!kernel.is_available()).then_some(TilingError::KernelUnavailable { kernel }));
    }
    assert!(Kernel::best().is_available());
    Ok(())
}

#[test]
fn messages_name_the_argument() {
    let error = TilingError::BufferTooShort { argument: "tiled", needed_bytes: 2, found_bytes: 1 };
    assert_eq!(error.to_string(), "tiled: 2 bytes needed, 1 found");
    let error = TilingError::KernelUnavailable { kernel: Kernel::Avx512 };
    assert_eq!(error.to_string(), "kernel: avx512 is not available on this machine");
}

proptest! {
    /// For any arguments: an error, or a copy that fits its buffers.
    #[test]
    fn no_arguments_make_copies_panic(
        layout in proptest::sample::select(Layout::all()), tiles in 0u64..4, rows in 0u64..300, slices in 0u64..40,
        numbers in any::<[u64; 6]>(), shift in 40u32..64, lengths in any::<[u16; 2]>(),
    ) {
        let small = numbers.map(|number| number >> shift);
        for n in [numbers, small] {
            let Ok(surface) = Surface::with_slices(layout, tiles * layout.rule().tile_width_bytes(), rows, slices) else { continue };
            let rect = Rect { x_bytes: n[0], y: n[1], z: n[2], width_bytes: n[3], rows: n[4] };
            let mut linear = vec![0; usize::from(lengths[0])];
            let mut tiled = vec![0; usize::from(lengths[1]) * 8];
            let _ = linear_to_tiled(&linear, n[5], &mut tiled, &surface, rect);
            let _ = tiled_to_linear(&tiled, &surface, rect, &mut linear, n[5]);
        }
    }
}

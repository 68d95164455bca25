//! Tests of observed stores: the order in which the kernels write memory.

use taut_tiling::{Kernel, Layout, Rect, Surface, TileCopy, TilingError};

fn stores(copy: &TileCopy, kernel: Kernel) -> Vec<(usize, usize)> {
    let mut stores = Vec::new();
    copy.observe_to_tiled(kernel, |offset_bytes, width_bytes| stores.push((offset_bytes, width_bytes)));
    stores
}

/// Rule T-07: a write-combining buffer holds one 64-byte line, so every kernel finishes a line before the next is
/// begun, in every layout whose lines hold four rows.
#[test]
fn t07_lines_are_finished_before_the_next_is_begun() -> Result<(), TilingError> {
    let whole_lines = |layout: &&Layout| !matches!(layout, Layout::W | Layout::TileX | Layout::TileXNoCsx);
    for &layout in Layout::all().iter().filter(whole_lines) {
        let surface = Surface::new(layout, layout.rule().tile_width_bytes() * 2, layout.rule().tile_rows())?;
        let copy = TileCopy::new(&surface, Rect::from_origin(surface.pitch_bytes(), surface.rows()), 4096)?;
        for &kernel in Kernel::all() {
            let stores = stores(&copy, kernel);
            let width = kernel.store_width_bytes() as usize;
            let mut lines = Vec::new();
            for line in stores.chunks(64 / width) {
                let start = line[0].0;
                assert_eq!(start % 64, 0, "{layout}, {kernel}");
                for (number, &store) in line.iter().enumerate() {
                    assert_eq!(store, (start + number * width, width), "{layout}, {kernel}");
                }
                lines.push(start / 64);
            }
            lines.sort_unstable();
            // In three dimensions, one slice has only some of the lines.
            let expected = (surface.pitch_bytes() * surface.rows() / 64) as usize;
            lines.dedup();
            assert_eq!(lines.len(), expected, "{layout}, {kernel}");
        }
    }
    Ok(())
}

/// Every byte of the rectangle is stored once, and no other byte, for any edges.
#[test]
fn observed_stores_cover_the_rectangle_once() -> Result<(), TilingError> {
    for &layout in Layout::all() {
        let surface = Surface::new(layout, layout.rule().tile_width_bytes() * 2, 40)?;
        let rect = Rect { x_bytes: 13, y: 3, z: 0, width_bytes: layout.rule().tile_width_bytes() + 9, rows: 30 };
        let copy = TileCopy::new(&surface, rect, rect.width_bytes)?;
        for &kernel in Kernel::all() {
            let mut stored = vec![0u8; copy.tiled_bytes()];
            for (offset, width) in stores(&copy, kernel) {
                assert!(width.is_power_of_two(), "{layout}, {kernel}");
                stored[offset..][..width].iter_mut().for_each(|count| *count += 1);
            }
            for (offset, &count) in (0u64..).zip(&stored) {
                let at = surface.position(offset)?;
                let inside =
                    (13..rect.x_bytes + rect.width_bytes).contains(&at.x_bytes) && (3..33).contains(&at.y) && at.z == 0;
                assert_eq!(count, u8::from(inside), "{layout}, {kernel}: {at:?}");
            }
        }
    }
    Ok(())
}

/// On the linear side, each row of 64 bytes is written at once.
#[test]
fn observed_stores_to_linear_memory() -> Result<(), TilingError> {
    let surface = Surface::new(Layout::TileY, 128, 4)?;
    let copy = TileCopy::new(&surface, Rect::from_origin(128, 4), 200)?;
    let mut stores = Vec::new();
    copy.observe_to_linear(Kernel::Avx512, |offset_bytes, width_bytes| stores.push((offset_bytes, width_bytes)));
    assert_eq!(stores, [0, 200, 400, 600, 64, 264, 464, 664].map(|offset| (offset, 64)));
    Ok(())
}

//! Properties of every line of the table of layouts.

use proptest::prelude::*;
use taut_tiling::{Layout, Position, Surface, TilingError};

/// Rule T-03: over whole tiles, every offset is hit exactly once, and the inverse returns the position.
#[test]
fn t03_bijection_on_whole_tiles() -> Result<(), TilingError> {
    for &layout in Layout::all() {
        let rule = layout.rule();
        let (pitch_bytes, rows, slices) = (rule.tile_width_bytes() * 2, rule.tile_rows() * 2, rule.tile_slices());
        let surface = Surface::with_slices(layout, pitch_bytes, rows, slices)?;
        let mut hit = vec![false; usize::try_from(surface.size_bytes()).unwrap_or(0)];
        for z in 0..slices {
            for y in 0..rows {
                for x_bytes in 0..pitch_bytes {
                    let at = Position { x_bytes, y, z };
                    let offset = surface.offset_bytes(at)?;
                    assert!(!core::mem::replace(&mut hit[offset as usize], true), "{layout}: {at:?} is not alone");
                    assert_eq!(surface.position(offset)?, at, "{layout}");
                }
            }
        }
        assert!(hit.into_iter().all(|hit| hit), "{layout}");
    }
    Ok(())
}

/// The last bytes of a tile are those of its last texel: no high bit is lost or swapped.
#[test]
fn t03_corners_of_a_tile() -> Result<(), TilingError> {
    for &layout in Layout::all() {
        let rule = layout.rule();
        let end = Position { x_bytes: rule.tile_width_bytes() - 1, y: rule.tile_rows() - 1, z: rule.tile_slices() - 1 };
        let last = rule.tile_bytes() - 1;
        let flipped = ((last & rule.bit6_toggles).count_ones() & 1) << 6;
        assert_eq!(layout.offset_bytes(end, rule.tile_width_bytes(), None)?, last ^ u64::from(flipped), "{layout}");
    }
    Ok(())
}

fn any_layout() -> impl Strategy<Value = Layout> {
    proptest::sample::select(Layout::all())
}

proptest! {
    /// Rule T-03 on large surfaces, three dimensions included.
    #[test]
    fn t03_forward_and_inverse_agree(
        layout in any_layout(), tiles in 1u64..2000, rows in 1u64..100_000, slices in 1u64..500, pick in any::<[u64; 3]>(),
    ) {
        let rule = layout.rule();
        let slices = if rule.is_3d() { slices } else { 1 };
        let surface = Surface::with_slices(layout, tiles * rule.tile_width_bytes(), rows, slices)?;
        let at = Position { x_bytes: pick[0] % surface.pitch_bytes(), y: pick[1] % rows, z: pick[2] % slices };
        let offset = surface.offset_bytes(at)?;
        prop_assert!(offset < surface.size_bytes());
        prop_assert_eq!(surface.position(offset)?, at);
    }

    /// For any arguments, an address function returns a value or an error.
    #[test]
    fn no_arguments_make_addresses_panic(
        layout in any_layout(), x_bytes: u64, y: u64, z: u64, pitch_bytes: u64, rows: Option<u64>, slices: u64, tiles in 0u64..u64::MAX >> 6,
    ) {
        for pitch_bytes in [pitch_bytes, tiles.wrapping_mul(layout.rule().tile_width_bytes())] {
            for at in [Position { x_bytes, y, z }, Position { x_bytes: x_bytes % pitch_bytes.max(1), y: y % rows.unwrap_or(9).max(1), z: z % 64 }] {
                if let Ok(offset) = layout.offset_bytes(at, pitch_bytes, rows) {
                    prop_assert_eq!(layout.position(offset, pitch_bytes, rows), Ok(at));
                }
            }
            let _ = layout.position(x_bytes, pitch_bytes, rows);
            let _ = Surface::with_slices(layout, pitch_bytes, rows.unwrap_or(y), slices);
            let _ = Surface::fitting(layout, pitch_bytes, y);
        }
        let _ = Position::from_texel(x_bytes, y, z, slices);
    }
}

#[test]
fn invalid_addresses_report_the_reason() {
    let at = |x_bytes, y, z| Position { x_bytes, y, z };
    let y_tile = Layout::TileY;
    let refused = [
        (
            y_tile.offset_bytes(at(0, 0, 0), 0, None),
            TilingError::PitchNotTileMultiple { pitch_bytes: 0, tile_width_bytes: 128 },
        ),
        (
            y_tile.offset_bytes(at(0, 0, 0), 200, None),
            TilingError::PitchNotTileMultiple { pitch_bytes: 200, tile_width_bytes: 128 },
        ),
        (
            y_tile.offset_bytes(at(128, 0, 0), 128, None),
            TilingError::Outside { argument: "x_bytes", found: 128, limit: 128 },
        ),
        (y_tile.offset_bytes(at(0, 0, 1), 128, None), TilingError::Outside { argument: "z", found: 1, limit: 1 }),
        (y_tile.offset_bytes(at(0, 0, 1), 128, Some(8)), TilingError::Outside { argument: "z", found: 1, limit: 1 }),
        (y_tile.offset_bytes(at(0, 8, 0), 128, Some(8)), TilingError::Outside { argument: "y", found: 8, limit: 8 }),
        (y_tile.offset_bytes(at(0, 0, 0), 128, Some(0)), TilingError::ZeroSize { argument: "rows" }),
        (y_tile.offset_bytes(at(0, u64::MAX, 0), 128, None), TilingError::Overflow { argument: "y" }),
        (
            Layout::Ys3d32.offset_bytes(at(0, 0, 16), 128, None),
            TilingError::Outside { argument: "z", found: 16, limit: 16 },
        ),
        (Layout::Ys3d32.offset_bytes(at(0, 0, u64::MAX), 128, Some(u64::MAX)), TilingError::Overflow { argument: "z" }),
    ];
    for (number, (found, expected)) in refused.into_iter().enumerate() {
        assert_eq!(found, Err(expected), "case {number}");
    }
    assert_eq!(
        y_tile.position(4096, 128, Some(32)),
        Err(TilingError::Outside { argument: "offset_bytes", found: 4096, limit: 4096 })
    );
    assert_eq!(Position::from_texel(1, 0, 0, 0), Err(TilingError::ZeroSize { argument: "unit_bytes" }));
    assert_eq!(Position::from_texel(u64::MAX, 0, 0, 4), Err(TilingError::Overflow { argument: "x" }));
}

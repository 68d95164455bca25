//! Tests of published addresses, and of the shapes of tiles.

use taut_tiling::{LAYOUTS, Layout, Position, TilingError};

/// Rules T-01 (`tile_y_no_csx`), T-02 (`tile_y`), and the published values of `tile_x_no_csx` and `tile4`.
#[test]
fn t01_t02_published_addresses() -> Result<(), Box<dyn std::error::Error>> {
    let text = include_str!("../../testdata/tiling-vectors.csv");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let layouts = [Layout::TileY, Layout::TileYNoCsx, Layout::TileXNoCsx, Layout::Tile4];
    assert_eq!(lines.next(), Some("x_bytes,y,pitch,tile_y_csx,tile_y_no_csx,tile_x_no_csx,tile4"));
    let mut seen = 0;
    for line in lines {
        let numbers = line.split(',').map(str::parse::<i64>).collect::<Result<Vec<_>, _>>()?;
        let [x, y, pitch, published @ ..] = numbers.as_slice() else { return Err("a line is too short".into()) };
        let at = Position { x_bytes: u64::try_from(*x)?, y: u64::try_from(*y)?, z: 0 };
        let pitch_bytes = u64::try_from(*pitch)?;
        assert_eq!(published.len(), layouts.len());
        for (layout, &offset) in layouts.into_iter().zip(published) {
            let ours = layout.offset_bytes(at, pitch_bytes, None);
            if offset < 0 {
                assert!(matches!(ours, Err(TilingError::PitchNotTileMultiple { .. })), "{layout}: {line}");
            } else {
                assert_eq!(ours, Ok(u64::try_from(offset)?), "{layout}: {line}");
                assert_eq!(layout.position(u64::try_from(offset)?, pitch_bytes, None), Ok(at), "{layout}: {line}");
            }
        }
        seen += 1;
    }
    assert_eq!(seen, 64);
    Ok(())
}

/// Rule T-02 as worded in the source: in odd columns of 16 bytes, row r is stored where row r ^ 4 would be.
#[test]
fn t02_odd_columns_swap_four_rows() -> Result<(), TilingError> {
    for x_bytes in 0..256 {
        for y in 0..64 {
            let moved = if x_bytes / 16 % 2 == 1 { y ^ 4 } else { y };
            let swizzled = Layout::TileY.offset_bytes(Position { x_bytes, y, z: 0 }, 256, None)?;
            let plain = Layout::TileYNoCsx.offset_bytes(Position { x_bytes, y: moved, z: 0 }, 256, None)?;
            assert_eq!(swizzled, plain);
        }
    }
    Ok(())
}

/// Visits memory in storage order as described in prose, with loops and no bit arithmetic: tiles row by row, columns of
/// 16 bytes, 32 rows each.
#[test]
fn t01_storage_order_of_the_prose() -> Result<(), TilingError> {
    let (pitch_bytes, rows) = (384, 96);
    let mut offset = 0;
    for tile_y in (0..rows).step_by(32) {
        for tile_x in (0..pitch_bytes).step_by(128) {
            for column in 0..8 {
                for row in 0..32 {
                    for byte in 0..16 {
                        let at = Position { x_bytes: tile_x + column * 16 + byte, y: tile_y + row, z: 0 };
                        assert_eq!(Layout::TileYNoCsx.offset_bytes(at, pitch_bytes, None)?, offset);
                        offset += 1;
                    }
                }
            }
        }
    }
    Ok(())
}

/// X-tiles: 512 bytes by 8 rows, row by row; the channel swizzle toggles bit 6 by bits 9 and 10.
#[test]
fn tile_x_rows_and_channel_swizzle() -> Result<(), TilingError> {
    for y in 0..32 {
        for x_bytes in 0..1024 {
            let at = Position { x_bytes, y, z: 0 };
            let plain = (y / 8 * 2 + x_bytes / 512) * 4096 + y % 8 * 512 + x_bytes % 512;
            let flip = ((plain >> 9) ^ (plain >> 10)) & 1;
            assert_eq!(Layout::TileXNoCsx.offset_bytes(at, 1024, None)?, plain);
            assert_eq!(Layout::TileX.offset_bytes(at, 1024, None)?, plain ^ (flip << 6));
        }
    }
    Ok(())
}

/// Published masks of the 64 KB standard swizzle, x in bytes.
#[test]
fn standard_swizzle_masks() {
    let published = [
        (Layout::Ys8, 0xaa0f, 0x55f0),
        (Layout::Ys16, 0xaa8f, 0x5570),
        (Layout::Ys32, 0xaa8f, 0x5570),
        (Layout::Ys64, 0xaacf, 0x5530),
        (Layout::Ys128, 0xaacf, 0x5530),
    ];
    for (layout, x_mask, y_mask) in published {
        assert_eq!((layout.rule().x_mask, layout.rule().y_mask), (x_mask, y_mask), "{layout}");
    }
}

/// The sample is in the highest bits of the standard swizzle, and in bits 7 and 8 of Tile64.
#[test]
fn samples_are_in_the_published_bits() -> Result<(), TilingError> {
    let mut seen = 0;
    for layout in Layout::all() {
        let name = layout.to_string();
        let Some((family, rest)) = name.split_once("_msaa") else { continue };
        let samples: u64 = rest.split('_').next().and_then(|samples| samples.parse().ok()).unwrap_or_default();
        for sample in 0..samples {
            let at = Position { x_bytes: 0, y: 0, z: sample };
            let place = if family == "ys" { sample * (0x1_0000 / samples) } else { sample << 7 };
            assert_eq!(layout.offset_bytes(at, layout.rule().tile_width_bytes(), None)?, place, "{layout}");
        }
        assert_eq!(layout.rule().tile_slices(), samples, "{layout}");
        seen += 1;
    }
    assert_eq!(seen, 30);
    Ok(())
}

/// Tile extents in units (texels or blocks), as in Direct3D, the hardware manuals and Vulkan's standard sparse image block
/// shapes.
#[test]
fn tile_shapes_in_units() {
    let shapes = [
        (Layout::W, (64, 64, 1)),
        (Layout::Yf8, (64, 64, 1)),
        (Layout::Yf16, (64, 32, 1)),
        (Layout::Yf32, (32, 32, 1)),
        (Layout::Yf64, (32, 16, 1)),
        (Layout::Yf128, (16, 16, 1)),
        (Layout::Ys8, (256, 256, 1)),
        (Layout::Ys16, (256, 128, 1)),
        (Layout::Ys32, (128, 128, 1)),
        (Layout::Ys64, (128, 64, 1)),
        (Layout::Ys128, (64, 64, 1)),
        (Layout::Ys3d8, (64, 32, 32)),
        (Layout::Ys3d16, (32, 32, 32)),
        (Layout::Ys3d32, (32, 32, 16)),
        (Layout::Ys3d64, (32, 16, 16)),
        (Layout::Ys3d128, (16, 16, 16)),
        (Layout::Tile64x8, (256, 256, 1)),
        (Layout::Tile64x16, (256, 128, 1)),
        (Layout::Tile64x32, (128, 128, 1)),
        (Layout::Tile64x64, (128, 64, 1)),
        (Layout::Tile64x128, (64, 64, 1)),
        (Layout::YsMsaa2x8, (128, 256, 2)),
        (Layout::YsMsaa2x16, (128, 128, 2)),
        (Layout::YsMsaa2x32, (64, 128, 2)),
        (Layout::YsMsaa2x64, (64, 64, 2)),
        (Layout::YsMsaa2x128, (32, 64, 2)),
        (Layout::YsMsaa4x8, (128, 128, 4)),
        (Layout::YsMsaa4x16, (128, 64, 4)),
        (Layout::YsMsaa4x32, (64, 64, 4)),
        (Layout::YsMsaa4x64, (64, 32, 4)),
        (Layout::YsMsaa4x128, (32, 32, 4)),
        (Layout::YsMsaa8x8, (64, 128, 8)),
        (Layout::YsMsaa8x16, (64, 64, 8)),
        (Layout::YsMsaa8x32, (32, 64, 8)),
        (Layout::YsMsaa8x64, (32, 32, 8)),
        (Layout::YsMsaa8x128, (16, 32, 8)),
        (Layout::YsMsaa16x8, (64, 64, 16)),
        (Layout::YsMsaa16x16, (64, 32, 16)),
        (Layout::YsMsaa16x32, (32, 32, 16)),
        (Layout::YsMsaa16x64, (32, 16, 16)),
        (Layout::YsMsaa16x128, (16, 16, 16)),
        (Layout::Tile643dx8, (64, 32, 32)),
        (Layout::Tile643dx16, (32, 32, 32)),
        (Layout::Tile643dx32, (32, 32, 16)),
        (Layout::Tile643dx64, (32, 16, 16)),
        (Layout::Tile643dx128, (16, 16, 16)),
        (Layout::Tile64Msaa2x8, (128, 256, 2)),
        (Layout::Tile64Msaa2x16, (128, 128, 2)),
        (Layout::Tile64Msaa2x32, (64, 128, 2)),
        (Layout::Tile64Msaa2x64, (64, 64, 2)),
        (Layout::Tile64Msaa2x128, (32, 64, 2)),
        (Layout::Tile64Msaa4x8, (128, 128, 4)),
        (Layout::Tile64Msaa4x16, (128, 64, 4)),
        (Layout::Tile64Msaa4x32, (64, 64, 4)),
        (Layout::Tile64Msaa4x64, (64, 32, 4)),
        (Layout::Tile64Msaa4x128, (32, 32, 4)),
    ];
    for (layout, shape) in shapes {
        let rule = layout.rule();
        let unit_bytes = u64::from(rule.unit_bits.unwrap_or(8)) / 8;
        assert_eq!((rule.tile_width_bytes() / unit_bytes, rule.tile_rows(), rule.tile_slices()), shape, "{layout}");
    }
}

#[test]
fn names_parse_and_print() {
    assert_eq!(LAYOUTS.len(), Layout::all().len());
    for &layout in Layout::all() {
        assert_eq!(layout.to_string().parse(), Ok(layout));
        assert_eq!(layout.to_string(), layout.rule().name);
    }
    assert_eq!("tile_z".parse::<Layout>(), Err(TilingError::UnknownLayout));
    assert_eq!("".parse::<Layout>(), Err(TilingError::UnknownLayout));
}

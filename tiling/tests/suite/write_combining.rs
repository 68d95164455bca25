//! Tests of write orders, and of their cost in write-combining memory.

use proptest::prelude::*;
use taut_tiling::{
    Layout, Position, Rect, Store, Surface, TileCopy, TilingError, WriteCombiner, WriteCounts, WriteOrder,
    line_transactions,
};

fn whole(layout: Layout, size_px: u64) -> Result<TileCopy, TilingError> {
    let surface = Surface::new(layout, size_px * 4, size_px)?;
    TileCopy::new(&surface, Rect::from_origin(size_px * 4, size_px), size_px * 4)
}

fn cost(copy: &TileCopy, order: WriteOrder, width: usize, buffers: usize) -> Result<WriteCounts, TilingError> {
    let mut model = WriteCombiner::new(buffers)?;
    copy.observe_order(order, width, |offset, width| model.stored(offset, width))?;
    model.drain();
    Ok(model.counts())
}

/// Table of 1024 x 1024 texels of 4 bytes: order, store width, stores, full lines, partial evictions, transactions; the
/// same for 4, 10 and 12 buffers, with and without channel-select swizzle.
const TABLE: [(WriteOrder, usize, u64, u64, u64, u64); 9] = [
    (WriteOrder::LinearRows, 4, 1_048_576, 0, 262_144, 524_288),
    (WriteOrder::LinearRows, 16, 262_144, 0, 262_144, 524_288),
    (WriteOrder::LinearColumns, 16, 262_144, 65_536, 0, 65_536),
    (WriteOrder::TileOrder, 4, 1_048_576, 65_536, 0, 65_536),
    (WriteOrder::TileOrder, 16, 262_144, 65_536, 0, 65_536),
    (WriteOrder::Optimized, 16, 262_144, 65_536, 0, 65_536),
    (WriteOrder::Rows2x32, 32, 131_072, 0, 131_072, 524_288),
    (WriteOrder::Rows4x32, 32, 131_072, 65_536, 0, 65_536),
    (WriteOrder::Rows4x64, 64, 65_536, 65_536, 0, 65_536),
];

#[test]
fn t07_the_table_of_orders_and_buffers_comes_out_exactly() -> Result<(), TilingError> {
    for layout in [Layout::TileY, Layout::TileYNoCsx] {
        let copy = whole(layout, 1024)?;
        for (order, width, stores, full, partial, transactions) in TABLE {
            for buffers in [4, 10, 12] {
                let found = cost(&copy, order, width, buffers)?;
                let expected = (4 << 20, stores, full, partial, transactions);
                let found =
                    (found.bytes, found.stores, found.full_lines, found.partial_evictions, found.transactions());
                assert_eq!(found, expected, "{order} by {width}, {layout}, {buffers} buffers");
            }
        }
    }
    Ok(())
}

/// "Linear order stays perfect while width / 16 is at most the number of buffers."
#[test]
fn t07_linear_order_is_perfect_on_surfaces_no_wider_than_the_buffers() -> Result<(), TilingError> {
    let surface = Surface::new(Layout::TileY, 256, 64)?;
    for columns in 1..=16_u64 {
        let copy = TileCopy::new(&surface, Rect::from_origin(columns * 16, 64), 256)?;
        let counts = cost(&copy, WriteOrder::LinearRows, 16, 10)?;
        let lines = columns * 16;
        let expected = if columns <= 10 { (lines, 0) } else { (0, lines * 4) };
        assert_eq!((counts.full_lines, counts.partial_evictions), expected, "{columns} columns");
    }
    Ok(())
}

/// Generates a rectangle of a surface, in any layout.
fn any_copy() -> impl Strategy<Value = (Surface, Rect)> {
    let layouts = prop::sample::select(Layout::all());
    (layouts, 1..4_u64, 1..70_u64, any::<[u16; 4]>()).prop_map(|(layout, tiles, rows, random)| {
        let surface = Surface::new(layout, tiles * layout.rule().tile_width_bytes(), rows);
        let surface = surface.unwrap_or_else(|error| panic!("{layout}: {error}"));
        let part = |random: u16, of: u64| u64::from(random) % of;
        let (x, y) = (part(random[0], surface.pitch_bytes()), part(random[1], rows));
        let width_bytes = 1 + part(random[2], surface.pitch_bytes() - x);
        (surface, Rect { x_bytes: x, y, z: 0, width_bytes, rows: 1 + part(random[3], rows - y) })
    })
}

fn widths() -> impl Iterator<Item = (WriteOrder, usize)> {
    WriteOrder::all().flat_map(|order| order.store_widths_bytes().iter().map(move |width| (order, *width)))
}

proptest! {
    /// Rule T-07: tile order is never worse than any other order.
    #[test]
    fn t07_tile_order_is_never_worse(((surface, rect), buffers) in (any_copy(), 1..=12_usize)) {
        let fail = |error: TilingError| TestCaseError::fail(error.to_string());
        let copy = TileCopy::new(&surface, rect, rect.width_bytes).map_err(fail)?;
        let best = cost(&copy, WriteOrder::TileOrder, 16, buffers).map_err(fail)?.transactions();
        for (order, width) in widths() {
            let found = cost(&copy, order, width, buffers).map_err(fail)?.transactions();
            prop_assert!(best <= found, "{order} by {width}: {best:?} against {found:?}");
        }
    }

    /// Every order makes the same copy, and each byte of the rectangle is stored once.
    #[test]
    fn every_order_is_a_copy((surface, rect) in any_copy()) {
        let fail = |error: TilingError| TestCaseError::fail(error.to_string());
        let copy = TileCopy::new(&surface, rect, rect.width_bytes + 3).map_err(fail)?;
        let linear: Vec<u8> = (0..copy.linear_bytes()).map(|at| (at * 7 + at / 251) as u8).collect();
        let mut expected = vec![0xaa; copy.tiled_bytes()];
        copy.linear_to_tiled(&linear, &mut expected).map_err(fail)?;
        for (order, width) in widths() {
            let mut tiled = vec![0xaa; copy.tiled_bytes()];
            copy.write_in_order(order, width, &linear, &mut tiled).map_err(fail)?;
            prop_assert!(tiled == expected, "{} {order} by {width}", surface.layout());
            let mut stored = vec![0_u8; copy.tiled_bytes()];
            copy.observe_order(order, width, |offset: usize, width: usize| {
                stored[offset..][..width].iter_mut().for_each(|count| *count += 1);
            }).map_err(fail)?;
            let total: usize = stored.iter().map(|count| usize::from(*count)).sum();
            prop_assert_eq!(total as u64, rect.width_bytes * rect.rows);
            for y in rect.y..rect.y + rect.rows {
                for x_bytes in [rect.x_bytes, rect.x_bytes + rect.width_bytes - 1] {
                    let offset = surface.offset_bytes(Position { x_bytes, y, z: 0 }).map_err(fail)?;
                    prop_assert_eq!(stored[offset as usize], 1);
                }
            }
        }
    }

    /// For any stores: flushed bytes are the stored ones, in whole lines or parts; nothing is left after a fence.
    #[test]
    fn nothing_is_lost_in_the_buffers(
        stores in prop::collection::vec((0_usize..4096, 1..100_usize), 0..300),
        buffers in 1..=WriteCombiner::MAX_BUFFERS,
    ) {
        let mut model = WriteCombiner::new(buffers).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let mut lines = vec![0_u64; 4096 / 64 + 2];
        for (offset, width) in &stores {
            model.stored(*offset, *width);
            (*offset..offset + width).for_each(|at| lines[at / 64] |= 1 << (at % 64));
        }
        model.drain();
        let counts = model.counts();
        prop_assert_eq!(counts.stores, stores.len() as u64);
        let ideal: u64 = lines.into_iter().filter(|written| *written != 0).map(line_transactions).sum();
        prop_assert!(counts.transactions() >= ideal);
        model.drain();
        prop_assert_eq!(model.counts(), counts);
    }
}

#[test]
fn orders_are_named() {
    for order in WriteOrder::all() {
        assert_eq!(order.name().parse(), Ok(order));
        assert_eq!(order.to_string(), order.name());
    }
    assert_eq!("zigzag".parse::<WriteOrder>(), Err(TilingError::UnknownOrder));
}

#[test]
fn what_cannot_be_is_refused() -> Result<(), TilingError> {
    assert_eq!(WriteCombiner::new(0).map(drop), Err(TilingError::ZeroSize { argument: "buffers" }));
    assert!(WriteCombiner::new(65).is_err());
    let copy = whole(Layout::TileY, 64)?;
    let error = copy.observe_order(WriteOrder::Optimized, 4, |_: usize, _: usize| {});
    assert_eq!(error, Err(TilingError::Outside { argument: "store_width_bytes", found: 4, limit: 16 }));
    assert!(copy.write_in_order(WriteOrder::LinearRows, 16, &[], &mut []).is_err());
    Ok(())
}

/// A store may span two lines.
#[test]
fn a_store_across_lines_is_two() -> Result<(), TilingError> {
    let mut model = WriteCombiner::new(4)?;
    model.stored(60, 8);
    model.drain();
    assert_eq!((model.counts().stores, model.counts().partial_evictions, model.counts().transactions()), (1, 2, 2));
    Ok(())
}

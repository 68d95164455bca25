//! Rules T-07 and T-08, and other figures of mapped surfaces.

use crate::trace_builder::TraceBuilder;
use serde_json::Value;
use taut_analyze::{Analysis, report};
use taut_schemas::format::Format;
use taut_schemas::{
    CopyKind, CopyOutcome, D3d11ResourceId, MapType, SharedMapData, StoreFolder, StoreRun, Texture2dDesc, TileFormat,
    Usage, d3d11, mark,
};
use taut_tiling::{Layout, Rect, Surface, TileCopy, WriteOrder};

const TEXTURE: D3d11ResourceId = D3d11ResourceId(20);
const STAGING: D3d11ResourceId = D3d11ResourceId(21);

impl TraceBuilder {
    /// Creates a texture of 4-byte texels and a bound staging texture.
    pub fn bind_textures(&mut self, width: u32, height: u32) {
        let desc = Texture2dDesc { width, height, format: Format::R8G8B8A8_UNORM, ..Default::default() };
        self.api(d3d11::CreateTexture2D { desc, ..Default::default() }, Ok(TEXTURE), |_| {});
        let desc = Texture2dDesc { usage: Usage::STAGING, ..desc };
        self.api(d3d11::CreateTexture2D { desc, ..Default::default() }, Ok(STAGING), |_| {});
        let copy = d3d11::CopyResource { destination: STAGING, source: TEXTURE, ..Default::default() };
        self.api(copy, Ok(CopyOutcome { kind: CopyKind::BOUND }), |_| {});
    }

    pub fn map_texture(&mut self, tile_format: TileFormat, pitch_bytes: u32, rows: u32) {
        let map = d3d11::Map { resource: STAGING, map_type: MapType::READ_WRITE, ..Default::default() };
        let size_bytes = u64::from(pitch_bytes) * u64::from(rows);
        let data = SharedMapData { tile_format, pitch_bytes, size_bytes, ..Default::default() };
        self.api(map, Ok(data), |_| {});
    }

    pub fn unmap_texture(&mut self) {
        self.api(d3d11::Unmap { resource: STAGING, ..Default::default() }, Ok(()), |_| {});
    }

    pub fn write_texture(&mut self, runs: Vec<StoreRun>) {
        self.mark(mark::MappedWrites { resource: STAGING, subresource: 0, runs });
    }

    pub fn read_texture(&mut self, runs: Vec<StoreRun>) {
        self.mark(mark::MappedReads { resource: STAGING, subresource: 0, runs });
    }
}

/// Stores of a write order in a rectangle of a surface.
pub fn stores(surface: &Surface, rect: Rect, order: WriteOrder, width: usize) -> Vec<StoreRun> {
    let mut folder = StoreFolder::default();
    let store = |offset: usize, width: usize| folder.push(offset as u64, width as u32);
    TileCopy::new(surface, rect, rect.width_bytes).unwrap().observe_order(order, width, store).unwrap();
    folder.take()
}

fn figures(trace_builder: TraceBuilder) -> Value {
    let analysis = Analysis::new(trace_builder.finish()).unwrap();
    let tiling = report("tiling").unwrap();
    assert_eq!(tiling.not_applicable(&analysis).unwrap(), None);
    tiling.run(&analysis).unwrap().json
}

/// A single Map of a texture of `size` x `size` texels, with `runs` written.
fn written(size: u32, format: TileFormat, runs: &[Vec<StoreRun>]) -> Value {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.bind_textures(size, size);
    for runs in runs {
        trace_builder.map_texture(format, size * 4, size);
        trace_builder.write_texture(runs.clone());
        trace_builder.unmap_texture();
    }
    figures(trace_builder)["surfaces"][0].take()
}

fn whole(layout: Layout, size: u64) -> (Surface, Rect) {
    (Surface::new(layout, size * 4, size).unwrap(), Rect::from_origin(size * 4, size))
}

/// Table for 1024 x 1024 texels: order, width of stores, stores, full lines, partial evictions, partial transactions.
const TABLE: [(WriteOrder, usize, u64, u64, u64, u64); 9] = [
    (WriteOrder::LinearRows, 4, 1_048_576, 0, 262_144, 524_288),
    (WriteOrder::LinearRows, 16, 262_144, 0, 262_144, 524_288),
    (WriteOrder::LinearColumns, 16, 262_144, 65_536, 0, 0),
    (WriteOrder::TileOrder, 4, 1_048_576, 65_536, 0, 0),
    (WriteOrder::TileOrder, 16, 262_144, 65_536, 0, 0),
    (WriteOrder::Optimized, 16, 262_144, 65_536, 0, 0),
    (WriteOrder::Rows2x32, 32, 131_072, 0, 131_072, 524_288),
    (WriteOrder::Rows4x32, 32, 131_072, 65_536, 0, 0),
    (WriteOrder::Rows4x64, 64, 65_536, 65_536, 0, 0),
];

#[test]
fn t07_the_table_of_orders_and_buffers_comes_out_of_the_report() {
    for (layout, format) in
        [(Layout::TileY, TileFormat::TILE_Y), (Layout::TileYNoCsx, TileFormat::TILE_Y_NO_CSX_SWIZZLE)]
    {
        let (surface, rect) = whole(layout, 1024);
        for (order, width, count, full, partial, pieces) in TABLE {
            let found = written(1024, format, &[stores(&surface, rect, order, width)]);
            assert_eq!((&found["order"], &found["store_bytes"]), (&order.name().into(), &width.into()));
            assert_eq!((&found["bytes"], &found["stores"]), (&(4 << 20).into(), &count.into()), "{order} by {width}");
            assert_eq!(found["wrong_swizzle"], Value::Null);
            assert_eq!((&found["ideal_transactions"], &found["unwritten_bytes"]), (&65_536.into(), &0.into()));
            let expected = |buffers: u64| {
                serde_json::json!({
                    "buffers": buffers,
                    "full_lines": full,
                    "partial_evictions": partial,
                    "partial_transactions": pieces,
                    "transactions": full + pieces,
                })
            };
            assert_eq!(found["by_buffers"], Value::from([4, 10, 12].map(expected).to_vec()), "{order} by {width}");
            assert_eq!(found["transactions"], full + pieces);
            assert_eq!(found["transactions_ratio"], (full + pieces) as f64 / 65_536.0);
        }
    }
}

#[test]
fn t07_what_other_orders_cost_is_what_they_cost() {
    let (surface, rect) = whole(Layout::TileY, 256);
    let found = written(256, TileFormat::TILE_Y, &[stores(&surface, rect, WriteOrder::LinearRows, 4)]);
    let others = found["orders"].as_array().unwrap();
    assert_eq!(others.len(), 10, "every order in every width");
    for other in others {
        let order: WriteOrder = other["order"].as_str().unwrap().parse().unwrap();
        let width = other["store_bytes"].as_u64().unwrap() as usize;
        let own = written(256, TileFormat::TILE_Y, &[stores(&surface, rect, order, width)]);
        for key in ["stores", "full_lines", "partial_evictions", "transactions"] {
            assert_eq!(own[key], other[key], "{order} by {width}: {key}");
        }
    }
    let wide = written(256, TileFormat::TILE_Y, &[stores(&surface, rect, WriteOrder::Rows4x64, 64)]);
    assert_eq!(wide["orders"].as_array().unwrap().len(), 7, "4-byte stores are out of the question");
}

#[test]
fn t02_writing_with_the_wrong_address_rule_is_reported() {
    let rules = [
        (Layout::TileY, TileFormat::TILE_Y, "tile_y"),
        (Layout::TileYNoCsx, TileFormat::TILE_Y_NO_CSX_SWIZZLE, "tile_y_no_csx"),
    ];
    for (reported, (written_by, _, name)) in [(rules[0].1, rules[1]), (rules[1].1, rules[0])] {
        let (surface, _) = whole(written_by, 256);
        let part = Rect { x_bytes: 100, y: 7, z: 0, width_bytes: 500, rows: 90 };
        for order in [WriteOrder::LinearRows, WriteOrder::Optimized, WriteOrder::Rows4x64, WriteOrder::Rows2x32] {
            let width = order.store_widths_bytes()[0];
            let found = written(256, reported, &[stores(&surface, part, order, width)]);
            assert_eq!((&found["order"], &found["wrong_swizzle"]), (&order.name().into(), &name.into()));
            // Other orders are evaluated for the intended rectangle, and include the recognised order.
            let orders = found["orders"].as_array().unwrap();
            let own = orders.iter().find(|one| one["order"] == found["order"] && one["store_bytes"] == width).unwrap();
            assert_eq!((&own["stores"], &own["transactions"]), (&found["stores"], &found["transactions"]));
        }
    }
}

#[test]
fn t08_reads_are_flagged() {
    let mut trace_builder = TraceBuilder::new();
    trace_builder.bind_textures(64, 64);
    trace_builder.map_texture(TileFormat::TILE_Y, 256, 64);
    let (surface, rect) = whole(Layout::TileY, 64);
    trace_builder.read_texture(stores(&surface, rect, WriteOrder::LinearRows, 16));
    trace_builder.unmap_texture();
    let analysis = Analysis::new(trace_builder.finish()).unwrap();
    let result = report("tiling").unwrap().run(&analysis).unwrap();
    let found = &result.json["surfaces"][0];
    assert_eq!((&found["reads"], &found["read_bytes"]), (&1024.into(), &16384.into()));
    assert_eq!((&found["order"], &found["transactions_ratio"]), (&"none".into(), &Value::Null));
    assert!(crate::plain_text::draw(&result.document).contains("which is uncached"));
}

#[test]
fn unknown_and_mixed_orders_are_distinguished() {
    let (surface, rect) = whole(Layout::TileY, 64);
    let rows = stores(&surface, rect, WriteOrder::LinearRows, 16);
    let tiles = stores(&surface, rect, WriteOrder::Optimized, 16);
    let backwards = StoreRun {
        offset_bytes: 16384 - 16,
        size_bytes: 16,
        repeat_count: 1024,
        stride: 16_u64.wrapping_neg(),
        body_count: 0,
    };
    assert_eq!(written(64, TileFormat::TILE_Y, &[vec![backwards]])["order"], "unknown");
    let mixed = written(64, TileFormat::TILE_Y, &[rows.clone(), tiles]);
    assert_eq!((&mixed["order"], &mixed["maps"], &mixed["stores"]), (&"mixed".into(), &2.into(), &2048.into()));
    let twice = written(64, TileFormat::TILE_Y, &[rows.clone(), rows]);
    assert_eq!((&twice["order"], &twice["ideal_transactions"]), (&"linear-rows".into(), &512.into()));
}

#[test]
fn unwritten_regions_are_reported() {
    let (surface, _) = whole(Layout::TileY, 64);
    let part = Rect { x_bytes: 30, y: 5, z: 0, width_bytes: 200, rows: 50 };
    let found = written(64, TileFormat::TILE_Y, &[stores(&surface, part, WriteOrder::TileOrder, 16)]);
    assert_eq!(found["unwritten_bytes"], 256 * 64 - 200 * 50);
    let regions = serde_json::json!([
        {"x_bytes": 0, "y": 0, "width_bytes": 256, "rows": 5},
        {"x_bytes": 0, "y": 5, "width_bytes": 30, "rows": 50},
        {"x_bytes": 230, "y": 5, "width_bytes": 26, "rows": 50},
        {"x_bytes": 0, "y": 55, "width_bytes": 256, "rows": 9},
    ]);
    assert_eq!(found["unwritten_regions"], regions);
}

#[test]
fn stores_beyond_the_memory_and_runs_that_cannot_be_are_counted() {
    let beyond = StoreRun { offset_bytes: 16384 - 8, size_bytes: 16, repeat_count: 3, stride: 4096, body_count: 0 };
    let endless = StoreRun { repeat_count: u64::MAX, ..beyond };
    let found = written(64, TileFormat::TILE_Y, &[vec![beyond], vec![endless]]);
    assert_eq!(
        (&found["outside_stores"], &found["stores"], &found["undecoded_runs"]),
        (&3.into(), &0.into(), &1.into())
    );
}

#[test]
fn a_map_result_may_describe_no_surface() {
    for (pitch, rows) in [(0, 64), (100, 64), (256, 0)] {
        let mut trace_builder = TraceBuilder::new();
        trace_builder.bind_textures(64, 64);
        trace_builder.map_texture(TileFormat::TILE_Y, pitch, rows);
        trace_builder.write_texture(vec![StoreRun { size_bytes: 4, repeat_count: 1, ..Default::default() }]);
        assert_eq!(figures(trace_builder)["surfaces"], serde_json::json!([]), "{pitch} x {rows}");
    }
    let mut trace_builder = TraceBuilder::new();
    trace_builder.map_texture(TileFormat::LINEAR, 256, 64);
    assert_eq!(figures(trace_builder)["linear_maps"], 1);
}

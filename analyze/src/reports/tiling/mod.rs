//! The `tiling` report: CPU writes to tiled textures and their cost in write-combining memory.
//!
//! Transactions are computed by a model of the write-combining buffers ([`taut_tiling::WriteCombiner`]), not measured.

mod coverage;
mod d3d12_maps;
mod event;
mod order;
mod page_data;
mod surface;
mod text;
mod upload;
mod verdict;

use super::figures::{FigureValue, figures};
use super::{FigureLine, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::render::binary_bytes;
use order::Candidates;
use rayon::prelude::*;
use serde_json::{Value, json};
use surface::{MappedSurface, SurfaceTracker};
use taut_tiling::Layout;
use upload::{BUFFERS, Upload};

figures! {
    /// A rectangle of a texture, relative to the texture's top left corner.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct RegionFigures {
        width_bytes: u64, Bytes, same;
        rows: u64, Count, same;
        x_bytes: u64, Bytes, "Left edge of the rectangle.";
        y: u64, Count, "Top edge of the rectangle.";
    }
}

figures! {
    /// Modelled cost of writing the same rectangles in a given order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct OrderFigures {
        order: &'static str, Text, same;
        store_bytes: usize, Bytes, same;
        stores: u64, Count, same;
        full_lines: u64, Count, same;
        partial_evictions: u64, Count, same;
        transactions: u64, Count, same;
    }
}

figures! {
    /// Modelled cost for a given number of write-combining buffers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct BufferFigures {
        buffers: usize, Count, same;
        full_lines: u64, Count, same;
        partial_evictions: u64, Count, same;
        partial_transactions: u64, Count, same;
        transactions: u64, Count, same;
    }
}

figures! {
    /// Figures of one surface.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SurfaceFigures {
        resource: u64, Id, "Handle of the mapped resource.";
        texture: Option<u64>, Id, "Handle of the texture; null if it is not in the trace.";
        at_stamp: u64, Stamp, "Stamp of the first Map's return, in ticks of the trace's clock.";
        maps: u64, Count, "Number of maps. The figures of a surface cover all its maps.";
        layout: String, Text, "Memory layout reported by Map, with its name in `taut tile-info`.";
        pitch_bytes: u64, Bytes, "Row pitch.";
        width_texels: Option<u32>, Pixels, "Width of the texture in texels; null if its creation is not in the trace.";
        height_texels: Option<u32>, Pixels, "Height of the texture in texels.";
        format: Option<String>, Text, "Format of the texture.";
        width_bytes: u64, Bytes, "Bytes of a row of the texture without padding; of a region, its width.";
        rows: u64, Count, "Rows of the texture, of blocks for block-compressed formats; of a region, its height.";
        order: String, Text, "Access pattern. Of a surface: the pattern that makes exactly its stores in the rectangle they fill; `mixed` if its maps differ, `unknown` if no pattern matches, `none` without a store.";
        store_bytes: Option<usize>, Bytes, "Bytes of each store of the pattern, except at the rectangle's edges; null if no pattern is recognised.";
        bytes: u64, Bytes, "Bytes written.";
        stores: u64, Count, "Stores.";
        buffers: usize, Count, "Write-combining buffers of the model. A surface's own figures are for 4, the guaranteed number.";
        full_lines: u64, Count, "Full-line flushes: 64-byte lines with all bytes written, one transaction each.";
        partial_evictions: u64, Count, "Partial evictions: lines flushed before they were full, because another line needed the buffer, or at a fence or Unmap.";
        partial_transactions: u64, Count, "Transactions of partial evictions, one per 8 bytes with a written byte.";
        transactions: u64, Count, "Bus transactions of full and partial lines.";
        ideal_transactions: u64, Count, "Transactions of the same bytes if every line is finished before the next one begins.";
        transactions_ratio: Option<f64>, Ratio, "Write amplification: `transactions` / `ideal_transactions`; null without a store.";
        by_buffers: Vec<BufferFigures>, List, "Figures of the model for other numbers of buffers: 4 are guaranteed, 10 and 12 are common.";
        orders: Vec<OrderFigures>, List, "Cost of the same rectangles in other access patterns, with 4 buffers.";
        reads: u64, Count, "Loads from the mapped memory. It is uncached: each load goes to memory.";
        read_bytes: u64, Bytes, "Bytes loaded.";
        wrong_swizzle: Option<String>, Text, "Layout whose swizzle rule the stores follow, if Map reports another one; null otherwise. Stores in tile order have the same addresses in both layouts, which hides the mistake.";
        outside_stores: u64, Count, "Stores beyond the mapped memory.";
        unwritten_bytes: u64, Bytes, "Bytes of the texture without a store in any map.";
        unwritten_regions: Vec<RegionFigures>, List, "Unwritten rectangles, in bytes and rows from the texture's corner: the first 16.";
        undecoded_runs: u64, Count, "Recorded stores and loads that are not decoded, because they are damaged or more than 4,294,967,296.", after linear_maps;
    }
}

figures! {
    /// All figures of the report.
    #[derive(Debug, Clone, PartialEq)]
    pub struct TilingFigures {
        surfaces: Vec<SurfaceFigures>, List, "Textures that the CPU wrote or read through a map of tiled memory, in the order of their first map.";
        linear_maps: u64, Count, "Maps of linear memory; `surfaces` excludes them.";
    }
}

impl TilingFigures {
    /// Surface with the most transactions beyond the ideal.
    fn costliest(&self) -> Option<&SurfaceFigures> {
        let written = self.surfaces.iter().filter(|surface| surface.stores > 0);
        written.max_by_key(|surface| surface.transactions.saturating_sub(surface.ideal_transactions))
    }
}

impl SurfaceFigures {
    /// Handle of the texture with its size in texels, or in bytes and rows if its creation is not in the trace.
    fn label(&self) -> String {
        let id = self.texture.unwrap_or(self.resource);
        match self.width_texels.zip(self.height_texels) {
            Some((width, height)) => format!("{id}, {width}×{height}"),
            None => format!("{id}, {} × {} rows", binary_bytes(self.width_bytes), self.rows),
        }
    }
}

/// The `tiling` report.
pub struct Tiling;

impl Report for Tiling {
    fn name(&self) -> &'static str {
        "tiling"
    }

    fn title(&self) -> &'static str {
        "Tiling"
    }

    fn description(&self) -> &'static str {
        "CPU writes to tiled textures, and the cost of their access pattern in bus transactions."
    }

    fn figures(&self) -> &'static [FigureLine] {
        TilingFigures::LINES
    }

    fn not_applicable(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        if event::any(analysis.source())? {
            return Ok(None);
        }
        let mapped = d3d12_maps::not_applicable(analysis)?;
        Ok(Some(mapped.unwrap_or_else(|| "the trace maps no texture".to_owned())))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let figures = tiling_figures(analysis)?;
        let document = text::document(&figures, analysis.head()?);
        ReportResult::new(verdict::verdict(&figures, analysis.head()?), &figures, document)
    }

    fn page_data(&self, analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
        let typed = tiling_figures(analysis)?;
        let tile = typed.costliest().map(page_data::tile);
        Ok(json!({ "surfaces": figures["surfaces"], "tile": tile }))
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[include_str!("../../page/assets/tiling.js")]
    }
}

fn tiling_figures(analysis: &Analysis) -> Result<TilingFigures, AnalyzeError> {
    let mapped = event::events(analysis.source())?.track(SurfaceTracker::default())?;
    // Surfaces are independent and processed in parallel; the cache is shared.
    let candidates = Candidates::default();
    let surfaces = mapped.surfaces.par_iter().filter_map(|surface| figures(surface, &candidates)).collect();
    Ok(TilingFigures { surfaces, linear_maps: mapped.linear_maps })
}

/// Figures of one surface; `None` if the result of Map does not describe a surface.
fn figures(surface: &MappedSurface, candidates: &Candidates) -> Option<SurfaceFigures> {
    let memory = surface.surface(surface.layout)?;
    let extent = surface.extent();
    let mut sums = SurfaceSums::new(surface);
    for accesses in &surface.maps {
        sums.add(&Upload::of(surface, accesses)?, candidates, surface.layout);
    }
    let corner = (surface.data.x_offset_bytes.into(), surface.data.y_offset_rows.into());
    let (unwritten_bytes, unwritten_regions) = sums.coverage.unwritten_regions(&memory, corner, extent);
    // The surface's own figures are for the guaranteed number of buffers, the first of `BUFFERS`.
    let own = sums.by_buffers[0];
    let ideal = sums.ideal_transactions;
    Some(SurfaceFigures {
        resource: surface.resource.0,
        texture: surface.texture.map(|texture| texture.0),
        at_stamp: surface.at_stamp,
        maps: surface.maps.len() as u64,
        layout: surface.layout.to_string(),
        pitch_bytes: surface.data.pitch_bytes.into(),
        width_texels: surface.desc.map(|desc| desc.width),
        height_texels: surface.desc.map(|desc| desc.height),
        format: surface.desc.map(|desc| format!("{:?}", desc.format)),
        width_bytes: extent.0,
        rows: extent.1,
        order: sums.order_name().to_owned(),
        store_bytes: sums.order.and_then(|order| order.ok()).map(|(_, width)| width),
        bytes: sums.bytes,
        stores: sums.stores,
        buffers: own.buffers,
        full_lines: own.full_lines,
        partial_evictions: own.partial_evictions,
        partial_transactions: own.partial_transactions,
        transactions: own.transactions,
        ideal_transactions: ideal,
        transactions_ratio: (ideal > 0).then(|| own.transactions as f64 / ideal as f64),
        by_buffers: sums.by_buffers,
        orders: sums.orders,
        reads: sums.reads,
        read_bytes: sums.read_bytes,
        wrong_swizzle: sums.wrong_swizzle.map(|layout| layout.to_string()),
        outside_stores: sums.outside_stores,
        unwritten_bytes,
        unwritten_regions,
        undecoded_runs: sums.undecoded_runs,
    })
}

/// Reason why a surface's stores have no single write order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoOrder {
    Mixed,
    Unknown,
}

/// Sums over all maps of a surface.
struct SurfaceSums {
    coverage: coverage::Coverage,
    /// `None` until the first store.
    order: Option<Result<(&'static str, usize), NoOrder>>,
    wrong_swizzle: Option<Layout>,
    bytes: u64,
    stores: u64,
    by_buffers: Vec<BufferFigures>,
    ideal_transactions: u64,
    orders: Vec<OrderFigures>,
    reads: u64,
    read_bytes: u64,
    outside_stores: u64,
    undecoded_runs: u64,
}

impl SurfaceSums {
    fn new(surface: &MappedSurface) -> SurfaceSums {
        let none = |buffers| BufferFigures {
            buffers,
            full_lines: 0,
            partial_evictions: 0,
            partial_transactions: 0,
            transactions: 0,
        };
        SurfaceSums {
            coverage: coverage::Coverage::new(surface.data.size_bytes),
            order: None,
            wrong_swizzle: None,
            bytes: 0,
            stores: 0,
            by_buffers: BUFFERS.map(none).to_vec(),
            ideal_transactions: 0,
            orders: Vec::new(),
            reads: 0,
            read_bytes: 0,
            outside_stores: 0,
            undecoded_runs: 0,
        }
    }

    fn add(&mut self, upload: &Upload, candidates: &Candidates, reported: Layout) {
        self.reads += upload.reads;
        self.read_bytes = self.read_bytes.saturating_add(upload.read_bytes);
        self.outside_stores += upload.outside_stores;
        self.undecoded_runs += upload.undecoded_runs;
        if !upload.has_stores() {
            return;
        }
        self.coverage.join(&upload.coverage);
        self.ideal_transactions += upload.coverage.ideal_transactions();
        self.bytes = self.bytes.saturating_add(upload.counts[0].bytes);
        self.stores += upload.counts[0].stores;
        for (sum, counts) in self.by_buffers.iter_mut().zip(&upload.counts) {
            sum.full_lines += counts.full_lines;
            sum.partial_evictions += counts.partial_evictions;
            sum.partial_transactions += counts.partial_transactions;
            sum.transactions += counts.transactions();
        }
        let recognised = upload.recognised(candidates);
        if let Some((_, layout)) = recognised.filter(|(_, layout)| *layout != reported) {
            self.wrong_swizzle = Some(layout);
        }
        let order = recognised.map(|(candidate, _)| (candidate.order.name(), candidate.store_bytes));
        let order = order.ok_or(NoOrder::Unknown);
        self.order = Some(match self.order {
            Some(before) if before != order => Err(NoOrder::Mixed),
            _ => order,
        });
        for candidate in upload.orders(candidates, recognised.map(|(_, layout)| layout)) {
            let figures = candidate.figures;
            let same =
                |known: &&mut OrderFigures| (known.order, known.store_bytes) == (figures.order, figures.store_bytes);
            match self.orders.iter_mut().find(same) {
                Some(sum) => {
                    sum.stores += figures.stores;
                    sum.full_lines += figures.full_lines;
                    sum.partial_evictions += figures.partial_evictions;
                    sum.transactions += figures.transactions;
                }
                None => self.orders.push(figures),
            }
        }
    }

    fn order_name(&self) -> &'static str {
        match self.order {
            None => "none",
            Some(Ok((name, _))) => name,
            Some(Err(NoOrder::Mixed)) => "mixed",
            Some(Err(NoOrder::Unknown)) => "unknown",
        }
    }
}

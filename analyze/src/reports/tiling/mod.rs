//! The `tiling` report: how the processor wrote tiled textures, and what that cost in write-combining memory.
//!
//! The buffers are a model ([`taut_tiling::WriteCombiner`]), and all that is said of transactions is the model's.

mod coverage;
mod definitions;
mod event;
mod order;
mod surface;
mod text;
mod upload;
mod verdict;

use super::{Definition, Report, ReportResult};
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use order::Candidates;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use surface::MappedSurface;
use taut_tiling::Layout;
use upload::{BUFFERS, Upload};

/// A rectangle of a texture, from its corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RegionFigures {
    /// Left edge, in bytes.
    pub x_bytes: u64,
    /// Top edge, in rows.
    pub y: u64,
    /// Width, in bytes.
    pub width_bytes: u64,
    /// Height, in rows.
    pub rows: u64,
}

/// What the same rectangles take in some order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OrderFigures {
    /// Name of the order.
    pub order: &'static str,
    /// Bytes of each store.
    pub store_bytes: usize,
    /// Stores.
    pub stores: u64,
    /// Lines that leave whole.
    pub full_lines: u64,
    /// Lines that leave in pieces.
    pub partial_evictions: u64,
    /// Transactions.
    pub transactions: u64,
}

/// The model's figures for some number of buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct BufferFigures {
    /// Number of buffers.
    pub buffers: usize,
    /// Lines that left whole.
    pub full_lines: u64,
    /// Lines that left in pieces.
    pub partial_evictions: u64,
    /// Transactions of those.
    pub partial_transactions: u64,
    /// Transactions.
    pub transactions: u64,
}

/// Everything about one surface.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SurfaceFigures {
    /// Handle of the resource that was mapped.
    pub resource: u64,
    /// Handle of the texture whose memory it is.
    pub texture: Option<u64>,
    /// Stamp of the first map.
    pub at_stamp: u64,
    /// How often it was mapped.
    pub maps: u64,
    /// Its layout, as Map reports it.
    pub layout: String,
    /// Bytes from one row to the next.
    pub pitch_bytes: u64,
    /// Bytes of a row of the texture.
    pub width_bytes: u64,
    /// Rows of the texture.
    pub rows: u64,
    /// The order of the stores: a [`taut_tiling::WriteOrder`], `mixed`, `unknown` or `none`.
    pub order: String,
    /// Bytes of each store of that order.
    pub store_bytes: Option<usize>,
    /// Bytes written.
    pub bytes: u64,
    /// Stores.
    pub stores: u64,
    /// Number of buffers of the figures that follow.
    pub buffers: usize,
    /// Lines that left whole.
    pub full_lines: u64,
    /// Lines that left in pieces.
    pub partial_evictions: u64,
    /// Transactions of those.
    pub partial_transactions: u64,
    /// Transactions.
    pub transactions: u64,
    /// What the same bytes take at best.
    pub ideal_transactions: u64,
    /// Transactions per ideal one.
    pub transactions_ratio: Option<f64>,
    /// The model's figures for each number of buffers.
    pub by_buffers: Vec<BufferFigures>,
    /// What other orders would take.
    pub orders: Vec<OrderFigures>,
    /// Loads from memory that is not cached.
    pub reads: u64,
    /// Their bytes.
    pub read_bytes: u64,
    /// The layout by whose rule it was written, if that is not the reported one.
    pub wrong_swizzle: Option<String>,
    /// Stores beyond the mapped memory.
    pub outside_stores: u64,
    /// Bytes of the texture that were never written.
    pub untouched_bytes: u64,
    /// Rectangles of those.
    pub untouched: Vec<RegionFigures>,
    /// Runs of stores and loads that could not be walked.
    pub unread_runs: u64,
}

/// Everything the report says, as numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TilingFigures {
    /// The surfaces, in the order of their first map.
    pub surfaces: Vec<SurfaceFigures>,
    /// Maps of memory that is not tiled.
    pub linear_maps: u64,
}

/// The report.
pub struct Tiling;

impl Report for Tiling {
    fn name(&self) -> &'static str {
        "tiling"
    }

    fn title(&self) -> &'static str {
        "Tiling"
    }

    fn description(&self) -> &'static str {
        "How the processor wrote textures straight into tiled memory, and what the order of its stores cost."
    }

    fn definitions(&self) -> &'static [Definition] {
        definitions::DEFINITIONS
    }

    fn nothing(&self, analysis: &Analysis) -> Result<Option<String>, AnalyzeError> {
        let none = !event::any(analysis.source())?;
        Ok(none.then(|| "no texture is mapped in this trace".to_owned()))
    }

    fn run(&self, analysis: &Analysis) -> Result<ReportResult, AnalyzeError> {
        let (surfaces, linear_maps) = surface::surfaces(event::events(analysis.source())?);
        let candidates = Candidates::default();
        let surfaces = surfaces.par_iter().filter_map(|surface| figures(surface, &candidates)).collect();
        let figures = TilingFigures { surfaces, linear_maps };
        let document = text::document(&figures, analysis.head()?);
        ReportResult::new(verdict::verdict(&figures, analysis.head()?), &figures, document)
    }

    fn drawn(&self, _analysis: &Analysis, figures: &Value) -> Result<Value, AnalyzeError> {
        Ok(json!({ "surfaces": figures["surfaces"] }))
    }

    fn scripts(&self) -> &'static [&'static str] {
        &[include_str!("../../../assets/tiling.js")]
    }

    fn behind(&self, _place: &str, _figures: &Value, _analysis: Option<&Analysis>) -> Vec<String> {
        Vec::new()
    }
}

/// One surface's figures; `None` if what Map returned fits no surface.
fn figures(surface: &MappedSurface, candidates: &Candidates) -> Option<SurfaceFigures> {
    let memory = surface.surface(surface.layout)?;
    let extent = surface.extent();
    let mut sums = SurfaceSums::new(surface);
    for accesses in &surface.maps {
        sums.add(&Upload::of(surface, accesses)?, candidates, surface.layout);
    }
    let corner = (surface.data.x_offset_bytes.into(), surface.data.y_offset_rows.into());
    let (untouched_bytes, untouched) = sums.coverage.untouched(&memory, corner, extent);
    let own = sums.by_buffers[0];
    let ideal = sums.ideal_transactions;
    Some(SurfaceFigures {
        resource: surface.resource.0,
        texture: surface.texture.map(|texture| texture.0),
        at_stamp: surface.at_stamp,
        maps: surface.maps.len() as u64,
        layout: surface.layout.to_string(),
        pitch_bytes: surface.data.pitch_bytes.into(),
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
        untouched_bytes,
        untouched,
        unread_runs: sums.unread_runs,
    })
}

/// Why a surface's stores have no one order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoOrder {
    Mixed,
    Unknown,
}

/// A surface's maps together.
struct SurfaceSums {
    coverage: coverage::Coverage,
    /// None until something was stored.
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
    unread_runs: u64,
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
            unread_runs: 0,
        }
    }

    fn add(&mut self, upload: &Upload, candidates: &Candidates, reported: Layout) {
        self.reads += upload.reads;
        self.read_bytes = self.read_bytes.saturating_add(upload.read_bytes);
        self.outside_stores += upload.outside_stores;
        self.unread_runs += upload.unread_runs;
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

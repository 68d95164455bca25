//! `placements`: which resource lies where in which heap, and when.

use super::Table;
use super::frame::Frame;
use crate::analysis::Analysis;
use crate::error::AnalyzeError;
use crate::world::{Heap, Resource};
use polars::prelude::DataFrame;

pub(super) const TABLE: Table = Table {
    name: "placements",
    description: "One resource placed in a heap: its place and the time it lies there, heap by heap.",
    make,
};

fn make(analysis: &Analysis<'_>) -> Result<DataFrame, AnalyzeError> {
    let world = analysis.world();
    let placed = world.heaps.iter().flat_map(|heap| {
        let resources = heap.placed.iter().map(|index| world.resource(*index));
        resources.filter_map(move |resource| Some((heap, resource, resource.extent()?)))
    });
    let placed: Vec<(&Heap, &Resource, _)> = placed.collect();
    let mut frame = Frame::default();
    frame.column("heap", placed.iter().map(|(heap, ..)| heap.id.0).collect::<Vec<_>>());
    frame.column("resource", placed.iter().map(|(_, resource, _)| resource.id.0).collect::<Vec<_>>());
    frame.column("heap_offset_bytes", placed.iter().map(|(.., extent)| extent.offset_bytes).collect::<Vec<_>>());
    frame.column("size_bytes", placed.iter().map(|(.., extent)| extent.size_bytes).collect::<Vec<_>>());
    let ends = placed.iter().map(|(.., extent)| extent.offset_bytes.saturating_add(extent.size_bytes));
    frame.column("end_bytes", ends.collect::<Vec<_>>());
    frame.column("alignment_bytes", placed.iter().map(|(.., extent)| extent.alignment_bytes).collect::<Vec<_>>());
    let outlives = placed.iter().map(|(heap, resource, _)| match (heap.released, resource.released) {
        (Some(heap), Some(resource)) => resource > heap,
        (Some(_), None) => true,
        (None, _) => false,
    });
    frame.column("outlives_heap", outlives.collect::<Vec<bool>>());
    frame.moments("created_", placed.iter().map(|(_, resource, _)| Some(world.moment(resource.created))));
    frame.moments("released_", placed.iter().map(|(_, resource, _)| Some(world.moment(resource.released?))));
    frame.finish()
}

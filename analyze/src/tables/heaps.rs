//! `heaps`: heaps, their lifetimes, and how they are used when they are fullest.

use super::Table;
use super::frame::Frame;
use crate::analysis::Analysis;
use crate::columns::Events;
use crate::error::AnalyzeError;
use crate::world::{HeapIndex, HeapPeak};
use polars::prelude::DataFrame;

pub(super) const TABLE: Table = Table {
    name: "heaps",
    description: "One heap ever created, with its lifetime and its layout at its own peak (null if nothing is ever \
                  placed in it), in order of creation.",
    make,
};

fn make(analysis: &Analysis<'_>) -> Result<DataFrame, AnalyzeError> {
    let world = analysis.world();
    let events = Events::new(&analysis.trace().header().schema);
    let mut frame = Frame::default();
    let all = || world.heaps.iter();
    frame.column("heap", all().map(|heap| heap.id.0).collect::<Vec<_>>());
    frame.column("size_bytes", all().map(|heap| heap.size_bytes).collect::<Vec<_>>());
    frame.column("alignment_bytes", all().map(|heap| heap.desc.alignment_bytes).collect::<Vec<_>>());
    let types = all().map(|heap| events.value_name("HeapType", heap.desc.properties.heap_type.0.into()));
    frame.column("heap_type", types.collect::<Vec<String>>());
    frame.column("flags", all().map(|heap| heap.desc.flags.0).collect::<Vec<_>>());
    frame.column("placed_ever", all().map(|heap| heap.placed.len() as u64).collect::<Vec<_>>());
    frame.moments("created_", all().map(|heap| Some(world.moment(heap.created))));
    frame.moments("released_", all().map(|heap| Some(world.moment(heap.released?))));
    let lifetimes = all().map(|heap| analysis.lifetime_ns(world, heap.created, heap.released));
    frame.column("lifetime_ns", lifetimes.collect::<Vec<_>>());
    let peaks: Vec<Option<HeapPeak>> = (0..world.heaps.len() as u32).map(|i| world.heap_peak(HeapIndex(i))).collect();
    frame.moments("peak_", peaks.iter().map(|peak| Some(world.moment((*peak)?.turn))));
    let mut of_peak = |name: &str, value: fn(&HeapPeak) -> u64| {
        frame.column(name, peaks.iter().map(|peak| peak.as_ref().map(value)).collect::<Vec<_>>());
    };
    of_peak("peak_placed", |peak| peak.placed);
    of_peak("peak_placed_bytes", |peak| u64::try_from(peak.placed_bytes).unwrap_or(u64::MAX));
    of_peak("covered_bytes", |peak| peak.layout.covered_bytes);
    of_peak("overlap_bytes", |peak| peak.layout.overlap_bytes);
    of_peak("padding_bytes", |peak| peak.layout.padding_bytes);
    of_peak("hole_bytes", |peak| peak.layout.hole_bytes);
    of_peak("tail_bytes", |peak| peak.layout.tail_bytes);
    frame.finish()
}

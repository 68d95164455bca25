//! `heaps`: heaps, their lifetimes, and how they are used when they are fullest.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::columns::Events;
use taut_analyze::world::{HeapIndex, HeapPeak};
use taut_schemas::HeapType;

pub(super) const TABLE: Table = Table {
    name: "heaps",
    description: "One heap ever created, with its lifetime and its layout at its own peak (null if nothing is ever \
                  placed in it), in order of creation.",
    columns: columns![
        heap: U64, "Handle of the heap.";
        name: Text, "Name it was last given; empty if none.";
        size_bytes: I64, "D3D12_HEAP_DESC::SizeInBytes.";
        alignment_bytes: I64, "D3D12_HEAP_DESC::Alignment, as asked for.";
        heap_type: Text, "D3D12_HEAP_TYPE without its prefix.";
        flags: I64, "D3D12_HEAP_FLAGS.";
        placed_ever: I64, "Resources ever placed in it.";
        created_stamp: I64, "When it was created, in ticks.";
        created_ns: I64, "The same in nanoseconds since the trace's first stamp.";
        created_seq: I64, "`seq` of the call log's line that created it; null where the workload follows no log.";
        created_thread: I64, "The thread that created it.";
        released_stamp: I64, "When it was released; null if it lives to the end.";
        released_ns: I64, "The same in nanoseconds.";
        released_seq: I64, "`seq` of the call log's line that released it.";
        released_thread: I64, "The thread that released it.";
        lifetime_ns: I64, "How long it lived; null if it lives to the end.";
        peak_stamp: I64, "The first moment at which the sizes of its live resources sum up to most.";
        peak_ns: I64, "The same in nanoseconds.";
        peak_seq: I64, "`seq` of the call log's line then.";
        peak_thread: I64, "The thread that created the last resource then.";
        peak_placed: I64, "Resources placed in it then.";
        peak_placed_bytes: I64, "Sum of their SizeInBytes.";
        covered_bytes: I64, "Bytes under at least one resource then.";
        overlap_bytes: I64, "Bytes shared by aliasing then.";
        padding_bytes: I64, "Gaps before a resource that its alignment makes, then.";
        hole_bytes: I64, "Other gaps between resources then.";
        tail_bytes: I64, "Bytes behind the last resource then.";
        best_order_saving_bytes: I64, "What of the padding falling alignment would save then.";
    ],
    fields_of: None,
    make: Make::Whole(make),
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let world = analysis.world()?;
    let events = Events::new(&analysis.trace().header().schema);
    let all = || world.heaps.iter();
    frame.column("heap", || all().map(|heap| heap.id.0).collect::<Vec<_>>());
    let names = || (0..all().len() as u32).map(|heap| world.heap_name(HeapIndex(heap))).collect::<Vec<&str>>();
    frame.column("name", names);
    frame.column("size_bytes", || all().map(|heap| heap.size_bytes).collect::<Vec<_>>());
    frame.column("alignment_bytes", || all().map(|heap| heap.desc.alignment_bytes).collect::<Vec<_>>());
    let types = events.names::<HeapType>();
    frame.column("heap_type", || all().map(|heap| types.of(&heap.desc.properties.heap_type)).collect::<Vec<String>>());
    frame.column("flags", || all().map(|heap| heap.desc.flags.0).collect::<Vec<_>>());
    frame.column("placed_ever", || all().map(|heap| heap.placed.len() as u64).collect::<Vec<_>>());
    frame.moments(analysis, "created_", all().map(|heap| Some(world.moment(heap.created))));
    frame.moments(analysis, "released_", all().map(|heap| Some(world.moment(heap.released?))));
    let lifetimes = || all().map(|heap| analysis.lifetime_ns(world, heap.created, heap.released));
    frame.column("lifetime_ns", || lifetimes().collect::<Vec<_>>());
    let at_peak = TABLE.columns.iter().skip_while(|column| column.name != "peak_stamp");
    if at_peak.into_iter().any(|column| frame.wants(column.name)) {
        let peaks: Vec<_> = world.walk_heaps().into_iter().map(|walk| walk.peak).collect();
        peak_columns(analysis, &peaks, frame)?;
    }
    Ok(())
}

fn peak_columns(analysis: &Analysis, peaks: &[Option<HeapPeak>], frame: &mut Frame<'_>) -> Result<(), TableError> {
    let world = analysis.world()?;
    frame.moments(analysis, "peak_", peaks.iter().map(|peak| Some(world.moment((*peak)?.turn))));
    let mut of_peak = |name: &str, value: fn(&HeapPeak) -> u64| {
        frame.column(name, || peaks.iter().map(|peak| peak.as_ref().map(value)).collect::<Vec<_>>());
    };
    of_peak("peak_placed", |peak| peak.placed);
    of_peak("peak_placed_bytes", |peak| u64::try_from(peak.placed_bytes).unwrap_or(u64::MAX));
    of_peak("covered_bytes", |peak| peak.layout.covered_bytes);
    of_peak("overlap_bytes", |peak| peak.layout.overlap_bytes);
    of_peak("padding_bytes", |peak| peak.layout.padding_bytes);
    of_peak("hole_bytes", |peak| peak.layout.hole_bytes);
    of_peak("tail_bytes", |peak| peak.layout.tail_bytes);
    of_peak("best_order_saving_bytes", |peak| peak.layout.best_order_saving_bytes);
    Ok(())
}

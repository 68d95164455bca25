//! `placements`: which resource lies where in which heap, and when.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::world::{Heap, Resource};

pub(super) const TABLE: Table = Table {
    name: "placements",
    description: "One resource placed in a heap: its place and the time it lies there, heap by heap.",
    columns: columns![
        heap: U64, "Handle of the heap.";
        resource: U64, "Handle of the resource.";
        name: Text, "Name the resource was last given; empty if none.";
        heap_offset_bytes: I64, "HeapOffset.";
        size_bytes: I64, "SizeInBytes.";
        end_bytes: I64, "Where it ends in the heap.";
        alignment_bytes: I64, "Alignment.";
        outlives_heap: Bool, "Its heap is released before it.";
        created_stamp: I64, "When it was created, in ticks.";
        created_ns: I64, "The same in nanoseconds since the trace's first stamp.";
        created_seq: I64, "`seq` of the call log's line that created it; null where the workload follows no log.";
        created_thread: I64, "The thread that created it.";
        released_stamp: I64, "When it was released; null if it lives to the end.";
        released_ns: I64, "The same in nanoseconds.";
        released_seq: I64, "`seq` of the call log's line that released it.";
        released_thread: I64, "The thread that released it.";
    ],
    fields_of: None,
    make: Make::Whole(make),
};

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let world = analysis.world()?;
    let placed = world.heaps.iter().flat_map(|heap| {
        let resources = heap.placed.iter().map(|index| (*index, world.resource(*index)));
        resources.filter_map(move |(index, resource)| Some((heap, index, resource, resource.extent()?)))
    });
    let placed: Vec<(&Heap, _, &Resource, _)> = placed.collect();
    let all = || placed.iter();
    frame.column("heap", || all().map(|(heap, ..)| heap.id.0).collect::<Vec<_>>());
    frame.column("resource", || all().map(|(_, _, resource, _)| resource.id.0).collect::<Vec<_>>());
    frame.column("name", || all().map(|(_, index, ..)| world.resource_name(*index)).collect::<Vec<&str>>());
    frame.column("heap_offset_bytes", || all().map(|(.., extent)| extent.offset_bytes).collect::<Vec<_>>());
    frame.column("size_bytes", || all().map(|(.., extent)| extent.size_bytes).collect::<Vec<_>>());
    frame.column("end_bytes", || all().map(|(.., extent)| extent.end_bytes()).collect::<Vec<_>>());
    frame.column("alignment_bytes", || all().map(|(.., extent)| extent.alignment_bytes).collect::<Vec<_>>());
    let outlives = |heap: &Heap, resource: &Resource| match (heap.released, resource.released) {
        (Some(heap), Some(resource)) => resource > heap,
        (Some(_), None) => true,
        (None, _) => false,
    };
    let outlive = || all().map(|(heap, _, resource, _)| outlives(heap, resource)).collect::<Vec<bool>>();
    frame.column("outlives_heap", outlive);
    frame.moments(analysis, "created_", all().map(|(_, _, resource, _)| Some(world.moment(resource.created))));
    frame.moments(analysis, "released_", all().map(|(_, _, resource, _)| Some(world.moment(resource.released?))));
    Ok(())
}

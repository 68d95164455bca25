//! `placements`: placed resources, their position in the heap and their lifetime.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::memory::{Extent, Heap, Moment, Resource, ResourceIndex, Turn, World};

pub(super) const TABLE: Table = Table {
    name: "placements",
    description: "One row per placed resource, heap by heap: position in the heap and lifetime.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &PlacementRows<'_>;
    heap: U64, "Handle of the heap.", row.heap.id.0;
    resource: U64, "Handle of the resource.", row.resource.id.0;
    name: Text, "Last name set on the resource; empty without a name.", rows.world.resource_name(row.index);
    heap_offset_bytes: I64, "HeapOffset.", row.extent.offset_bytes;
    size_bytes: I64, "SizeInBytes.", row.extent.size_bytes;
    end_bytes: I64, "End offset in the heap.", row.extent.end_bytes();
    alignment_bytes: I64, "Alignment.", row.extent.alignment_bytes;
    outlives_heap: Bool, "True if the heap is released before the resource.", row.outlives_heap();
    created_stamp: I64, "Creation, in ticks.", rows.at(row.resource.created).stamp;
    created_ns: I64, "Creation, in ns since the first stamp.", rows.ns(row.resource.created);
    created_seq: I64, "`seq` of the call log line of the creation; null without a call log.", rows.at(row.resource.created).seq;
    created_thread: I64, "Thread of the creation.", rows.at(row.resource.created).thread;
    released_stamp: I64, "Release, in ticks; null if never released.", Some(rows.at(row.resource.released?).stamp);
    released_ns: I64, "Release, in ns.", rows.ns(row.resource.released?);
    released_seq: I64, "`seq` of the call log line of the release.", rows.at(row.resource.released?).seq;
    released_thread: I64, "Thread of the release.", Some(rows.at(row.resource.released?).thread);
}

struct PlacementRows<'a> {
    analysis: &'a Analysis,
    world: &'a World,
    placed: Vec<PlacementRow<'a>>,
}

struct PlacementRow<'a> {
    heap: &'a Heap,
    index: ResourceIndex,
    resource: &'a Resource,
    extent: Extent,
}

fn make(analysis: &Analysis, world: &World, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let placed = world.heaps.iter().flat_map(|heap| {
        let resources = heap.placed.iter().map(|index| (*index, world.resource(*index)));
        resources.filter_map(move |(index, resource)| {
            Some(PlacementRow { heap, index, resource, extent: resource.extent()? })
        })
    });
    fill(&PlacementRows { analysis, world, placed: placed.collect() }, frame)
}

impl<'a> PlacementRows<'a> {
    fn all(&self) -> impl Iterator<Item = &PlacementRow<'a>> {
        self.placed.iter()
    }

    fn at(&self, turn: Turn) -> Moment {
        self.world.moment(turn)
    }

    fn ns(&self, turn: Turn) -> Option<u64> {
        self.analysis.since_start_ns(self.at(turn).stamp)
    }
}

impl PlacementRow<'_> {
    fn outlives_heap(&self) -> bool {
        outlives(self.resource, self.heap)
    }
}

/// True if a resource's heap is released before it.
fn outlives(resource: &Resource, heap: &Heap) -> bool {
    match (heap.released, resource.released) {
        (Some(heap), Some(resource)) => resource > heap,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// By resource, true if its heap is released before it; `None` for a resource without a row in this table.
pub(super) fn outlive_heaps(world: &World) -> Vec<Option<bool>> {
    let mut outlive = vec![None; world.resources.len()];
    for heap in &world.heaps {
        for index in &heap.placed {
            let resource = world.resource(*index);
            outlive[index.0 as usize] = resource.extent().map(|_| outlives(resource, heap));
        }
    }
    outlive
}

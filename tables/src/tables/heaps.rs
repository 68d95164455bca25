//! `heaps`: heaps, their lifetimes, and their use at their own peak.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use std::cell::OnceCell;
use taut_analyze::Analysis;
use taut_analyze::events::{Events, ValueNames};
use taut_analyze::memory::{Heap, HeapIndex, HeapPeak, Moment, Turn, World};
use taut_schemas::HeapType;

pub(super) const TABLE: Table = Table {
    name: "heaps",
    description: "One heap ever created, with its lifetime and its layout at its own peak (null if nothing is ever \
                  placed in it), in order of creation.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &HeapRows<'_>;
    heap: U64, "Handle of the heap.", row.heap.id.0;
    name: Text, "Name it was last given; empty if none.", rows.world.heap_name(row.index);
    size_bytes: I64, "D3D12_HEAP_DESC::SizeInBytes.", row.heap.size_bytes;
    alignment_bytes: I64, "D3D12_HEAP_DESC::Alignment, as asked for.", row.heap.desc.alignment_bytes;
    heap_type: Text, "D3D12_HEAP_TYPE without its prefix.", rows.types.of(&row.heap.desc.properties.heap_type);
    flags: I64, "D3D12_HEAP_FLAGS.", row.heap.desc.flags.0;
    placed_ever: I64, "Resources ever placed in it.", row.heap.placed.len() as u64;
    created_stamp: I64, "When it was created, in ticks.", rows.at(row.heap.created).stamp;
    created_ns: I64, "The same in nanoseconds since the trace's first stamp.", rows.ns(row.heap.created);
    created_seq: I64, "`seq` of the call log's line that created it; null where the workload follows no log.", rows.at(row.heap.created).seq;
    created_thread: I64, "The thread that created it.", rows.at(row.heap.created).thread;
    released_stamp: I64, "When it was released; null if it lives to the end.", Some(rows.at(row.heap.released?).stamp);
    released_ns: I64, "The same in nanoseconds.", rows.ns(row.heap.released?);
    released_seq: I64, "`seq` of the call log's line that released it.", rows.at(row.heap.released?).seq;
    released_thread: I64, "The thread that released it.", Some(rows.at(row.heap.released?).thread);
    lifetime_ns: I64, "How long it lived; null if it lives to the end.", rows.analysis.lifetime_ns(rows.world, row.heap.created, row.heap.released);
    peak_stamp: I64, "The first moment at which the sizes of its live resources sum up to most.", Some(rows.at(rows.peak(&row)?.turn).stamp);
    peak_ns: I64, "The same in nanoseconds.", rows.ns(rows.peak(&row)?.turn);
    peak_seq: I64, "`seq` of the call log's line then.", rows.at(rows.peak(&row)?.turn).seq;
    peak_thread: I64, "The thread that created the last resource then.", Some(rows.at(rows.peak(&row)?.turn).thread);
    peak_placed: I64, "Resources placed in it then.", Some(rows.peak(&row)?.placed);
    peak_placed_bytes: I64, "Sum of their SizeInBytes.", Some(u64::try_from(rows.peak(&row)?.placed_bytes).unwrap_or(u64::MAX));
    covered_bytes: I64, "Bytes under at least one resource then.", Some(rows.peak(&row)?.layout.covered_bytes);
    overlap_bytes: I64, "Bytes shared by aliasing then.", Some(rows.peak(&row)?.layout.overlap_bytes);
    padding_bytes: I64, "Gaps before a resource that its alignment makes, then.", Some(rows.peak(&row)?.layout.padding_bytes);
    hole_bytes: I64, "Other gaps between resources then.", Some(rows.peak(&row)?.layout.hole_bytes);
    tail_bytes: I64, "Bytes behind the last resource then.", Some(rows.peak(&row)?.layout.tail_bytes);
    best_order_saving_bytes: I64, "What of the padding falling alignment would save then.", Some(rows.peak(&row)?.layout.best_order_saving_bytes);
}

struct HeapRows<'a> {
    analysis: &'a Analysis,
    world: &'a World,
    types: ValueNames<'a, HeapType>,
    /// Peak by heap; computed on first use, because it walks all heaps.
    peaks: OnceCell<Vec<Option<HeapPeak>>>,
}

struct HeapRow<'a> {
    index: HeapIndex,
    heap: &'a Heap,
}

fn make(analysis: &Analysis, world: &World, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let types = Events::new(&analysis.trace().header().schema).names();
    fill(&HeapRows { analysis, world, types, peaks: OnceCell::new() }, frame)
}

impl<'a> HeapRows<'a> {
    fn all(&self) -> impl Iterator<Item = HeapRow<'a>> {
        (0..).map(HeapIndex).zip(&self.world.heaps).map(|(index, heap)| HeapRow { index, heap })
    }

    fn peak(&self, row: &HeapRow<'_>) -> Option<&HeapPeak> {
        let peaks = || self.world.walk_heaps().into_iter().map(|walk| walk.peak).collect();
        self.peaks.get_or_init(peaks)[row.index.0 as usize].as_ref()
    }

    fn at(&self, turn: Turn) -> Moment {
        self.world.moment(turn)
    }

    fn ns(&self, turn: Turn) -> Option<u64> {
        self.analysis.since_start_ns(self.at(turn).stamp)
    }
}

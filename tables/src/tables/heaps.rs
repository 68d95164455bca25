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
    description: "One row per heap ever created, in order of creation: lifetime, and layout at the heap's own peak \
                  (null if no resource was ever placed in the heap).",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfWorld(make),
};

columns! {
    row of rows: &HeapRows<'_>;
    heap: U64, "Handle of the heap.", row.heap.id.0;
    name: Text, "Last name set; empty without a name.", rows.world.heap_name(row.index);
    size_bytes: I64, "D3D12_HEAP_DESC::SizeInBytes.", row.heap.size_bytes;
    alignment_bytes: I64, "D3D12_HEAP_DESC::Alignment, as requested.", row.heap.desc.alignment_bytes;
    heap_type: Text, "D3D12_HEAP_TYPE without its prefix.", rows.types.of(&row.heap.desc.properties.heap_type);
    flags: I64, "D3D12_HEAP_FLAGS.", row.heap.desc.flags.0;
    placed_ever: I64, "Number of resources ever placed in the heap.", row.heap.placed.len() as u64;
    created_stamp: I64, "Creation, in ticks.", rows.at(row.heap.created).stamp;
    created_ns: I64, "Creation, in ns since the first stamp.", rows.ns(row.heap.created);
    created_seq: I64, "`seq` of the call log line of the creation; null without a call log.", rows.at(row.heap.created).seq;
    created_thread: I64, "Thread of the creation.", rows.at(row.heap.created).thread;
    released_stamp: I64, "Release, in ticks; null if never released.", Some(rows.at(row.heap.released?).stamp);
    released_ns: I64, "Release, in ns.", rows.ns(row.heap.released?);
    released_seq: I64, "`seq` of the call log line of the release.", rows.at(row.heap.released?).seq;
    released_thread: I64, "Thread of the release.", Some(rows.at(row.heap.released?).thread);
    lifetime_ns: I64, "Time from creation to release; null if never released.", rows.analysis.lifetime_ns(rows.world, row.heap.created, row.heap.released);
    peak_stamp: I64, "Peak: the first time at which the live resources' total size is at its max, in ticks.", Some(rows.at(rows.peak(&row)?.turn).stamp);
    peak_ns: I64, "Peak, in ns.", rows.ns(rows.peak(&row)?.turn);
    peak_seq: I64, "`seq` of the call log line at the peak.", rows.at(rows.peak(&row)?.turn).seq;
    peak_thread: I64, "Thread of the creation that reached the peak.", Some(rows.at(rows.peak(&row)?.turn).thread);
    peak_placed: I64, "Number of placed resources at the peak.", Some(rows.peak(&row)?.placed);
    peak_placed_bytes: I64, "Total SizeInBytes of placed resources at the peak.", Some(u64::try_from(rows.peak(&row)?.placed_bytes).unwrap_or(u64::MAX));
    covered_bytes: I64, "Bytes that belong to at least one resource at the peak.", Some(rows.peak(&row)?.layout.covered_bytes);
    overlap_bytes: I64, "Bytes shared by aliasing at the peak.", Some(rows.peak(&row)?.layout.overlap_bytes);
    padding_bytes: I64, "Alignment gaps before resources at the peak.", Some(rows.peak(&row)?.layout.padding_bytes);
    hole_bytes: I64, "Other gaps between resources at the peak.", Some(rows.peak(&row)?.layout.hole_bytes);
    tail_bytes: I64, "Bytes after the last resource at the peak.", Some(rows.peak(&row)?.layout.tail_bytes);
    best_order_saving_bytes: I64, "Part of `padding_bytes` that placement by descending alignment would save.", Some(rows.peak(&row)?.layout.best_order_saving_bytes);
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

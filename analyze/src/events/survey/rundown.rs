//! Reads preexisting heaps and resources from a rundown: a recording that starts mid-stream has no creations of them.

use super::super::{Found, Selecting};
use super::thread::PAGE_BYTES;
use super::world_event::{Creation, Descriptions, WorldEvent, WorldEventKind};
use crate::error::AnalyzeError;
use crate::memory::{Allocation, Backing, Names, round_up};
use crate::view;
use foldhash::HashMap;
use taut_schemas::{
    EventCode, GpuVirtualAddress, HeapDesc, HeapId, HeapType, MipRegion, ResourceDesc, ResourceId, ResourcePlacement,
    state,
};
use taut_traces::ThreadExtract;

view! {
    /// A heap's memory.
    #[derive(Debug)]
    pub(super) struct HeapMemory of info state::HeapMemory {
        heap: HeapId,
        address: GpuVirtualAddress,
    }
}

view! {
    /// A heap.
    #[derive(Debug)]
    pub(super) struct RundownHeap of info state::Heap {
        heap: HeapId,
        name: String,
        desc: HeapDesc,
    }
}

view! {
    /// A resource.
    #[derive(Debug)]
    pub(super) struct RundownResource of info state::Resource {
        resource: ResourceId,
        name: String,
        desc: ResourceDesc,
        placement: ResourcePlacement,
        heap: HeapId,
        address: GpuVirtualAddress,
        size: u64,
    } if any {
        requested_alignment: u64,
        reported_alignment: u64,
        implicit_heap: u64,
        heap_type: HeapType,
    }
}

view! {
    /// A rundown begins.
    #[derive(Debug)]
    pub(super) struct Begin of info state::Rundown {}
}

view! {
    /// A rundown ends, complete.
    #[derive(Debug)]
    pub(super) struct End of info state::RundownEnd {}
}

/// The records of a rundown that describe the world, as located in the trace.
#[derive(Debug)]
pub(super) struct RundownRecords {
    pub begin: Option<Found<Begin>>,
    pub heap_memory: Option<Found<HeapMemory>>,
    pub heap: Option<Found<RundownHeap>>,
    pub resource: Option<Found<RundownResource>>,
    pub end: Option<Found<End>>,
}

/// Kind of such a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Begin,
    HeapMemory,
    Heap,
    Resource,
    End,
}

impl RundownRecords {
    pub fn select(selecting: &mut Selecting<'_>) -> Result<RundownRecords, AnalyzeError> {
        Ok(RundownRecords {
            begin: Found::select(selecting)?,
            heap_memory: Found::select(selecting)?,
            heap: Found::select(selecting)?,
            resource: Found::select(selecting)?,
            end: Found::select(selecting)?,
        })
    }

    /// The codes of the records.
    pub fn codes(&self) -> [(Option<EventCode>, Part); 5] {
        [
            (self.begin.as_ref().map(|found| found.code), Part::Begin),
            (self.heap_memory.as_ref().map(|found| found.code), Part::HeapMemory),
            (self.heap.as_ref().map(|found| found.code), Part::Heap),
            (self.resource.as_ref().map(|found| found.code), Part::Resource),
            (self.end.as_ref().map(|found| found.code), Part::End),
        ]
    }
}

/// A record of a rundown.
#[derive(Debug, Clone, Copy)]
pub(super) struct RundownRow<'a> {
    pub records: &'a RundownRecords,
    pub block: &'a ThreadExtract,
    pub part: Part,
    pub stamp: u64,
    /// Index in the block.
    pub row: u32,
}

/// State of a thread while it records a rundown.
#[derive(Debug, Default)]
pub(super) struct RundownReader {
    /// Addresses of heaps.
    addresses: HashMap<HeapId, u64>,
}

impl RundownReader {
    /// Converts a record to events of the world; `None` if it has none.
    pub fn record(
        &mut self,
        source: RundownRow<'_>,
        descs: &mut Descriptions,
        names: &mut Names,
    ) -> Option<[WorldEvent; 2]> {
        let RundownRow { records, block, part, stamp, row } = source;
        let at = |kind| WorldEvent { stamp, kind };
        match part {
            Part::Begin => {
                self.addresses.clear();
                Some([at(WorldEventKind::RundownBegan), at(WorldEventKind::Nothing)])
            }
            Part::HeapMemory => {
                let HeapMemory { heap, address } = read(records.heap_memory.as_ref()?, block, row);
                self.addresses.insert(heap, address.0);
                None
            }
            Part::Heap => {
                let RundownHeap { heap, name, desc } = read(records.heap.as_ref()?, block, row);
                let name = names.add(&name);
                Some([at(WorldEventKind::RundownHeap(heap, Box::new(desc))), at(WorldEventKind::Named(heap.0, name))])
            }
            Part::Resource => {
                let resource: RundownResource = read(records.resource.as_ref()?, block, row);
                let name = names.add(&resource.name);
                let id = resource.resource.0;
                let created = self.creation(&resource, descs)?;
                Some([at(WorldEventKind::RundownResource(created)), at(WorldEventKind::Named(id, name))])
            }
            Part::End => Some([at(WorldEventKind::RundownEnded), at(WorldEventKind::Nothing)]),
        }
    }

    /// A resource, as a creation; `None` if another adapter created it.
    fn creation(&self, resource: &RundownResource, descs: &mut Descriptions) -> Option<Creation> {
        let RundownResource { resource: id, placement, heap, address, size: size_bytes, .. } = *resource;
        let RundownResource { requested_alignment, reported_alignment, implicit_heap, heap_type, .. } = *resource;
        let implicit_heap_bytes = implicit_heap.unwrap_or_else(|| round_up(size_bytes, PAGE_BYTES));
        let backing = match placement {
            ResourcePlacement::PLACED => {
                let begins = self.addresses.get(&heap).copied().unwrap_or_default();
                Backing::Placed { heap, heap_offset_bytes: address.0.saturating_sub(begins) }
            }
            ResourcePlacement::RESERVED => Backing::Reserved,
            _ if implicit_heap_bytes == 0 => return None,
            _ => Backing::Committed { implicit_heap_bytes, heap_type: heap_type.unwrap_or_default() },
        };
        let alignment_bytes = reported_alignment.unwrap_or(resource.desc.alignment_bytes);
        let requested = requested_alignment.unwrap_or(resource.desc.alignment_bytes);
        let desc = ResourceDesc { alignment_bytes: requested, ..resource.desc };
        let desc = descs.number((desc, MipRegion::default()));
        Some(Creation { id, desc, backing, allocation: Some(Allocation { size_bytes, alignment_bytes }) })
    }
}

fn read<V: crate::events::View>(found: &Found<V>, block: &ThreadExtract, row: u32) -> V {
    V::read(&found.values(block), row)
}

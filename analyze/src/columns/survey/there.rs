//! What a rundown says of heaps and resources that were there before: a recording that starts in mid-stream has no creation of theirs.

use super::super::{Found, Selecting};
use super::thread::PAGE_BYTES;
use super::world_event::{Creation, Descriptions, WorldEvent, WorldEventKind};
use crate::error::AnalyzeError;
use crate::view;
use crate::world::{Allocation, Backing, Names, round_up};
use foldhash::HashMap;
use taut_schemas::{
    EventCode, GpuVirtualAddress, HeapDesc, HeapId, HeapType, MipRegion, ResourceDesc, ResourceHome, ResourceId, state,
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
    pub(super) struct HeapThere of info state::Heap {
        heap: HeapId,
        name: String,
        desc: HeapDesc,
    }
}

view! {
    /// A resource.
    #[derive(Debug)]
    pub(super) struct ResourceThere of info state::Resource {
        resource: ResourceId,
        name: String,
        desc: ResourceDesc,
        home: ResourceHome,
        heap: HeapId,
        address: GpuVirtualAddress,
        size: u64,
    } if any {
        asked_alignment: u64,
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
    /// A rundown is whole.
    #[derive(Debug)]
    pub(super) struct End of info state::RundownEnd {}
}

/// The records of a rundown that make up the world, as the trace has them.
#[derive(Debug)]
pub(super) struct RundownRecords {
    pub begin: Option<Found<Begin>>,
    pub heap_memory: Option<Found<HeapMemory>>,
    pub heap: Option<Found<HeapThere>>,
    pub resource: Option<Found<ResourceThere>>,
    pub end: Option<Found<End>>,
}

/// Which of them a record is.
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

    /// Their codes.
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

/// What a thread knows of the rundown that it records.
#[derive(Debug, Default)]
pub(super) struct There {
    /// Where heaps begin.
    addresses: HashMap<HeapId, u64>,
}

impl There {
    /// What record `row` of a block says; nothing, if it says nothing of the world.
    pub fn record(
        &mut self,
        (records, block): (&RundownRecords, &ThreadExtract),
        (part, stamp, row): (Part, u64, u32),
        (descs, names): (&mut Descriptions, &mut Names),
    ) -> Option<[WorldEvent; 2]> {
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
                let HeapThere { heap, name, desc } = read(records.heap.as_ref()?, block, row);
                let name = names.add(&name);
                Some([at(WorldEventKind::HeapThere(heap, Box::new(desc))), at(WorldEventKind::Named(heap.0, name))])
            }
            Part::Resource => {
                let resource: ResourceThere = read(records.resource.as_ref()?, block, row);
                let name = names.add(&resource.name);
                let id = resource.resource.0;
                let created = self.creation(&resource, descs)?;
                Some([at(WorldEventKind::ResourceThere(created)), at(WorldEventKind::Named(id, name))])
            }
            Part::End => Some([at(WorldEventKind::RundownEnded), at(WorldEventKind::Nothing)]),
        }
    }

    /// A resource as its creation would have told of it; `None` of one that another adapter created.
    fn creation(&self, resource: &ResourceThere, descs: &mut Descriptions) -> Option<Creation> {
        let ResourceThere { resource: id, home, heap, address, size: size_bytes, .. } = *resource;
        let ResourceThere { asked_alignment, reported_alignment, implicit_heap, heap_type, .. } = *resource;
        let implicit_heap_bytes = implicit_heap.unwrap_or_else(|| round_up(size_bytes, PAGE_BYTES));
        let backing = match home {
            ResourceHome::PLACED => {
                let begins = self.addresses.get(&heap).copied().unwrap_or_default();
                Backing::Placed { heap, heap_offset_bytes: address.0.saturating_sub(begins) }
            }
            ResourceHome::RESERVED => Backing::Reserved,
            _ if implicit_heap_bytes == 0 => return None,
            _ => Backing::Committed { implicit_heap_bytes, heap_type: heap_type.unwrap_or_default() },
        };
        let alignment_bytes = reported_alignment.unwrap_or(resource.desc.alignment_bytes);
        let asked = asked_alignment.unwrap_or(resource.desc.alignment_bytes);
        let desc = ResourceDesc { alignment_bytes: asked, ..resource.desc };
        let desc = descs.number((desc, MipRegion::default()));
        Some(Creation { id, desc, backing, allocation: Some(Allocation { size_bytes, alignment_bytes }) })
    }
}

fn read<V: crate::columns::View>(found: &Found<V>, block: &ThreadExtract, row: u32) -> V {
    V::read(&found.values(block), row)
}

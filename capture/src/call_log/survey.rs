//! The life of each of the log's heaps: what is placed in it, when, and what the driver at hand says about it.

use super::line::{HeapCreation, LogCall, LogLine, Place, ResourceCreation};
use std::collections::HashMap;
use std::ops::Range;
use taut_schemas::{AllocationInfo, HeapDesc, HeapId, ResourceId};

/// A resource placed in a heap.
#[derive(Debug, Clone)]
pub(super) struct Placement {
    pub resource: ResourceId,
    /// Where the log has it; never empty.
    pub logged: Range<u64>,
    /// What the driver at hand needs for it.
    pub live: AllocationInfo,
}

/// What happens in a heap; each names one of its placements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Create(usize),
    Release(usize),
}

/// A heap's life.
#[derive(Debug, Clone)]
pub(super) struct HeapLife {
    pub heap: HeapId,
    pub desc: HeapDesc,
    /// In order of creation, but for those that the driver refuses.
    pub placements: Vec<Placement>,
    pub events: Vec<Event>,
    /// The driver's answers for all placements are the log's.
    pub agrees: bool,
}

/// Every heap that the log creates, in order of creation.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub heaps: Vec<HeapLife>,
    by_id: HashMap<HeapId, usize>,
    placed: HashMap<ResourceId, (usize, usize)>,
}

impl Survey {
    /// Takes note of one line. `live` is the driver's answer for the resource that it creates.
    pub(super) fn line(&mut self, line: &LogLine, live: Option<AllocationInfo>) {
        match &line.call {
            LogCall::CreateHeap(creation) => self.create_heap(creation),
            LogCall::CreateResource(creation) => {
                if let Some(live) = live {
                    self.create_resource(creation, live);
                }
            }
            LogCall::ReleaseResource { resource } => {
                if let Some((heap, placement)) = self.placed.remove(resource) {
                    self.heaps[heap].events.push(Event::Release(placement));
                }
            }
            _ => {}
        }
    }

    fn create_heap(&mut self, creation: &HeapCreation) {
        let Some(heap) = creation.heap else { return };
        self.by_id.insert(heap, self.heaps.len());
        let (placements, events) = (Vec::new(), Vec::new());
        self.heaps.push(HeapLife { heap, desc: creation.desc, placements, events, agrees: true });
    }

    fn create_resource(&mut self, creation: &ResourceCreation, live: AllocationInfo) {
        let (Some(resource), Some(logged)) = (creation.resource, creation.info) else { return };
        let Place::Placed { heap, offset_bytes } = creation.place else { return };
        // A resource that the driver refuses takes no room; its creation is left to fail.
        if live.size_bytes == u64::MAX {
            return;
        }
        let Some(&index) = self.by_id.get(&heap) else { return };
        let life = &mut self.heaps[index];
        life.agrees &= live == logged;
        self.placed.insert(resource, (index, life.placements.len()));
        life.events.push(Event::Create(life.placements.len()));
        let end = offset_bytes.saturating_add(logged.size_bytes.max(1));
        // An offset at the very end of 64 bits leaves no room even for a byte.
        let logged = offset_bytes.min(u64::MAX - 1)..end;
        life.placements.push(Placement { resource, logged, live });
    }
}

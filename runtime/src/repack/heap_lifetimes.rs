//! Lifetimes of all heaps of a recording, collected call by call.

use super::heap_lifetime::{HeapEvent, HeapLifetime, HeapPlacement};
use foldhash::HashMap;
use taut_schemas::{AllocationInfo, HeapDesc, HeapId, ResourceId};

/// All heaps of a recording, in order of creation.
#[derive(Debug, Default)]
pub struct HeapLifetimes {
    heaps: Vec<HeapLifetime>,
    by_id: HashMap<HeapId, usize>,
    placed: HashMap<ResourceId, (usize, usize)>,
}

impl HeapLifetimes {
    /// Adds a heap.
    pub fn create_heap(&mut self, heap: HeapId, desc: HeapDesc) {
        self.by_id.insert(heap, self.heaps.len());
        let (placements, events) = (Vec::new(), Vec::new());
        self.heaps.push(HeapLifetime { heap, desc, placements, events, agrees: true });
    }

    /// Adds a resource at `offset_bytes` of `heap` with the recorded and the current size and alignment. A resource
    /// that the driver rejects (size UINT64_MAX) needs no memory; its creation will fail.
    pub fn place(
        &mut self,
        resource: ResourceId,
        heap: HeapId,
        offset_bytes: u64,
        recorded: AllocationInfo,
        live: AllocationInfo,
    ) {
        let Some(&index) = self.by_id.get(&heap).filter(|_| live.size_bytes != u64::MAX) else { return };
        let life = &mut self.heaps[index];
        life.agrees &= live == recorded;
        let known = recorded;
        self.placed.insert(resource, (index, life.placements.len()));
        life.events.push(HeapEvent::Create(life.placements.len()));
        let end = offset_bytes.saturating_add(recorded.size_bytes.max(1));
        // An offset at the very end of 64 bits leaves no room even for one byte.
        let recorded = offset_bytes.min(u64::MAX - 1)..end;
        life.placements.push(HeapPlacement { resource, recorded, known, live });
    }

    /// Frees a resource's memory.
    pub fn release(&mut self, resource: ResourceId) {
        if let Some((heap, placement)) = self.placed.remove(&resource) {
            self.heaps[heap].events.push(HeapEvent::Release(placement));
        }
    }

    /// Returns the heaps in order of creation.
    pub fn heaps(&self) -> &[HeapLifetime] {
        &self.heaps
    }
}

//! The lives of a recording's heaps, collected call by call.

use super::heap_life::{HeapEvent, HeapLife, HeapPlacement};
use foldhash::HashMap;
use taut_schemas::{AllocationInfo, HeapDesc, HeapId, ResourceId};

/// Every heap of a recording, in order of creation.
#[derive(Debug, Default)]
pub struct HeapLives {
    heaps: Vec<HeapLife>,
    by_id: HashMap<HeapId, usize>,
    placed: HashMap<ResourceId, (usize, usize)>,
}

impl HeapLives {
    /// A heap was created.
    pub fn create_heap(&mut self, heap: HeapId, desc: HeapDesc) {
        self.by_id.insert(heap, self.heaps.len());
        let (placements, events) = (Vec::new(), Vec::new());
        self.heaps.push(HeapLife { heap, desc, placements, events, agrees: true });
    }

    /// A resource was placed at `offset_bytes` of `heap`, where it took what `recorded` says; it now takes what `live`
    /// says. One that the driver refuses (a size of UINT64_MAX) takes no room; its creation is left to fail.
    pub fn place(
        &mut self,
        resource: ResourceId,
        (heap, offset_bytes): (HeapId, u64),
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
        // An offset at the very end of 64 bits leaves no room even for a byte.
        let recorded = offset_bytes.min(u64::MAX - 1)..end;
        life.placements.push(HeapPlacement { resource, recorded, known, live });
    }

    /// A resource's memory became free.
    pub fn release(&mut self, resource: ResourceId) {
        if let Some((heap, placement)) = self.placed.remove(&resource) {
            self.heaps[heap].events.push(HeapEvent::Release(placement));
        }
    }

    /// The heaps, in order of creation.
    pub fn heaps(&self) -> &[HeapLife] {
        &self.heaps
    }
}

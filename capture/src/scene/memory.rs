//! Where a scene's resources lie: each in a heap of its own, or in shared heaps by first fit.

use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::allocator::{Allocator, HeapKind};
use taut_runtime::refit::FreeMap;
use taut_schemas::{AllocationInfo, HeapId, ResourceDesc, ResourceId};

/// Heap sizes are multiples of this (d3d12.h: D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT).
const HEAP_GRANULARITY_BYTES: u64 = 64 << 10;

/// A heap has room for at least so many of the largest resources, so that no more than a small part of it stays empty.
const LEAST_PER_HEAP: u64 = 8;

/// A resource to be created.
pub(super) struct Wanted<'a> {
    pub name: &'a str,
    pub desc: ResourceDesc,
}

/// What a phase creates its resources for.
#[derive(Clone, Copy)]
pub(super) struct Purpose {
    pub kind: HeapKind,
    /// D3D12_RESOURCE_STATES.
    pub initial_state: u32,
    /// Name of the heaps.
    pub name: &'static str,
}

/// Everything created so far, in the order it was created.
pub(super) struct SceneMemory {
    allocator: Allocator,
    /// Size of a heap, in bytes; `None` if each resource has its own.
    heap_bytes: Option<u64>,
    heaps: Vec<HeapId>,
    resources: Vec<ResourceId>,
}

/// A heap with the ranges of it that are free.
struct OpenHeap {
    heap: HeapId,
    free: FreeMap,
}

impl SceneMemory {
    /// Nothing yet.
    pub(super) fn new(allocator: Allocator, heap_bytes: Option<u64>) -> SceneMemory {
        SceneMemory { allocator, heap_bytes, heaps: Vec::new(), resources: Vec::new() }
    }

    /// Creates and names the resources; gives back the new ones.
    pub(super) fn create<C: Caller>(
        &mut self,
        caller: &mut C,
        purpose: Purpose,
        wanted: &[Wanted<'_>],
    ) -> Result<Vec<ResourceId>, WorkloadError> {
        let first = self.resources.len();
        self.resources.reserve(wanted.len());
        match self.heap_bytes {
            Some(heap_bytes) => self.place(caller, purpose, wanted, heap_bytes)?,
            None => self.commit(caller, purpose, wanted)?,
        }
        Ok(self.resources.split_at(first).1.to_vec())
    }

    fn commit<C: Caller>(
        &mut self,
        caller: &mut C,
        purpose: Purpose,
        wanted: &[Wanted<'_>],
    ) -> Result<(), WorkloadError> {
        for Wanted { name, desc } in wanted {
            let desc = (*desc, purpose.initial_state, None);
            self.resources.push(self.allocator.commit(caller, purpose.kind.heap_type, desc, (*name).to_owned())?);
            caller.step_done();
        }
        Ok(())
    }

    /// Asks about each resource first, so that no heap is larger than what is still to come.
    fn place<C: Caller>(
        &mut self,
        caller: &mut C,
        purpose: Purpose,
        wanted: &[Wanted<'_>],
        heap_bytes: u64,
    ) -> Result<(), WorkloadError> {
        let mut infos = Vec::with_capacity(wanted.len());
        for Wanted { desc, .. } in wanted {
            infos.push(self.allocator.info(caller, *desc)?);
        }
        let largest_bytes = infos.iter().map(room).max().unwrap_or(0);
        let heap_bytes = heap_bytes.max(largest_bytes.saturating_mul(LEAST_PER_HEAP));
        let mut to_come_bytes = infos.iter().map(room).fold(0, u64::saturating_add);
        let mut open = Vec::new();
        for (Wanted { name, desc }, info) in wanted.iter().zip(&infos) {
            let place = match first_fit(&mut open, info) {
                Some(place) => place,
                None => {
                    let size_bytes = info.size_bytes.max(heap_bytes.min(to_come_bytes));
                    self.open_heap(caller, purpose, size_bytes, &mut open)?;
                    // The new heap is at least as large as the resource, which lies at its beginning.
                    first_fit(&mut open, info).unwrap_or_default()
                }
            };
            to_come_bytes = to_come_bytes.saturating_sub(room(info));
            let desc = (*desc, purpose.initial_state);
            self.resources.push(self.allocator.place(caller, place, desc, (*name).to_owned())?);
            caller.step_done();
        }
        Ok(())
    }

    fn open_heap<C: Caller>(
        &mut self,
        caller: &mut C,
        purpose: Purpose,
        size_bytes: u64,
        open: &mut Vec<OpenHeap>,
    ) -> Result<(), WorkloadError> {
        // A size that cannot be rounded is one that CreateHeap refuses.
        let size_bytes = size_bytes.checked_next_multiple_of(HEAP_GRANULARITY_BYTES).unwrap_or(size_bytes);
        let heap = self.allocator.heap(caller, purpose.kind, size_bytes, 0)?;
        self.heaps.push(heap);
        self.allocator.name(caller, heap.into(), format!("{} heap {}", purpose.name, open.len()))?;
        open.push(OpenHeap { heap, free: FreeMap::of(size_bytes) });
        Ok(())
    }

    /// Releases everything, newest first, resources before their heaps.
    pub(super) fn release<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        while let Some(resource) = self.resources.pop() {
            self.allocator.release(caller, resource)?;
        }
        while let Some(heap) = self.heaps.pop() {
            self.allocator.release_heap(caller, heap)?;
        }
        Ok(())
    }
}

/// The most that a resource takes of a heap, alignment included.
fn room(info: &AllocationInfo) -> u64 {
    info.size_bytes.checked_next_multiple_of(info.alignment_bytes.max(1)).unwrap_or(u64::MAX)
}

/// The lowest offset in the oldest heap that has room.
fn first_fit(open: &mut [OpenHeap], info: &AllocationInfo) -> Option<(HeapId, u64)> {
    open.iter_mut().find_map(|OpenHeap { heap, free }| {
        let offset = free.allocate(info.size_bytes, info.alignment_bytes)?;
        Some((*heap, offset))
    })
}

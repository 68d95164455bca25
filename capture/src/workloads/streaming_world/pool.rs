//! A heap of a fixed size, and what lies in it.

use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::allocator::{Allocator, HeapKind};
use taut_runtime::refit::FreeMap;
use taut_schemas::{HeapId, ResourceDesc, ResourceId};

/// A resource in a pool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pooled {
    pub resource: ResourceId,
    offset_bytes: u64,
    size_bytes: u64,
}

/// A heap of a fixed size.
pub(super) struct Pool {
    heap: HeapId,
    initial_state: u32,
    free: FreeMap,
}

impl Pool {
    /// Creates the heap, of a whole number of 64 KiB.
    pub(super) fn new<C: Caller>(
        allocator: &Allocator,
        caller: &mut C,
        (kind, initial_state): (HeapKind, u32),
        size_bytes: u64,
        name: String,
    ) -> Result<Pool, WorkloadError> {
        let heap = allocator.heap(caller, kind, size_bytes, 0)?;
        allocator.name(caller, heap.into(), name)?;
        Ok(Pool { heap, initial_state, free: FreeMap::of(size_bytes) })
    }

    /// The heap.
    pub(super) fn heap(&self) -> HeapId {
        self.heap
    }

    /// Asks how large a resource is and places it by first fit; `None` if there is no room.
    pub(super) fn place<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        desc: ResourceDesc,
        name: impl FnOnce() -> String,
    ) -> Result<Option<Pooled>, WorkloadError> {
        let info = allocator.info(caller, desc)?;
        let Some(offset_bytes) = self.free.allocate(info.size_bytes, info.alignment_bytes) else { return Ok(None) };
        let resource = allocator.place(caller, (self.heap, offset_bytes), (desc, self.initial_state), name())?;
        Ok(Some(Pooled { resource, offset_bytes, size_bytes: info.size_bytes }))
    }

    /// Releases a resource and takes its room back.
    pub(super) fn release<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        pooled: Pooled,
    ) -> Result<(), WorkloadError> {
        allocator.release(caller, pooled.resource)?;
        self.free.free(pooled.offset_bytes, pooled.size_bytes);
        Ok(())
    }
}

//! Heap of a fixed size with first-fit placement.

use crate::bundled::WorkloadError;
use crate::bundled::allocator::{Allocator, HeapKind, HeapOffset};
use taut_capture::Caller;
use taut_runtime::repack::FreeMap;
use taut_schemas::{HeapId, ResourceDesc, ResourceId};

/// Resource in a pool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pooled {
    pub resource: ResourceId,
    offset_bytes: u64,
    size_bytes: u64,
}

/// Heap of a fixed size with its free ranges.
pub(super) struct Pool {
    heap: HeapId,
    initial_state: u32,
    free: FreeMap,
}

/// Heaps of a pool, and the initial state of its resources.
pub(super) struct PoolKind {
    pub kind: HeapKind,
    pub initial_state: u32,
}

impl Pool {
    /// Creates the heap, whose size is a multiple of 64 KiB.
    pub(super) fn new<C: Caller>(
        allocator: &Allocator,
        caller: &mut C,
        pool_kind: PoolKind,
        size_bytes: u64,
        name: String,
    ) -> Result<Pool, WorkloadError> {
        let PoolKind { kind, initial_state } = pool_kind;
        let heap = allocator.heap(caller, kind, size_bytes, 0)?;
        allocator.name(caller, heap.into(), name)?;
        Ok(Pool { heap, initial_state, free: FreeMap::of(size_bytes) })
    }

    /// Heap of the pool.
    pub(super) fn heap(&self) -> HeapId {
        self.heap
    }

    /// Queries the size of a resource and places it first-fit; `None` if there is no space.
    pub(super) fn place<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        desc: ResourceDesc,
        name: impl FnOnce() -> String,
    ) -> Result<Option<Pooled>, WorkloadError> {
        let info = allocator.info(caller, desc)?;
        let Some(offset_bytes) = self.free.allocate(info.size_bytes, info.alignment_bytes) else { return Ok(None) };
        let resource = allocator.place(
            caller,
            HeapOffset { heap: self.heap, heap_offset_bytes: offset_bytes },
            desc,
            self.initial_state,
            name(),
        )?;
        Ok(Some(Pooled { resource, offset_bytes, size_bytes: info.size_bytes }))
    }

    /// Releases a resource and frees its range.
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

//! Buffers that live for some frames, placed by first fit in a heap of their own.

use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::allocator::{Allocator, HeapKind};
use crate::workloads::content::transient;
use crate::workloads::random::Random;
use std::collections::VecDeque;
use taut_runtime::refit::FreeMap;
use taut_schemas::{HeapId, ResourceId};

/// The heap's size.
const HEAP_BYTES: u64 = 2 << 20;
/// Most buffers alive at a time.
const MOST: usize = 12;

/// A thread's transient buffers.
pub(super) struct LevelTransients {
    heap: HeapId,
    free: FreeMap,
    /// Oldest first: the buffer, its offset and its size.
    live: VecDeque<(ResourceId, u64, u64)>,
}

impl LevelTransients {
    /// Creates the heap.
    pub(super) fn new<C: Caller>(
        allocator: &Allocator,
        caller: &mut C,
        thread: u32,
    ) -> Result<LevelTransients, WorkloadError> {
        let heap = allocator.heap(caller, HeapKind::BUFFERS, HEAP_BYTES, 0)?;
        allocator.name(caller, heap.into(), format!("part {thread} transients"))?;
        Ok(LevelTransients { heap, free: FreeMap::of(HEAP_BYTES), live: VecDeque::new() })
    }

    /// Creates a buffer, after releasing old ones to make room.
    pub(super) fn stream<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
        name: String,
    ) -> Result<(), WorkloadError> {
        let desc = transient(allocator, random);
        let info = allocator.infos(caller, vec![desc])?;
        if self.live.len() >= MOST {
            self.release_oldest(allocator, caller)?;
        }
        let offset = loop {
            match self.free.allocate(info.size_bytes, info.alignment_bytes) {
                Some(offset) => break offset,
                // Without one more to release, the buffer is larger than the heap; it is left out.
                None if !self.release_oldest(allocator, caller)? => return Ok(()),
                None => {}
            }
        };
        let buffer = allocator.place(caller, (self.heap, offset), (desc, 0), name)?;
        self.live.push_back((buffer, offset, info.size_bytes));
        allocator.address(caller, buffer)
    }

    fn release_oldest<C: Caller>(&mut self, allocator: &Allocator, caller: &mut C) -> Result<bool, WorkloadError> {
        let Some((buffer, offset, size_bytes)) = self.live.pop_front() else { return Ok(false) };
        allocator.release(caller, buffer)?;
        self.free.free(offset, size_bytes);
        Ok(true)
    }

    /// Releases the buffers and the heap.
    pub(super) fn release<C: Caller>(mut self, allocator: &Allocator, caller: &mut C) -> Result<(), WorkloadError> {
        while self.release_oldest(allocator, caller)? {}
        allocator.release_heap(caller, self.heap)
    }
}

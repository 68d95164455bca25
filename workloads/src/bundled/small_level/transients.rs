//! Buffers that live for some frames, placed first-fit in a heap.

use crate::bundled::WorkloadError;
use crate::bundled::allocator::{Allocator, HeapKind, HeapOffset};
use crate::bundled::content::transient;
use crate::bundled::random::Random;
use std::collections::VecDeque;
use taut_capture::Caller;
use taut_runtime::repack::FreeMap;
use taut_schemas::{HeapId, ResourceId};

/// Size of the heap in bytes.
const HEAP_BYTES: u64 = 2 << 20;
/// Maximum number of live buffers.
const MAX_LIVE: usize = 12;

/// Transient buffers of a thread.
pub(super) struct LevelTransients {
    heap: HeapId,
    free: FreeMap,
    /// Live buffers, oldest first, with offset and size in bytes.
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

    /// Creates a buffer. Releases old buffers before, if space is needed.
    pub(super) fn stream<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
        name: String,
    ) -> Result<(), WorkloadError> {
        let desc = transient(allocator, random);
        let info = allocator.infos(caller, vec![desc])?;
        if self.live.len() >= MAX_LIVE {
            self.release_oldest(allocator, caller)?;
        }
        let offset = loop {
            match self.free.allocate(info.size_bytes, info.alignment_bytes) {
                Some(offset) => break offset,
                // If no buffer is left to release, the new one is larger than the heap, so it is not created.
                None if !self.release_oldest(allocator, caller)? => return Ok(()),
                None => {}
            }
        };
        let buffer =
            allocator.place(caller, HeapOffset { heap: self.heap, heap_offset_bytes: offset }, desc, 0, name)?;
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

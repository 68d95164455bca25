//! Buffers that live for some frames, placed by first fit in a heap of their own.

use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::content::transient;
use crate::workloads::kit::{HeapKind, Kit};
use crate::workloads::random::Random;
use std::collections::VecDeque;
use taut_runtime::refit::FreeMap;
use taut_schemas::{HeapId, ResourceId};

/// The heap's size.
const HEAP_BYTES: u64 = 2 << 20;
/// Most buffers alive at a time.
const MOST: usize = 12;

/// A thread's transient buffers.
pub(super) struct Transients {
    heap: HeapId,
    free: FreeMap,
    /// Oldest first: the buffer, its offset and its size.
    live: VecDeque<(ResourceId, u64, u64)>,
}

impl Transients {
    /// Creates the heap.
    pub(super) fn new<C: Caller>(kit: &Kit, caller: &mut C, thread: u32) -> Result<Transients, WorkloadError> {
        let heap = kit.heap(caller, HeapKind::BUFFERS, HEAP_BYTES, 0)?;
        kit.name(caller, heap.into(), format!("part {thread} transients"))?;
        Ok(Transients { heap, free: FreeMap::of(HEAP_BYTES), live: VecDeque::new() })
    }

    /// Creates a buffer, after releasing old ones to make room.
    pub(super) fn stream<C: Caller>(
        &mut self,
        kit: &Kit,
        caller: &mut C,
        random: &mut Random,
        name: String,
    ) -> Result<(), WorkloadError> {
        let desc = transient(kit, random);
        let info = kit.infos(caller, vec![desc])?;
        if self.live.len() >= MOST {
            self.release_oldest(kit, caller)?;
        }
        let offset = loop {
            match self.free.allocate(info.size_bytes, info.alignment_bytes) {
                Some(offset) => break offset,
                // Without one more to release, the buffer is larger than the heap; it is left out.
                None if !self.release_oldest(kit, caller)? => return Ok(()),
                None => {}
            }
        };
        let buffer = kit.place(caller, (self.heap, offset), (desc, 0), name)?;
        self.live.push_back((buffer, offset, info.size_bytes));
        kit.address(caller, buffer)
    }

    fn release_oldest<C: Caller>(&mut self, kit: &Kit, caller: &mut C) -> Result<bool, WorkloadError> {
        let Some((buffer, offset, size_bytes)) = self.live.pop_front() else { return Ok(false) };
        kit.release(caller, buffer)?;
        self.free.free(offset, size_bytes);
        Ok(true)
    }

    /// Releases the buffers and the heap.
    pub(super) fn release<C: Caller>(mut self, kit: &Kit, caller: &mut C) -> Result<(), WorkloadError> {
        while self.release_oldest(kit, caller)? {}
        kit.release_heap(caller, self.heap)
    }
}

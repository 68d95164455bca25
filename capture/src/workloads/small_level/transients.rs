//! Buffers that live for some frames, placed by first fit in a heap of their own.

use super::content::transient;
use super::kit::{HeapKind, Kit};
use crate::workloads::random::Random;
use crate::workloads::{Caller, WorkloadError};
use std::collections::VecDeque;
use taut_runtime::refit::FreeMap;
use taut_schemas::{HeapId, ResourceId, api};

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
        Ok(Transients { heap, free: FreeMap::default(), live: VecDeque::new() })
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
                Some(offset) if offset.saturating_add(info.size_bytes) <= HEAP_BYTES => break offset,
                beyond => {
                    if let Some(offset) = beyond {
                        self.free.free(offset, info.size_bytes);
                    }
                    // Without one more to release, the buffer is larger than the heap; it is left out.
                    if !self.release_oldest(kit, caller)? {
                        return Ok(());
                    }
                }
            }
        };
        let buffer = kit.place(caller, (self.heap, offset), (desc, 0), name)?;
        self.live.push_back((buffer, offset, info.size_bytes));
        super::kit::required("GetGPUVirtualAddress", caller.call(api::GetGPUVirtualAddress { resource: buffer }))?;
        Ok(())
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
        super::kit::required("ReleaseHeap", caller.call(api::ReleaseHeap { heap: self.heap }))
    }
}

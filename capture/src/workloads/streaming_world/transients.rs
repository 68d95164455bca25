//! Buffers that live for three frames.

use super::pool::{Pool, Pooled};
use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::allocator::{Allocator, GENERIC_READ, HeapKind};
use crate::workloads::content::transient;
use crate::workloads::random::Random;
use crate::workloads::refusal::required;
use std::collections::VecDeque;
use taut_schemas::{HeapType, MemoryRange, ResourceId, d3d12};

/// Frames that the graphics processor may be behind.
const FRAMES: u64 = 3;
/// Room for each buffer of a frame, so that the heap is seldom full: sizes are log-uniform from 256 B to 48 KiB, and
/// rounded up to 64 KiB without the tight flag.
const ROOM_BYTES: u64 = 64 << 10;

/// Where a transient buffer lies.
enum Home {
    Pooled(Pooled),
    Committed(ResourceId),
}

/// A thread's transient buffers.
pub(super) struct StreamingTransients {
    pool: Pool,
    per_frame: u64,
    /// Oldest first, with the frame that made them.
    live: VecDeque<(u64, Home)>,
}

impl StreamingTransients {
    /// Creates the upload heap.
    pub(super) fn new<C: Caller>(
        allocator: &Allocator,
        caller: &mut C,
        per_frame: u64,
        thread: u32,
    ) -> Result<StreamingTransients, WorkloadError> {
        let size_bytes = FRAMES * per_frame.max(1) * ROOM_BYTES;
        let name = format!("thread {thread} transients");
        let pool = Pool::new(allocator, caller, (HeapKind::UPLOAD, GENERIC_READ), size_bytes, name)?;
        Ok(StreamingTransients { pool, per_frame, live: VecDeque::new() })
    }

    /// Releases what a past frame made, and makes and writes this frame's buffers. One in 16, and those for which the
    /// heap has no room, are committed.
    pub(super) fn frame<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
        frame: u64,
    ) -> Result<(), WorkloadError> {
        while self.live.front().is_some_and(|(made, _)| made + FRAMES <= frame) {
            self.release_oldest(allocator, caller)?;
        }
        for index in 0..self.per_frame {
            let desc = transient(allocator, random);
            let name = || format!("frame {frame} transient {index}");
            let pooled = if random.once_in(16) { None } else { self.pool.place(allocator, caller, desc, name)? };
            let (resource, home) = match pooled {
                Some(pooled) => (pooled.resource, Home::Pooled(pooled)),
                None => {
                    let resource = allocator.commit(caller, HeapType::UPLOAD, (desc, GENERIC_READ, None), name())?;
                    (resource, Home::Committed(resource))
                }
            };
            self.live.push_back((frame, home));
            let (subresource, nothing) = (0, MemoryRange { begin: 0, end: 0 });
            required("Map", caller.call(d3d12::Map { resource, subresource, read_range: Some(nothing) }))?;
            allocator.address(caller, resource)?;
            let written_range = Some(MemoryRange { begin: 0, end: desc.width });
            required("Unmap", caller.call(d3d12::Unmap { resource, subresource, written_range }))?;
        }
        Ok(())
    }

    fn release_oldest<C: Caller>(&mut self, allocator: &Allocator, caller: &mut C) -> Result<bool, WorkloadError> {
        match self.live.pop_front() {
            None => return Ok(false),
            Some((_, Home::Pooled(pooled))) => self.pool.release(allocator, caller, pooled)?,
            Some((_, Home::Committed(resource))) => allocator.release(caller, resource)?,
        }
        Ok(true)
    }

    /// Releases the buffers and the heap.
    pub(super) fn leave<C: Caller>(&mut self, allocator: &Allocator, caller: &mut C) -> Result<(), WorkloadError> {
        while self.release_oldest(allocator, caller)? {}
        allocator.release_heap(caller, self.pool.heap())
    }
}

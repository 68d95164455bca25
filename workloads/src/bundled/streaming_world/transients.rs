//! Buffers that live for three frames.

use super::pool::{Pool, PoolKind, Pooled};
use crate::bundled::WorkloadError;
use crate::bundled::allocator::{Allocator, CommittedDesc, GENERIC_READ, HeapKind};
use crate::bundled::content::transient;
use crate::bundled::random::Random;
use crate::bundled::refusal::required;
use std::collections::VecDeque;
use taut_capture::Caller;
use taut_schemas::{HeapType, MemoryRange, ResourceId, d3d12};

/// Lifetime of a buffer in frames, as many as the GPU may be late.
const FRAMES: u64 = 3;
/// Space in bytes for each buffer of a frame, so that the heap is rarely full: sizes are log-uniform from 256 B to 48
/// KiB, and rounded up to 64 KiB without the tight flag.
const SPACE_PER_BUFFER_BYTES: u64 = 64 << 10;

/// Allocation of a transient buffer.
enum TransientAllocation {
    Pooled(Pooled),
    Committed(ResourceId),
}

/// Transient buffers of a thread.
pub(super) struct StreamingTransients {
    pool: Pool,
    per_frame: u64,
    /// Live buffers, oldest first, with the frame of their creation.
    live: VecDeque<(u64, TransientAllocation)>,
}

impl StreamingTransients {
    /// Creates the upload heap.
    pub(super) fn new<C: Caller>(
        allocator: &Allocator,
        caller: &mut C,
        per_frame: u64,
        thread: u32,
    ) -> Result<StreamingTransients, WorkloadError> {
        let size_bytes = FRAMES * per_frame.max(1) * SPACE_PER_BUFFER_BYTES;
        let name = format!("thread {thread} transients");
        let pool = Pool::new(
            allocator,
            caller,
            PoolKind { kind: HeapKind::UPLOAD, initial_state: GENERIC_READ },
            size_bytes,
            name,
        )?;
        Ok(StreamingTransients { pool, per_frame, live: VecDeque::new() })
    }

    /// Releases the buffers of an old frame, and creates and writes this frame's. One in 16 buffers, and buffers for
    /// which the heap has no space, are committed.
    pub(super) fn frame<C: Caller>(
        &mut self,
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
        frame: u64,
    ) -> Result<(), WorkloadError> {
        while self.live.front().is_some_and(|(created_frame, _)| created_frame + FRAMES <= frame) {
            self.release_oldest(allocator, caller)?;
        }
        for index in 0..self.per_frame {
            let desc = transient(allocator, random);
            let name = || format!("frame {frame} transient {index}");
            let pooled = if random.once_in(16) { None } else { self.pool.place(allocator, caller, desc, name)? };
            let (resource, allocation) = match pooled {
                Some(pooled) => (pooled.resource, TransientAllocation::Pooled(pooled)),
                None => {
                    let resource = allocator.commit(
                        caller,
                        HeapType::UPLOAD,
                        CommittedDesc { desc, initial_state: GENERIC_READ, clear_value: None },
                        name(),
                    )?;
                    (resource, TransientAllocation::Committed(resource))
                }
            };
            self.live.push_back((frame, allocation));
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
            Some((_, TransientAllocation::Pooled(pooled))) => self.pool.release(allocator, caller, pooled)?,
            Some((_, TransientAllocation::Committed(resource))) => allocator.release(caller, resource)?,
        }
        Ok(true)
    }

    /// Releases the buffers and the heap.
    pub(super) fn leave<C: Caller>(&mut self, allocator: &Allocator, caller: &mut C) -> Result<(), WorkloadError> {
        while self.release_oldest(allocator, caller)? {}
        allocator.release_heap(caller, self.pool.heap())
    }
}

//! Objects shared by all threads, on which they race.

use crate::bundled::WorkloadError;
use crate::bundled::allocator::{Allocator, GENERIC_READ, HeapKind, HeapOffset};
use crate::bundled::random::Random;
use crate::bundled::refusal::raced;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_capture::Caller;
use taut_schemas::{HeapId, MemoryRange, ObjectId, ResourceDesc, ResourceId, d3d12};

/// Size in bytes of the heap of each shared buffer.
const BUFFER_HEAP_BYTES: u64 = 64 << 10;
/// Size in bytes of each shared heap.
const HEAP_BYTES: u64 = 256 << 10;
/// Size in bytes of a shared buffer.
const BUFFER_BYTES: u64 = 4096;

/// Handles that any thread may read at any time. A handle can be stale: a thread may use it after another has released
/// its object, as in real applications' races.
pub(super) struct SharedHandles {
    /// Heap of each shared buffer and of its replacements.
    buffer_heaps: Vec<HeapId>,
    /// Handles of buffers; 0 if there is none.
    buffers: Vec<AtomicU64>,
    /// Handles of heaps; 0 if there is none.
    heaps: Vec<AtomicU64>,
}

impl SharedHandles {
    /// Creates `count` objects, rounded up to an even number.
    pub(super) fn set_up<C: Caller>(
        allocator: &Allocator,
        caller: &mut C,
        count: usize,
    ) -> Result<SharedHandles, WorkloadError> {
        let each = count.div_ceil(2);
        let mut buffer_heaps = Vec::with_capacity(each);
        for slot in 0..each {
            let buffer_heap = allocator.heap(caller, HeapKind::UPLOAD, BUFFER_HEAP_BYTES, 0)?;
            allocator.name(caller, buffer_heap.into(), format!("shared buffer heap {slot}"))?;
            buffer_heaps.push(buffer_heap);
        }
        let slots = || (0..each).map(|_| AtomicU64::new(0)).collect();
        let shared = SharedHandles { buffer_heaps, buffers: slots(), heaps: slots() };
        for slot in 0..each {
            shared.replace_buffer(allocator, caller, slot)?;
            shared.replace_heap(allocator, caller, slot)?;
        }
        Ok(shared)
    }

    /// Uses or replaces a random object.
    pub(super) fn touch<C: Caller>(
        &self,
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
        number: u64,
    ) -> Result<(), WorkloadError> {
        let slot = random.below(self.buffers.len() as u64) as usize;
        let resource = ResourceId(self.buffers[slot].load(Ordering::Relaxed));
        let heap = HeapId(self.heaps[slot].load(Ordering::Relaxed));
        if resource == ResourceId::NULL || heap == HeapId::NULL {
            // Another thread is replacing the object.
            return Ok(());
        }
        if random.once_in(4) {
            // Widens the window between reading a slot and using the handle.
            std::thread::yield_now();
        }
        match random.below(16) {
            0..=4 => write(caller, resource),
            5..=6 => raced("GetDesc", caller.call(d3d12::GetDesc { resource })).map(drop),
            7..=8 => raced("GetGPUVirtualAddress", caller.call(d3d12::GetGPUVirtualAddress { resource })).map(drop),
            9 => {
                let name = format!("shared {number}");
                raced("SetName", caller.call(d3d12::SetName { object: ObjectId(resource.0), name })).map(drop)
            }
            10 => raced("GetHeapDesc", caller.call(d3d12::GetHeapDesc { heap })).map(drop),
            11..=12 => self.borrow_heap(allocator, caller, heap),
            13 => self.replace_buffer(allocator, caller, slot),
            14 => self.replace_heap(allocator, caller, slot),
            // Releases the object but leaves its handle in the slot, for other threads to use.
            _ if random.once_in(2) => raced("ReleaseHeap", caller.call(d3d12::ReleaseHeap { heap })).map(drop),
            _ => raced("ReleaseResource", caller.call(d3d12::ReleaseResource { resource })).map(drop),
        }
    }

    /// Places a buffer temporarily in a shared heap, if the heap still exists.
    fn borrow_heap<C: Caller>(&self, allocator: &Allocator, caller: &mut C, heap: HeapId) -> Result<(), WorkloadError> {
        let desc = allocator.tight(ResourceDesc::buffer(BUFFER_BYTES));
        let (device, initial_state, clear_value) = (allocator.device(), GENERIC_READ, None);
        let heap_offset_bytes = 0;
        let create = d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, initial_state, clear_value };
        let Some(resource) = raced("CreatePlacedResource", caller.call(create))? else { return Ok(()) };
        allocator.name(caller, resource.into(), "borrower".to_owned())?;
        write(caller, resource)?;
        allocator.release(caller, resource)
    }

    fn replace_buffer<C: Caller>(
        &self,
        allocator: &Allocator,
        caller: &mut C,
        slot: usize,
    ) -> Result<(), WorkloadError> {
        release_buffer(caller, &self.buffers[slot], 0)?;
        let offset = HeapOffset { heap: self.buffer_heaps[slot], heap_offset_bytes: 0 };
        let (desc, name) = (allocator.tight(ResourceDesc::buffer(BUFFER_BYTES)), format!("shared buffer {slot}"));
        let buffer = allocator.place(caller, offset, desc, GENERIC_READ, name)?;
        // Another thread may have stored a handle meanwhile.
        release_buffer(caller, &self.buffers[slot], buffer.0)
    }

    fn replace_heap<C: Caller>(&self, allocator: &Allocator, caller: &mut C, slot: usize) -> Result<(), WorkloadError> {
        release_heap(caller, &self.heaps[slot], 0)?;
        let heap = allocator.heap(caller, HeapKind::UPLOAD, HEAP_BYTES, 0)?;
        allocator.name(caller, heap.into(), format!("shared heap {slot}"))?;
        release_heap(caller, &self.heaps[slot], heap.0)
    }

    /// Releases the remaining objects.
    pub(super) fn tear_down<C: Caller>(&self, allocator: &Allocator, caller: &mut C) -> Result<(), WorkloadError> {
        for slot in &self.buffers {
            release_buffer(caller, slot, 0)?;
        }
        for slot in &self.heaps {
            release_heap(caller, slot, 0)?;
        }
        self.buffer_heaps.iter().try_for_each(|buffer_heap| allocator.release_heap(caller, *buffer_heap))
    }
}

/// Stores another handle in a slot and releases the previous buffer, if it still exists.
fn release_buffer<C: Caller>(caller: &mut C, slot: &AtomicU64, next: u64) -> Result<(), WorkloadError> {
    match ResourceId(slot.swap(next, Ordering::Relaxed)) {
        ResourceId::NULL => Ok(()),
        resource => raced("ReleaseResource", caller.call(d3d12::ReleaseResource { resource })).map(drop),
    }
}

/// Stores another handle in a slot and releases the previous heap, if it still exists.
fn release_heap<C: Caller>(caller: &mut C, slot: &AtomicU64, next: u64) -> Result<(), WorkloadError> {
    match HeapId(slot.swap(next, Ordering::Relaxed)) {
        HeapId::NULL => Ok(()),
        heap => raced("ReleaseHeap", caller.call(d3d12::ReleaseHeap { heap })).map(drop),
    }
}

/// Maps and unmaps a buffer, if it still exists.
fn write<C: Caller>(caller: &mut C, resource: ResourceId) -> Result<(), WorkloadError> {
    let (subresource, nothing) = (0, MemoryRange { begin: 0, end: 0 });
    let mapped = raced("Map", caller.call(d3d12::Map { resource, subresource, read_range: Some(nothing) }))?;
    if mapped.is_some() {
        let written_range = Some(MemoryRange { begin: 0, end: BUFFER_BYTES });
        raced("Unmap", caller.call(d3d12::Unmap { resource, subresource, written_range }))?;
    }
    Ok(())
}

//! An address space as a rundown record, together with the state of its buffer map.

use super::{AddressSpace, PAGE_BYTES, pages_of};
use crate::memory::buffer_map::BufferMap;
use crate::memory::free_ranges::FreeRanges;
use crate::records::{RestoreError, check_memory, invalid_value};
use taut_schemas::{AdapterId, MemoryRange, state};

impl AddressSpace {
    /// The record of the address space and of the max buffer size so far.
    pub(crate) fn save(&self, adapter: AdapterId, buffers: &BufferMap) -> state::AddressSpace {
        // `changes` is left out: its consumer takes it after every call.
        let AddressSpace { free, pages: _, changes: _ } = self;
        let bytes = |page: u64| page * PAGE_BYTES;
        let free = free.blocks().map(|(first, end)| MemoryRange { begin: bytes(first), end: bytes(end) }).collect();
        state::AddressSpace { adapter, free, longest_buffer: buffers.longest_bytes() }
    }

    /// Restores an address space from its record.
    pub(crate) fn restore(record: &state::AddressSpace) -> Result<AddressSpace, RestoreError> {
        let state::AddressSpace { adapter, free, longest_buffer: _ } = record;
        let mut last_end = 0;
        let mut blocks = Vec::with_capacity(free.len());
        for MemoryRange { begin, end } in free {
            // Addresses beyond the adapter's space are corrupt.
            check_memory::<state::AddressSpace>(*end, 0)?;
            // Adjacent free ranges are always merged, so a used page separates any two free ranges.
            if begin % PAGE_BYTES != 0 || end % PAGE_BYTES != 0 || begin >= end || *begin <= last_end {
                let expected = "free ranges of whole pages, ascending and apart";
                return invalid_value::<_, state::AddressSpace>(expected, format_args!("{begin:#x} to {end:#x}"));
            }
            last_end = *end;
            blocks.push((begin / PAGE_BYTES, end / PAGE_BYTES));
        }
        Ok(AddressSpace { free: FreeRanges::from_blocks(&blocks), pages: pages_of(*adapter), changes: None })
    }
}

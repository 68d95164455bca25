//! An address space, and the buffers in it, as a record.

use super::{AddressSpace, PAGE_BYTES};
use crate::memory::buffer_map::BufferMap;
use crate::memory::free_ranges::FreeRanges;
use crate::records::{RestoreError, check_memory, unsound};
use taut_schemas::{AdapterId, MemoryRange, state};

impl AddressSpace {
    /// It as a record, with what is known of buffers there have been.
    pub(crate) fn save(&self, adapter: AdapterId, buffers: &BufferMap) -> state::AddressSpace {
        // Who wants to know what was given back is told at once.
        let AddressSpace { free, freed: _ } = self;
        let bytes = |page: u64| page * PAGE_BYTES;
        let free = free.blocks().map(|(first, end)| MemoryRange { begin: bytes(first), end: bytes(end) }).collect();
        state::AddressSpace { adapter, free, longest_buffer: buffers.longest_bytes() }
    }

    /// That of a record.
    pub(crate) fn restore(record: &state::AddressSpace) -> Result<AddressSpace, RestoreError> {
        let state::AddressSpace { adapter: _, free, longest_buffer: _ } = record;
        let mut last_end = 0;
        let mut blocks = Vec::with_capacity(free.len());
        for MemoryRange { begin, end } in free {
            check_memory::<state::AddressSpace>(*end, 0)?;
            // Neighbours are joined, so there is something between two of them.
            if begin % PAGE_BYTES != 0 || end % PAGE_BYTES != 0 || begin >= end || *begin <= last_end {
                let expected = "free ranges of whole pages, ascending and apart";
                return unsound::<_, state::AddressSpace>(expected, format_args!("{begin:#x} to {end:#x}"));
            }
            last_end = *end;
            blocks.push((begin / PAGE_BYTES, end / PAGE_BYTES));
        }
        Ok(AddressSpace { free: FreeRanges::of_blocks(&blocks), freed: None })
    }
}

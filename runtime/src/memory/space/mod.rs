//! The simulated GPU address space: allocation at the lowest free address, in VidMm's pages (rule A-40).

mod saved;

use super::free_ranges::FreeRanges;
use std::ops::Range;
use taut_schemas::AdapterId;

/// VidMm's granularity of alignment and size (rule A-40).
pub(crate) const PAGE_BYTES: u64 = 4096;

/// First GPU address. 0 is no address, and small numbers are more likely stray offsets.
const FIRST_ADDRESS: u64 = 1 << 32;

/// End of the GPU address space: 47 bits, as drivers commonly have.
const END_ADDRESS: u64 = 1 << 47;

/// Offset from a GPU address to the CPU address of the same memory. A fixed offset makes CPU addresses deterministic
/// too, and keeps the two kinds distinguishable.
const CPU_WINDOW: u64 = 1 << 62;

/// An adapter's address space.
#[derive(Debug)]
pub(crate) struct AddressSpace {
    /// The adapter's pages.
    pages: Range<u64>,
    free: FreeRanges,
    /// Allocations and releases, if they are tracked.
    changes: Option<Vec<MemoryChange<(u64, u64)>>>,
}

/// Change of a range of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryChange<R> {
    /// The range is the memory of a new committed resource or heap.
    Allocated(R),
    /// The memory was freed.
    Freed(R),
}

/// Pages of an adapter.
fn pages_of(adapter: AdapterId) -> Range<u64> {
    let first = (FIRST_ADDRESS + adapter.index() as u64 * END_ADDRESS) / PAGE_BYTES;
    first..first + (END_ADDRESS - FIRST_ADDRESS) / PAGE_BYTES
}

impl AddressSpace {
    /// Creates an adapter's address space. Those of different adapters are disjoint, so that an address identifies its
    /// adapter.
    pub fn new(adapter: AdapterId) -> AddressSpace {
        let pages = pages_of(adapter);
        AddressSpace { free: FreeRanges::new(pages.start, pages.end - pages.start), pages, changes: None }
    }

    /// Allocates `size_bytes`, rounded up to pages, at a multiple of `alignment_bytes` (a power of two). `None` if no
    /// free range fits.
    pub fn allocate(&mut self, size_bytes: u64, alignment_bytes: u64) -> Option<u64> {
        // VidMm allocates at least one page, even for 0 bytes.
        let pages = size_bytes.max(1).div_ceil(PAGE_BYTES);
        let address = self.free.take(pages, (alignment_bytes / PAGE_BYTES).max(1)).map(|page| page * PAGE_BYTES)?;
        if let Some(changes) = &mut self.changes {
            changes.push(MemoryChange::Allocated((address, size_bytes)));
        }
        Some(address)
    }

    /// Releases a range that [`AddressSpace::allocate`] returned for the same size.
    pub fn release(&mut self, address: u64, size_bytes: u64) {
        self.free.free_pages(address / PAGE_BYTES, size_bytes.max(1).div_ceil(PAGE_BYTES));
        if let Some(changes) = &mut self.changes {
            changes.push(MemoryChange::Freed((address, size_bytes)));
        }
    }

    /// True if bytes from a GPU address on are in one allocated page.
    pub fn has_in_page(&self, address: u64, size_bytes: u64) -> bool {
        let (page, last) = (address / PAGE_BYTES, address.saturating_add(size_bytes.saturating_sub(1)) / PAGE_BYTES);
        page == last && self.pages.contains(&page) && !self.free.contains(page)
    }

    /// Starts to track allocations and releases.
    pub fn track_changes(&mut self) {
        self.changes.get_or_insert_default();
    }

    /// Takes the allocations and releases since the last call, in order, with addresses and sizes.
    pub fn take_changes(&mut self) -> Vec<MemoryChange<(u64, u64)>> {
        self.changes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The CPU address of a GPU address.
    pub const fn cpu_address(address: u64) -> u64 {
        address + CPU_WINDOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a40_granularity_is_4_kib() {
        let mut space = AddressSpace::new(AdapterId::FIRST);
        assert_eq!(space.allocate(1, 1), Some(FIRST_ADDRESS));
        assert_eq!(space.allocate(4097, 1), Some(FIRST_ADDRESS + 4096));
        assert_eq!(space.allocate(4096, 65536), Some(FIRST_ADDRESS + 65536));
        assert_eq!(space.allocate(1, 1), Some(FIRST_ADDRESS + 3 * 4096));
        space.release(FIRST_ADDRESS, 1);
        assert_eq!(space.allocate(4096, 4096), Some(FIRST_ADDRESS));
        assert_eq!(space.allocate(u64::MAX, 4096), None);
    }
}

//! The simulated GPU address space: allocation at the lowest free address, in VidMm's pages (rule A-40).

mod saved;

use super::free_ranges::FreeRanges;
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
    free: FreeRanges,
    /// Addresses and sizes of released ranges, if they are tracked.
    freed: Option<Vec<(u64, u64)>>,
}

impl AddressSpace {
    /// Creates an adapter's address space. Those of different adapters are disjoint, so that an address identifies its
    /// adapter.
    pub fn new(adapter: AdapterId) -> AddressSpace {
        let pages = (END_ADDRESS - FIRST_ADDRESS) / PAGE_BYTES;
        let first = FIRST_ADDRESS + adapter.index() as u64 * END_ADDRESS;
        AddressSpace { free: FreeRanges::new(first / PAGE_BYTES, pages), freed: None }
    }

    /// Allocates `size_bytes`, rounded up to pages, at a multiple of `alignment_bytes` (a power of two). `None` if no
    /// free range fits.
    pub fn allocate(&mut self, size_bytes: u64, alignment_bytes: u64) -> Option<u64> {
        // VidMm allocates at least one page, even for 0 bytes.
        let pages = size_bytes.max(1).div_ceil(PAGE_BYTES);
        self.free.take(pages, (alignment_bytes / PAGE_BYTES).max(1)).map(|page| page * PAGE_BYTES)
    }

    /// Releases a range that [`AddressSpace::allocate`] returned for the same size.
    pub fn release(&mut self, address: u64, size_bytes: u64) {
        self.free.free_pages(address / PAGE_BYTES, size_bytes.max(1).div_ceil(PAGE_BYTES));
        if let Some(freed) = &mut self.freed {
            freed.push((address, size_bytes));
        }
    }

    /// Starts to track released ranges.
    pub fn track_freed(&mut self) {
        self.freed.get_or_insert_default();
    }

    /// Takes the addresses and sizes of the ranges released since the last call.
    pub fn take_freed(&mut self) -> Vec<(u64, u64)> {
        self.freed.as_mut().map(std::mem::take).unwrap_or_default()
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

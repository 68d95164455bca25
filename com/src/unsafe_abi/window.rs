//! Memory that the simulated addresses have in the process: one range of address space, whose pages exist once they are
//! touched.

use memmap2::{MmapOptions, MmapRaw, UncheckedAdvice};
use std::ffi::c_void;
use taut_capture::{CpuRange, Memory};
use taut_schemas::CpuAddress;

/// Sizes of the range, in bytes: the first that the system gives is used.
const SIZES: [usize; 4] = [1 << 40, 1 << 36, 1 << 34, 1 << 32];

/// First simulated address of the processor.
const FIRST_ADDRESS: u64 = (1 << 62) + (1 << 32);

/// The range of address space.
pub struct Window {
    memory: Option<MmapRaw>,
}

impl Window {
    /// Reserves the range.
    pub fn reserve() -> Window {
        let reserve = |size: &usize| MmapOptions::new().len(*size).no_reserve_swap().map_anon().ok();
        Window { memory: SIZES.iter().find_map(reserve).map(MmapRaw::from) }
    }

    /// Offset of a range in the window; `None` if it lies outside.
    fn offset(&self, address: CpuAddress, size_bytes: u64) -> Option<(&MmapRaw, usize)> {
        let memory = self.memory.as_ref()?;
        let offset = address.0.checked_sub(FIRST_ADDRESS)?;
        let end = offset.checked_add(size_bytes)?;
        (end <= memory.len() as u64).then_some((memory, offset as usize))
    }

    /// Address in the process of a simulated range; `None` if the window is too small for it.
    pub fn pointer(&self, range: CpuRange) -> Option<*mut c_void> {
        let (memory, offset) = self.offset(range.address, range.size_bytes)?;
        Some(memory.as_mut_ptr().wrapping_add(offset).cast())
    }
}

impl Memory for Window {
    fn map(&self, _: CpuRange) {}

    fn unmap(&self, _: CpuRange) {}

    fn release(&self, range: CpuRange) {
        if let Some((memory, offset)) = self.offset(range.address, range.size_bytes) {
            // SAFETY: no reference to the memory exists in the library; the client must not use memory that it has
            // released, and would read zeros. If the system refuses, the pages stay until the process ends.
            let _ =
                unsafe { memory.unchecked_advise_range(UncheckedAdvice::DontNeed, offset, range.size_bytes as usize) };
        }
    }
}

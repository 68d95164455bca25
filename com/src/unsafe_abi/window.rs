//! Memory that the simulated addresses have in the process: one range of address space, whose pages exist once they are
//! touched. Where the system refuses the range, each allocation that is used has a mapping.

use super::pointer::{In, Out};
use super::process::monotonic_ns;
use memmap2::{MmapOptions, MmapRaw, UncheckedAdvice};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_capture::{CpuRange, Memory};
use taut_runtime::memory_effect::{Extent, Rows};
use taut_schemas::CpuAddress;

/// Size of the range, in bytes.
const WINDOW_BYTES: usize = 1 << 40;

/// First simulated address of the processor.
const FIRST_ADDRESS: u64 = (1 << 62) + (1 << 32);

/// Size in bytes from which a map checks that its pages can exist.
const LARGE_BYTES: u64 = 256 << 20;

/// Bytes that this process has or could have without swapping, some of which may be those of the range itself; `None` if
/// the system does not say.
fn obtainable_bytes() -> Option<u64> {
    let number = |text: &str| text.split_whitespace().next()?.parse::<u64>().ok();
    let line = |path: &str, key: &str| {
        let text = std::fs::read_to_string(path).ok()?;
        text.lines().find_map(|line| number(line.strip_prefix(key)?))
    };
    let (free, own) = (line("/proc/meminfo", "MemAvailable:")?, line("/proc/self/status", "VmRSS:")?);
    Some(free.saturating_add(own).saturating_mul(1024))
}

/// Address space without memory; `None` if the system refuses it.
fn reserve(size_bytes: usize) -> Option<MmapRaw> {
    MmapOptions::new().len(size_bytes).no_reserve_swap().map_anon().ok().map(MmapRaw::from)
}

/// Memory of the simulated addresses.
pub struct Window {
    /// Mapping of all addresses; `None` where the system refuses it.
    whole: Option<MmapRaw>,
    /// Allocations by their first address, without `whole`.
    allocations: Mutex<BTreeMap<u64, Allocation>>,
}

/// A committed resource, or a heap.
struct Allocation {
    size_bytes: u64,
    /// The mapping, from the first use on.
    memory: Option<MmapRaw>,
}

/// Part of a mapping.
struct Place<'a> {
    memory: &'a MmapRaw,
    offset: usize,
}

impl Place<'_> {
    fn pointer(&self) -> *mut u8 {
        self.memory.as_mut_ptr().wrapping_add(self.offset)
    }
}

/// The allocation that contains a range, and the offset of the range.
fn allocation(
    allocations: &mut BTreeMap<u64, Allocation>,
    address: CpuAddress,
    size_bytes: u64,
) -> Option<(&mut Allocation, u64)> {
    let (first, found) = allocations.range_mut(..=address.0).next_back()?;
    let offset = address.0 - first;
    (offset.checked_add(size_bytes)? <= found.size_bytes).then_some((found, offset))
}

impl Allocation {
    /// The place at an offset, mapped by the first use.
    fn place(&mut self, offset: u64) -> Option<Place<'_>> {
        if self.memory.is_none() {
            self.memory = reserve(usize::try_from(self.size_bytes).ok()?);
        }
        self.existing(offset)
    }

    /// The place at an offset, if the allocation was used.
    fn existing(&self, offset: u64) -> Option<Place<'_>> {
        Some(Place { memory: self.memory.as_ref()?, offset: usize::try_from(offset).ok()? })
    }
}

impl Window {
    /// Reserves the range.
    pub fn reserve() -> Window {
        Window { whole: reserve(WINDOW_BYTES), allocations: Mutex::default() }
    }

    fn allocations(&self) -> MutexGuard<'_, BTreeMap<u64, Allocation>> {
        // Every change under the lock is complete, so a poisoned lock is still consistent.
        self.allocations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Place of a range in the window; `None` if it lies outside.
    fn in_whole(&self, address: CpuAddress, size_bytes: u64) -> Option<Place<'_>> {
        let memory = self.whole.as_ref()?;
        let offset = address.0.checked_sub(FIRST_ADDRESS)?;
        let end = offset.checked_add(size_bytes)?;
        (end <= memory.len() as u64).then_some(Place { memory, offset: offset as usize })
    }

    /// Address in the process of a simulated range; `None` if the window or the system's memory is too small for it.
    pub fn pointer(&self, range: CpuRange) -> Option<*mut c_void> {
        if range.size_bytes >= LARGE_BYTES && obtainable_bytes().is_some_and(|bytes| bytes < range.size_bytes) {
            return None;
        }
        if self.whole.is_some() {
            return self.in_whole(range.address, range.size_bytes).map(|place| place.pointer().cast());
        }
        let mut allocations = self.allocations();
        let (found, offset) = allocation(&mut allocations, range.address, range.size_bytes)?;
        found.place(offset).map(|place| place.pointer().cast())
    }
}

impl Window {
    /// Copies the client's rows to the memory of a subresource. Pitches are those of the client.
    pub fn write_rows(&self, rows: Rows, extent: &Extent, data: In<u8>, pitches: Pitches) {
        each_run(rows, extent, pitches, |address, at, bytes| {
            data.copy_at(at, bytes);
            self.store(address, bytes);
        });
    }

    /// Copies the memory of a subresource to the client's rows.
    pub fn read_rows(&self, rows: Rows, extent: &Extent, data: Out<u8>, pitches: Pitches) {
        each_run(rows, extent, pitches, |address, at, bytes| {
            self.load(address, bytes);
            data.write_at(at, bytes);
        });
    }
}

/// Distances in the client's memory, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Pitches {
    pub row: u32,
    pub depth: u32,
}

/// Calls `run` for each run of bytes: its address, its offset in the client's memory, and a buffer of its size.
fn each_run(rows: Rows, extent: &Extent, pitches: Pitches, mut run: impl FnMut(CpuAddress, usize, &mut [u8])) {
    let (row_pitch, depth_pitch) = (u64::from(pitches.row), u64::from(pitches.depth));
    // Elements with others between them are copied one by one.
    let is_whole = rows.element_pitch_bytes == extent.element_bytes;
    let runs = if is_whole { 1 } else { extent.elements };
    let bytes = if is_whole { extent.elements.saturating_mul(extent.element_bytes) } else { extent.element_bytes };
    let mut buffer = vec![0; bytes as usize];
    for slice in 0..extent.slices {
        for row in 0..extent.rows {
            for element in 0..runs {
                let Some(at) = rows.from(element, row, slice) else { return };
                let offset = slice * depth_pitch + row * row_pitch + element * extent.element_bytes;
                run(at.address, offset as usize, &mut buffer);
            }
        }
    }
}

/// Reads bytes of a place.
fn load(place: &Place<'_>, bytes: &mut [u8]) {
    // SAFETY: the caller found the range within the mapping, which lives as long as the place. The client may write to it at
    // the same time, which changes plain bytes only.
    unsafe { place.pointer().copy_to(bytes.as_mut_ptr(), bytes.len()) };
}

/// Writes bytes to a place.
fn store(place: &Place<'_>, bytes: &[u8]) {
    // SAFETY: as in `load`; no reference to the memory exists in the library.
    unsafe { place.pointer().copy_from(bytes.as_ptr(), bytes.len()) };
}

impl Memory for Window {
    fn allocate(&self, range: CpuRange) {
        if self.whole.is_none() {
            let allocation = Allocation { size_bytes: range.size_bytes, memory: None };
            self.allocations().insert(range.address.0, allocation);
        }
    }

    fn load(&self, address: CpuAddress, bytes: &mut [u8]) {
        let size_bytes = bytes.len() as u64;
        if let Some(place) = self.in_whole(address, size_bytes) {
            return load(&place, bytes);
        }
        let mut allocations = self.allocations();
        match allocation(&mut allocations, address, size_bytes).and_then(|(found, offset)| found.existing(offset)) {
            Some(place) => load(&place, bytes),
            None => bytes.fill(0),
        }
    }

    fn store(&self, address: CpuAddress, bytes: &[u8]) {
        let size_bytes = bytes.len() as u64;
        if let Some(place) = self.in_whole(address, size_bytes) {
            return store(&place, bytes);
        }
        let mut allocations = self.allocations();
        let found = allocation(&mut allocations, address, size_bytes);
        if let Some(place) = found.and_then(|(found, offset)| found.place(offset)) {
            store(&place, bytes);
        }
    }

    fn copy(&self, dst: CpuAddress, src: CpuAddress, size_bytes: u64) -> bool {
        let (Some(to), Some(from)) = (self.in_whole(dst, size_bytes), self.in_whole(src, size_bytes)) else {
            return false;
        };
        // SAFETY: both ranges are within the mapping, as in `load` and `store`; they may overlap.
        unsafe { to.pointer().copy_from(from.pointer(), size_bytes as usize) };
        true
    }

    fn timestamp(&self) -> u64 {
        monotonic_ns()
    }

    fn map(&self, _: CpuRange) {}

    fn unmap(&self, _: CpuRange) {}

    fn release(&self, range: CpuRange) {
        match self.in_whole(range.address, range.size_bytes) {
            Some(Place { memory, offset }) => {
                let size_bytes = range.size_bytes as usize;
                // SAFETY: no reference to the memory exists in the library; the client must not use memory that it has
                // released, and would read zeros. If the system refuses, the pages stay until the process ends.
                let _ = unsafe { memory.unchecked_advise_range(UncheckedAdvice::DontNeed, offset, size_bytes) };
            }
            // Without the window, the client must not use the memory either.
            None => drop(self.allocations().remove(&range.address.0)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    fn without_window() -> Window {
        Window { whole: None, allocations: Mutex::default() }
    }

    fn range(address: u64, size_bytes: u64) -> CpuRange {
        CpuRange { address: CpuAddress(FIRST_ADDRESS + address), size_bytes }
    }

    #[test]
    fn without_the_window_each_allocation_has_a_mapping_until_its_release() {
        let window = without_window();
        let (first, second) = (range(0, 8192), range(8192, 4096));
        assert!(window.pointer(first).is_none(), "not allocated");
        [first, second].into_iter().for_each(|range| window.allocate(range));
        let part = range(4096, 4096);
        let pointers = [first, part, second].map(|range| window.pointer(range).expect("memory"));
        assert_eq!(pointers[1].addr(), pointers[0].addr() + 4096);
        assert!(window.pointer(range(4096, 8192)).is_none(), "two allocations");
        window.store(CpuAddress(part.address.0 + 4090), &[1, 2, 3, 4, 5, 6]);
        window.store(CpuAddress(part.address.0 + 4092), &[9; 5]);
        let mut bytes = [7; 6];
        window.load(CpuAddress(part.address.0 + 4090), &mut bytes);
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6], "a write across allocations has no effect");
        window.release(first);
        window.load(part.address, &mut bytes);
        assert!(bytes == [0; 6] && window.pointer(part).is_none() && window.pointer(second).is_some());
    }

    #[test]
    fn memory_that_is_only_read_has_no_mapping() {
        let window = without_window();
        window.allocate(range(0, 1 << 50));
        let mut bytes = [7; 2];
        window.load(range(100, 2).address, &mut bytes);
        assert_eq!(bytes, [0; 2]);
        window.store(range(100, 2).address, &[1; 2]);
        window.load(range(100, 2).address, &mut bytes);
        assert_eq!(bytes, [0; 2], "no system has this much memory");
    }
}

//! Memory that the simulated addresses have in the process: one range of address space, whose pages exist once they are
//! touched.

use super::pointer::{In, Out};
use super::process::monotonic_ns;
use memmap2::{MmapOptions, MmapRaw, UncheckedAdvice};
use std::ffi::c_void;
use taut_capture::{CpuRange, Memory};
use taut_runtime::memory_effect::{Extent, Rows};
use taut_schemas::CpuAddress;

/// Sizes of the range, in bytes: the first that the system gives is used.
const SIZES: [usize; 4] = [1 << 40, 1 << 36, 1 << 34, 1 << 32];

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

    /// Address in the process of a simulated range; `None` if the window or the system's memory is too small for it.
    pub fn pointer(&self, range: CpuRange) -> Option<*mut c_void> {
        let (memory, offset) = self.offset(range.address, range.size_bytes)?;
        if range.size_bytes >= LARGE_BYTES && obtainable_bytes().is_some_and(|bytes| bytes < range.size_bytes) {
            return None;
        }
        Some(memory.as_mut_ptr().wrapping_add(offset).cast())
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

impl Memory for Window {
    fn load(&self, address: CpuAddress, bytes: &mut [u8]) {
        match self.offset(address, bytes.len() as u64) {
            // SAFETY: the range is within the mapping, which is never removed. The client may write to it at the same time,
            // which changes plain bytes only.
            Some((memory, offset)) => unsafe {
                memory.as_ptr().wrapping_add(offset).copy_to(bytes.as_mut_ptr(), bytes.len());
            },
            None => bytes.fill(0),
        }
    }

    fn store(&self, address: CpuAddress, bytes: &[u8]) {
        if let Some((memory, offset)) = self.offset(address, bytes.len() as u64) {
            // SAFETY: as in `load`; no reference to the memory exists in the library.
            unsafe { memory.as_mut_ptr().wrapping_add(offset).copy_from(bytes.as_ptr(), bytes.len()) };
        }
    }

    fn copy(&self, dst: CpuAddress, src: CpuAddress, size_bytes: u64) -> bool {
        let (Some((memory, to)), Some((_, from))) = (self.offset(dst, size_bytes), self.offset(src, size_bytes)) else {
            return false;
        };
        let first = memory.as_mut_ptr();
        // SAFETY: both ranges are within the mapping, as in `load` and `store`; they may overlap.
        unsafe { first.wrapping_add(to).copy_from(first.wrapping_add(from), size_bytes as usize) };
        true
    }

    fn timestamp(&self) -> u64 {
        monotonic_ns()
    }

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

//! Effects of GPU commands on memory, as plain values. No answer of the runtime depends on them, so a replay ignores them.

use taut_schemas::{CpuAddress, QueryHeapId};

/// Elements in rows and slices of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rows {
    /// Address of the first element, as in [`CpuRange`](crate::CpuRange).
    pub address: CpuAddress,
    /// Distance of elements of a row.
    pub element_pitch_bytes: u64,
    /// Distance of rows.
    pub row_pitch_bytes: u64,
    /// Distance of slices.
    pub slice_pitch_bytes: u64,
}

/// Number and size of the elements that an effect changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Elements of a row.
    pub elements: u64,
    /// Rows of a slice.
    pub rows: u64,
    /// Slices.
    pub slices: u64,
}

/// Bytes that fill an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Texel {
    /// The bytes; only the first `size_bytes` are used.
    pub bytes: [u8; 16],
    /// Number of bytes.
    pub size_bytes: usize,
}

/// Effect of a command on memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryEffect {
    /// Elements are copied.
    Copy { dst: Rows, src: Rows, extent: Extent },
    /// Elements are set to a value, repeated up to the size of an element.
    Fill { dst: Rows, extent: Extent, texel: Texel },
    /// A query has the time of its execution as its result.
    Timestamp { query_heap: QueryHeapId, index: u32 },
    /// Time stamps of queries, 64 bits each, are written one after another; of a query without one, 0.
    ResolveTimestamps { query_heap: QueryHeapId, first: u32, count: u32, address: CpuAddress },
}

impl Rows {
    /// One row of bytes.
    pub fn of_bytes(address: CpuAddress) -> Rows {
        Rows { address, element_pitch_bytes: 1, row_pitch_bytes: 0, slice_pitch_bytes: 0 }
    }

    /// The rows from this element on; `None` beyond the address space.
    pub fn from(self, element: u64, row: u64, slice: u64) -> Option<Rows> {
        let offset = element.checked_mul(self.element_pitch_bytes)?;
        let offset = offset.checked_add(row.checked_mul(self.row_pitch_bytes)?)?;
        let offset = offset.checked_add(slice.checked_mul(self.slice_pitch_bytes)?)?;
        Some(Rows { address: CpuAddress(self.address.0.checked_add(offset)?), ..self })
    }

    /// End of the last element of an extent; `None` beyond the address space.
    pub(crate) fn end(self, extent: &Extent) -> Option<u64> {
        let last = |count: u64| count.saturating_sub(1);
        let at = self.from(last(extent.elements), last(extent.rows), last(extent.slices))?;
        at.address.0.checked_add(extent.element_bytes)
    }
}

impl Extent {
    /// One row of bytes.
    pub fn of_bytes(bytes: u64) -> Extent {
        Extent { element_bytes: 1, elements: bytes, rows: 1, slices: 1 }
    }

    /// Number of bytes of all elements.
    pub fn bytes(&self) -> u64 {
        let Extent { element_bytes, elements, rows, slices } = *self;
        element_bytes.saturating_mul(elements).saturating_mul(rows).saturating_mul(slices)
    }
}

/// Bytes at simulated addresses.
pub trait Bytes {
    /// Reads bytes; of memory that does not exist, 0.
    fn load(&self, address: CpuAddress, bytes: &mut [u8]);

    /// Writes bytes; without an effect for memory that does not exist.
    fn store(&self, address: CpuAddress, bytes: &[u8]);

    /// Copies bytes; false if the caller has to read and write them.
    fn copy(&self, dst: CpuAddress, src: CpuAddress, size_bytes: u64) -> bool {
        let _ = (dst, src, size_bytes);
        false
    }
}

/// Max number of bytes that are copied at once.
const CHUNK_BYTES: usize = 64 << 10;

/// Copies elements.
pub fn copy(memory: &(impl Bytes + ?Sized), dst: Rows, src: Rows, extent: &Extent) {
    let is_whole = |rows: Rows| rows.element_pitch_bytes == extent.element_bytes;
    let mut buffer = vec![0; CHUNK_BYTES.min(extent.bytes() as usize)];
    each_row(extent, &mut |row, slice| {
        let (Some(dst), Some(src)) = (dst.from(0, row, slice), src.from(0, row, slice)) else { return };
        if is_whole(dst) && is_whole(src) {
            copy_bytes(memory, dst.address, src.address, extent.elements * extent.element_bytes, &mut buffer);
            return;
        }
        for element in 0..extent.elements {
            let (Some(dst), Some(src)) = (dst.from(element, 0, 0), src.from(element, 0, 0)) else { return };
            copy_bytes(memory, dst.address, src.address, extent.element_bytes, &mut buffer);
        }
    });
}

fn copy_bytes(memory: &(impl Bytes + ?Sized), dst: CpuAddress, src: CpuAddress, size_bytes: u64, buffer: &mut [u8]) {
    if memory.copy(dst, src, size_bytes) {
        return;
    }
    let mut done = 0;
    while done < size_bytes {
        let part = (size_bytes - done).min(buffer.len() as u64);
        let bytes = &mut buffer[..part as usize];
        memory.load(CpuAddress(src.0 + done), bytes);
        memory.store(CpuAddress(dst.0 + done), bytes);
        done += part;
    }
}

/// Sets elements to a value.
pub fn fill(memory: &(impl Bytes + ?Sized), dst: Rows, extent: &Extent, texel: &Texel) {
    if texel.size_bytes == 0 || extent.element_bytes == 0 {
        return;
    }
    let texel = &texel.bytes[..texel.size_bytes];
    let repeated = |bytes: u64| texel.iter().copied().cycle().take(bytes as usize).collect::<Vec<u8>>();
    let is_whole = dst.element_pitch_bytes == extent.element_bytes;
    let per_chunk =
        if is_whole { (CHUNK_BYTES as u64 / extent.element_bytes).clamp(1, extent.elements.max(1)) } else { 1 };
    let chunk = repeated(per_chunk.saturating_mul(extent.element_bytes));
    each_row(extent, &mut |row, slice| {
        for element in (0..extent.elements).step_by(per_chunk as usize) {
            let Some(at) = dst.from(element, row, slice) else { return };
            let count = per_chunk.min(extent.elements - element);
            memory.store(at.address, &chunk[..(count * extent.element_bytes) as usize]);
        }
    });
}

fn each_row(extent: &Extent, each: &mut dyn FnMut(u64, u64)) {
    if extent.bytes() > 0 {
        (0..extent.slices).for_each(|slice| (0..extent.rows).for_each(|row| each(row, slice)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::RefCell;

    /// Memory from address 0 on.
    struct Flat(RefCell<Vec<u8>>);

    impl Bytes for Flat {
        fn load(&self, address: CpuAddress, bytes: &mut [u8]) {
            let at = address.0 as usize;
            bytes.copy_from_slice(&self.0.borrow()[at..at + bytes.len()]);
        }

        fn store(&self, address: CpuAddress, bytes: &[u8]) {
            let at = address.0 as usize;
            self.0.borrow_mut()[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }

    fn rows(address: u64, pitches: [u64; 3]) -> Rows {
        Rows {
            address: CpuAddress(address),
            element_pitch_bytes: pitches[0],
            row_pitch_bytes: pitches[1],
            slice_pitch_bytes: pitches[2],
        }
    }

    /// Sets bytes of a copy: the bytes, and three indices.
    type SetBytes<'a> = &'a dyn Fn(&mut Vec<u8>, usize, usize, usize);

    proptest! {
        #[test]
        fn copies_and_fills_change_each_element_and_nothing_else(
            element_bytes in 1_u64..9, gaps in proptest::array::uniform4(0_u64..5), counts in proptest::array::uniform3(1_u64..6),
        ) {
            let [elements, num_rows, slices] = counts;
            let extent = Extent { element_bytes, elements, rows: num_rows, slices };
            let pitches = |gap: u64, row_gap: u64| {
                let element = element_bytes + gap;
                let row = element * elements + row_gap;
                [element, row, row * num_rows + row_gap]
            };
            let (src, dst) = (rows(0, pitches(gaps[0], gaps[1])), rows(8192, pitches(gaps[2], gaps[3])));
            prop_assert!(src.end(&extent).unwrap() <= 8192);
            let memory = Flat(RefCell::new((0..16384_u32).map(|at| (at * 7 % 251) as u8).collect()));
            let mut expected = memory.0.borrow().clone();
            let mut each = |set: SetBytes<'_>| {
                for (slice, row, element) in (0..slices).flat_map(|slice| (0..num_rows).flat_map(move |row| (0..elements).map(move |element| (slice, row, element)))) {
                    let at = |rows: Rows| (rows.address.0 + element * rows.element_pitch_bytes + row * rows.row_pitch_bytes + slice * rows.slice_pitch_bytes) as usize;
                    (0..element_bytes as usize).for_each(|byte| set(&mut expected, at(dst) + byte, at(src) + byte, byte));
                }
            };
            each(&|bytes, to, from, _| bytes[to] = bytes[from]);
            copy(&memory, dst, src, &extent);
            prop_assert!(*memory.0.borrow() == expected);
            let mut each = |set: &dyn Fn(&mut Vec<u8>, usize, usize)| {
                for slice in 0..slices { for row in 0..num_rows { for element in 0..elements { for byte in 0..element_bytes as usize {
                    let at = dst.address.0 + element * dst.element_pitch_bytes + row * dst.row_pitch_bytes + slice * dst.slice_pitch_bytes;
                    set(&mut expected, at as usize + byte, byte);
                }}}}
            };
            let texel = Texel { bytes: *b"abcdefgh01234567", size_bytes: element_bytes as usize };
            each(&|bytes, to, byte| bytes[to] = texel.bytes[byte]);
            fill(&memory, dst, &extent, &texel);
            prop_assert!(*memory.0.borrow() == expected);
        }
    }
}

//! Checksums per chunk of a file's bytes, which verify the parts that are read without reading the rest.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Result as IoResult, Seek, SeekFrom};
use std::ops::Range;

/// Metadata key of the chunks' checksums.
pub(super) const KEY: &str = "tautline.crc32c_parts";

const PART_BYTES: u64 = 1 << 18;

/// Hexadecimal digits of a checksum.
const DIGITS: usize = 8;

/// CRC-32C of each chunk, from the file's first byte on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PartSums {
    sums: Vec<u32>,
    /// Size of the last chunk.
    last_bytes: u64,
}

impl PartSums {
    pub fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.sums.is_empty() || self.last_bytes == PART_BYTES {
                self.sums.push(0);
                self.last_bytes = 0;
            }
            let room = usize::try_from(PART_BYTES - self.last_bytes).unwrap_or(usize::MAX);
            let (now, later) = bytes.split_at(bytes.len().min(room));
            if let Some(last) = self.sums.last_mut() {
                *last = crc32c::crc32c_append(*last, now);
            }
            self.last_bytes += now.len() as u64;
            bytes = later;
        }
    }

    /// Returns the checksums as a metadata value.
    pub fn text(&self) -> String {
        self.sums.iter().map(|sum| format!("{sum:08x}")).collect()
    }

    /// Parses a metadata value for a file with `bytes` bytes of pages.
    pub fn from_text(text: &str, bytes: u64) -> Option<PartSums> {
        if text.is_empty() {
            return (bytes == 0).then(PartSums::default);
        }
        let digits = text.as_bytes().chunks(DIGITS);
        let sum = |digits| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let sums: Vec<u32> = digits.map(sum).collect::<Option<_>>()?;
        let last_bytes = bytes.checked_sub((sums.len() as u64).checked_sub(1)? * PART_BYTES)?;
        (last_bytes <= PART_BYTES).then_some(PartSums { sums, last_bytes })
    }

    /// True if the file matches the checksums of all chunks that the ranges touch.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn are_of(&self, mut file: &File, ranges: impl Iterator<Item = Range<u64>>) -> IoResult<bool> {
        let mut touched = BTreeSet::new();
        for range in ranges.filter(|range| !range.is_empty()) {
            // Ranges come from the file's own metadata, so one beyond its end is damage.
            if range.end.div_ceil(PART_BYTES) > self.sums.len() as u64 {
                return Ok(false);
            }
            touched.extend(range.start / PART_BYTES..range.end.div_ceil(PART_BYTES));
        }
        let mut buffer = vec![0; PART_BYTES as usize];
        for part in touched {
            let Some(sum) = self.sums.get(part as usize) else { return Ok(false) };
            let is_last = part + 1 == self.sums.len() as u64;
            let bytes = &mut buffer[..if is_last { self.last_bytes } else { PART_BYTES } as usize];
            file.seek(SeekFrom::Start(part * PART_BYTES))?;
            file.read_exact(bytes)?;
            if crc32c::crc32c(bytes) != *sum {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_without_pages_has_no_parts_and_is_sound() {
        let none = PartSums::from_text(&PartSums::default().text(), 0).unwrap();
        assert!(none.are_of(&tempfile::tempfile().unwrap(), std::iter::once(0..0)).unwrap());
        assert!(!none.are_of(&tempfile::tempfile().unwrap(), std::iter::once(0..u64::MAX)).unwrap());
        assert_eq!(PartSums::from_text("", 1), None);
    }

    #[test]
    fn a_flipped_bit_is_found_only_where_its_chunk_is_read() {
        let bytes: Vec<u8> = (0..PART_BYTES * 2 + 1000).map(|place| ((place * 31) >> 3) as u8).collect();
        let mut sums = PartSums::default();
        bytes.chunks(100_001).for_each(|some| sums.add(some));
        let known = PartSums::from_text(&sums.text(), bytes.len() as u64).unwrap();
        assert_eq!(known, sums);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let whole = 0..bytes.len() as u64;
        assert!(known.are_of(&file, [whole.clone()].into_iter()).unwrap());
        file.seek(SeekFrom::Start(PART_BYTES + 5)).unwrap();
        file.write_all(&[bytes[PART_BYTES as usize + 5] ^ 1]).unwrap();
        assert!(known.are_of(&file, [0..PART_BYTES, 2 * PART_BYTES..whole.end].into_iter()).unwrap());
        for range in [whole, PART_BYTES..PART_BYTES + 1, PART_BYTES - 1..PART_BYTES + 1] {
            assert!(!known.are_of(&file, [range].into_iter()).unwrap());
        }
    }
}

//! Reading of sparse files: holes take neither memory nor reads.

use crate::format::limit;
use crate::format::row_head::{ROW_HEAD_BYTES, record_bytes, row_head, sound_row};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use taut_schemas::EventCode;

/// Granularity at which zeros are omitted, in bytes: no file system has smaller holes.
const PAGE_BYTES: u64 = 4096;

/// Number of bytes of a slot read at a time.
const CHUNK_BYTES: u64 = 1 << 18;

/// Offset of the first data at or after `offset`; `None` if only a hole follows. On a file system without holes,
/// `offset` itself.
pub(crate) fn next_data(file: &File, offset: u64) -> io::Result<Option<u64>> {
    #[cfg(target_os = "linux")]
    if let Ok(at) = i64::try_from(offset) {
        use nix::errno::Errno;
        use nix::unistd::{Whence, lseek};
        return match lseek(file, at, Whence::SeekData) {
            Ok(data) => Ok(Some(data.max(at) as u64)),
            Err(Errno::ENXIO) => Ok(None),
            // The system or the file system does not support SEEK_DATA.
            Err(Errno::EINVAL | Errno::EOPNOTSUPP | Errno::ENOSYS) => Ok(Some(offset)),
            Err(error) => Err(error.into()),
        };
    }
    let _ = file;
    Ok(Some(offset))
}

/// Size of a file up to its first hole, in bytes.
pub(crate) fn size_before_hole(file: &File) -> io::Result<u64> {
    let size_bytes = file.metadata()?.len();
    #[cfg(target_os = "linux")]
    {
        use nix::unistd::{Whence, lseek};
        if let Ok(hole) = lseek(file, 0, Whence::SeekHole) {
            return Ok(size_bytes.min(hole.max(0) as u64));
        }
    }
    Ok(size_bytes)
}

/// Reads up to `length` bytes of a file at an offset.
pub(crate) fn read_at(file: &File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    append_at(file, offset, length as u64, &mut bytes)?;
    Ok(bytes)
}

fn append_at(mut file: &File, offset: u64, length: u64, bytes: &mut Vec<u8>) -> io::Result<usize> {
    file.seek(SeekFrom::Start(offset))?;
    file.take(length).read_to_end(bytes)
}

/// Byte sequence in which whole pages of zeros take no memory.
#[derive(Debug, Default)]
pub(crate) struct SparseBytes {
    /// Offset and bytes of each run between such pages, rising.
    runs: Vec<(u64, Vec<u8>)>,
    end: u64,
}

impl SparseBytes {
    /// Appends bytes.
    fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let to_page_end = PAGE_BYTES - self.end % PAGE_BYTES;
            let (page, rest) = bytes.split_at(bytes.len().min(to_page_end as usize));
            if page.iter().any(|byte| *byte != 0) {
                match self.runs.last_mut() {
                    Some((start, run)) if *start + run.len() as u64 == self.end => run.extend_from_slice(page),
                    _ => self.runs.push((self.end, page.to_vec())),
                }
            }
            self.end += page.len() as u64;
            bytes = rest;
        }
    }

    /// Replaces `out` with the `length` bytes at `at`, or with fewer bytes if the file ends before.
    fn read(&self, at: u64, length: usize, out: &mut Vec<u8>) {
        let end = self.end.min(at.saturating_add(length as u64));
        out.clear();
        out.resize(end.saturating_sub(at) as usize, 0);
        let first = self.runs.partition_point(|(start, run)| start + run.len() as u64 <= at);
        for (start, run) in self.runs[first..].iter().take_while(|(start, _)| *start < end) {
            let (from, to) = (at.max(*start), end.min(start + run.len() as u64));
            out[(from - at) as usize..(to - at) as usize]
                .copy_from_slice(&run[(from - start) as usize..(to - start) as usize]);
        }
    }

    /// Iterates over the records.
    pub fn records(&self) -> Records<'_> {
        Records { bytes: self, at: 0, record: Vec::new() }
    }

    fn shrink(&mut self) {
        self.runs.iter_mut().for_each(|(_, run)| run.shrink_to_fit());
    }
}

/// Iterator over valid records. Only one whole record is in memory at a time.
pub(crate) struct Records<'b> {
    bytes: &'b SparseBytes,
    at: u64,
    record: Vec<u8>,
}

impl Records<'_> {
    /// Code, stamp and row of the next record.
    pub fn next_record(&mut self) -> Option<(EventCode, u64, &[u8])> {
        let (row_bytes, code, stamp) = self.head()?;
        let length = record_bytes(row_bytes as usize);
        self.bytes.read(self.at, length, &mut self.record);
        self.at += length as u64;
        Some((code, stamp, self.record.get(ROW_HEAD_BYTES..ROW_HEAD_BYTES + row_bytes as usize)?))
    }

    /// Skips records.
    pub fn skip(&mut self, records: u64) {
        for _ in 0..records {
            let Some((row_bytes, _, _)) = self.head() else { break };
            self.at += record_bytes(row_bytes as usize) as u64;
        }
    }

    /// Stamp of the next record.
    pub fn stamp(&mut self) -> Option<u64> {
        self.head().map(|(_, _, stamp)| stamp)
    }

    fn head(&mut self) -> Option<(u32, EventCode, u64)> {
        self.bytes.read(self.at, ROW_HEAD_BYTES, &mut self.record);
        row_head(&self.record, 0)
    }
}

/// Valid records of a slot.
pub(crate) struct SoundRecords {
    /// Records from the first on, up to the first invalid one.
    pub bytes: SparseBytes,
    /// Number of these records.
    pub count: u64,
    /// Size of these records, in bytes.
    pub end: u64,
    /// True if the slot ends before another record's head does.
    pub is_at_end: bool,
}

/// Reads the records of the slot whose rows are the `room` bytes at `begin`, up to the first invalid record; records
/// after `committed` count as well if they are valid.
pub(crate) fn sound_records(file: &File, begin: u64, room: u64, salt: u64, committed: u64) -> io::Result<SoundRecords> {
    let mut window = Window { file, begin, room, committed, start: 0, bytes: Vec::new() };
    let (mut bytes, mut count, mut at) = (SparseBytes::default(), 0, 0u64);
    let is_at_end = loop {
        let found = window.at(at, ROW_HEAD_BYTES)?;
        let Some((row_bytes, _, _)) = row_head(found, 0) else { break true };
        // A head of zeros is never written, so nothing was recorded from here on; a row above the limit is never
        // recorded.
        if found[..ROW_HEAD_BYTES] == [0; ROW_HEAD_BYTES] || row_bytes as usize > limit::ROW_BYTES {
            break false;
        }
        let length = record_bytes(row_bytes as usize);
        if sound_row(window.at(at, length)?, 0, salt).is_none() {
            break false;
        }
        (at, count) = (at + length as u64, count + 1);
        if at - window.start >= CHUNK_BYTES {
            bytes.push(window.take(at));
            window.drop_before(at);
        }
    };
    bytes.push(window.take(at));
    bytes.shrink();
    Ok(SoundRecords { bytes, count, end: at, is_at_end })
}

/// Buffered part of a slot.
struct Window<'f> {
    file: &'f File,
    /// Offset of the slot's rows in the file, their size, and the committed size that the line states, in bytes.
    begin: u64,
    room: u64,
    committed: u64,
    /// Offset of the buffered part in the rows.
    start: u64,
    bytes: Vec<u8>,
}

impl Window<'_> {
    /// Bytes from `at` on: at least `length` bytes, or all bytes up to the end of the slot.
    fn at(&mut self, at: u64, length: usize) -> io::Result<&[u8]> {
        let (wanted, end) = (at + length as u64, self.start + self.bytes.len() as u64);
        if wanted > end && end < self.room {
            let to = wanted.max(self.committed.min(end + CHUNK_BYTES)).min(self.room);
            append_at(self.file, self.begin + end, to - end, &mut self.bytes)?;
        }
        Ok(self.bytes.get((at - self.start) as usize..).unwrap_or_default())
    }

    /// Buffered bytes before `at`.
    fn take(&self, at: u64) -> &[u8] {
        self.bytes.get(..(at - self.start) as usize).unwrap_or_default()
    }

    fn drop_before(&mut self, at: u64) {
        self.bytes.drain(..(at - self.start) as usize);
        self.start = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_zeros_take_no_memory_and_are_read_as_zeros() {
        let mut plain = vec![0; 20_000];
        for at in [1, 4095, 4096, 15_000, 19_999] {
            plain[at] = 7;
        }
        let mut bytes = SparseBytes::default();
        plain.chunks(777).for_each(|chunk| bytes.push(chunk));
        assert!(bytes.runs.iter().map(|(_, run)| run.len()).sum::<usize>() <= 4 * 4096);
        let mut out = Vec::new();
        for (at, length) in [(0, 20_000), (1, 4095), (4096, 4096), (8192, 4096), (14_999, 9000), (20_000, 5)] {
            bytes.read(at, length, &mut out);
            let at = at as usize;
            assert_eq!(out, plain[at..(at + length).min(20_000)]);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn holes_are_found() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(1 << 40).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, &[1; 4096], 1 << 30).unwrap();
        // A file system without holes returns the offset itself.
        let data = next_data(&file, 0).unwrap().unwrap();
        assert!(data == 0 || data == 1 << 30, "{data}");
        assert!(size_before_hole(&file).unwrap() == if data == 0 { 1 << 40 } else { 0 });
    }
}

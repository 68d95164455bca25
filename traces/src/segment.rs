//! What a segment begins with: a file of blocks of a recording that keeps only its last. Writer and reader side by side.

use crate::parse::{Parsed, checksum, constant};
use nom::number::complete::{le_u32, le_u64};
use std::path::{Path, PathBuf};

/// What a segment begins with.
const MAGIC: &[u8] = b"\xb1TR1";

/// Size of what stands before its blocks, in bytes.
pub(crate) const SEGMENT_HEAD_BYTES: usize = 36;

/// What a segment begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SegmentHead {
    /// Of the trace.
    pub key: u32,
    /// Which of the recording's segments it is, from 0.
    pub sequence: u64,
    /// Records in all segments before it.
    pub records_before: u64,
    /// Greatest stamp in them, 0 if there are none.
    pub greatest_before: u64,
}

impl SegmentHead {
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(SEGMENT_HEAD_BYTES);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.key.to_le_bytes());
        for number in [self.sequence, self.records_before, self.greatest_before] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
        bytes
    }

    pub fn parse(input: &[u8]) -> Parsed<'_, SegmentHead> {
        let (rest, ()) = constant(input, MAGIC)?;
        let (rest, key) = le_u32(rest)?;
        let (rest, sequence) = le_u64(rest)?;
        let (rest, records_before) = le_u64(rest)?;
        let (rest, greatest_before) = le_u64(rest)?;
        let (rest, ()) = checksum(rest, &input[..SEGMENT_HEAD_BYTES - 4])?;
        Ok((rest, SegmentHead { key, sequence, records_before, greatest_before }))
    }
}

/// The folder of segments of the trace whose sidecar is at `sidecar`.
pub(crate) fn segments_folder(sidecar: &Path) -> PathBuf {
    sidecar.with_extension("ring")
}

/// The segment with this number.
pub(crate) fn segment_path(folder: &Path, sequence: u64) -> PathBuf {
    folder.join(sequence.to_string())
}

/// Removes a folder of segments. Nothing else in it goes: it stays then.
pub(crate) fn remove_segments(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let is_segment = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().parse::<u64>().is_ok());
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| is_segment(path)) {
        let _ = std::fs::remove_file(path);
    }
    let _ = std::fs::remove_dir(folder);
}

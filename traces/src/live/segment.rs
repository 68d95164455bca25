//! Head of a segment: a file of blocks of a ring recording. Encoder and parser are in this file so that they stay in
//! step.

use crate::format::parse::{Parsed, checksum, constant, run};
use crate::live::disk::Disk;
use crate::live::side_file::{FileId, SideFileError, foreign_folder, is_present, open_side_file};
use nom::number::complete::{le_u32, le_u64};
use std::io::Read;
use std::path::{Path, PathBuf};

/// First bytes of a segment.
const MAGIC: &[u8] = b"\xb1TR1";

/// Size of a segment's head, in bytes.
pub(crate) const SEGMENT_HEAD_BYTES: usize = 36;

/// Head of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SegmentHead {
    /// Key of the trace.
    pub key: u32,
    /// Number of the segment in its recording, from 0.
    pub sequence: u64,
    /// Records in all segments before this one.
    pub records_before: u64,
    /// Max stamp in all segments before this one; 0 if there are none.
    pub max_stamp_before: u64,
}

impl SegmentHead {
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(SEGMENT_HEAD_BYTES);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.key.to_le_bytes());
        for number in [self.sequence, self.records_before, self.max_stamp_before] {
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
        let (rest, max_stamp_before) = le_u64(rest)?;
        let (rest, ()) = checksum(rest, input.get(..SEGMENT_HEAD_BYTES - 4).unwrap_or_default())?;
        Ok((rest, SegmentHead { key, sequence, records_before, max_stamp_before }))
    }
}

/// Folder of the segments of the trace whose sidecar is `sidecar`.
pub(crate) fn segments_folder(sidecar: &Path) -> PathBuf {
    sidecar.with_extension("ring")
}

/// Path of the segment with this number.
pub(crate) fn segment_path(folder: &Path, sequence: u64) -> PathBuf {
    folder.join(sequence.to_string())
}

/// Files of a folder that are segments of a trace, with their identities.
#[derive(Debug, Default)]
pub(crate) struct OwnSegments(Vec<(PathBuf, FileId)>);

impl OwnSegments {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Segments in a folder, which must contain nothing but segments of traces with one of these keys; `None` if there is
/// no such folder.
///
/// # Errors
/// The folder cannot be read, is a link or another user's, or contains another file.
pub(crate) fn own_segments(folder: &Path, keys: &[u32], disk: &Disk) -> Result<Option<OwnSegments>, SideFileError> {
    let mut own = OwnSegments::default();
    let Some(paths) = list(folder, disk)? else { return Ok(None) };
    for path in paths {
        match segment_id(&path, keys)? {
            Some(id) => own.0.push((path, id)),
            None => return Err(SideFileError::foreign(&path, "something else")),
        }
    }
    Ok(Some(own))
}

/// Removes the segments of traces with one of these keys, and the folder if it is empty then.
pub(crate) fn remove_segments(folder: &Path, keys: &[u32], disk: &Disk) {
    let Ok(Some(paths)) = list(folder, disk) else { return };
    for path in paths {
        if let Ok(Some(id)) = segment_id(&path, keys) {
            let _ = disk.remove_same(&path, id);
        }
    }
    // Fails if another file is in it, which is intended.
    let _ = disk.remove_folder(folder);
}

/// Paths in a folder of this user; `None` if there is no such folder.
fn list(folder: &Path, disk: &Disk) -> Result<Option<Vec<PathBuf>>, SideFileError> {
    if !is_present(folder, foreign_folder)? {
        return Ok(None);
    }
    disk.list(folder).map(Some).map_err(|error| SideFileError::Io(folder.to_owned(), error))
}

/// Identity of the file at `path`, if it is a segment of a trace with one of these keys under its number.
///
/// # Errors
/// The file cannot be read, or is not a file of this user.
fn segment_id(path: &Path, keys: &[u32]) -> Result<Option<FileId>, SideFileError> {
    let Some(file) = open_side_file(path, false)? else { return Ok(None) };
    let io = |error| SideFileError::Io(path.to_owned(), error);
    let id = FileId::from_file(&file).map_err(io)?;
    let mut bytes = Vec::with_capacity(SEGMENT_HEAD_BYTES);
    file.take(SEGMENT_HEAD_BYTES as u64).read_to_end(&mut bytes).map_err(io)?;
    let Some(sequence) = sequence_in_name(path) else { return Ok(None) };
    let is_own = match run(0, "segment", &bytes, SegmentHead::parse) {
        Ok(head) => head.sequence == sequence && keys.contains(&head.key),
        Err(_) => keys.iter().any(|key| is_begun(&bytes, *key, sequence)),
    };
    Ok(is_own.then_some(id))
}

/// Number of the segment that the name of a file states.
fn sequence_in_name(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let sequence: u64 = name.parse().ok()?;
    (sequence.to_string() == name).then_some(sequence)
}

/// True if `bytes`, the first of a file, are those of a segment whose process ended before it had written the head: a part
/// of that head, or none of it.
fn is_begun(bytes: &[u8], key: u32, sequence: u64) -> bool {
    let head = SegmentHead { key, sequence, ..SegmentHead::default() }.write();
    let known = MAGIC.len() + size_of::<u32>() + size_of::<u64>();
    let compared = bytes.len().min(known);
    bytes.len() < SEGMENT_HEAD_BYTES && bytes[..compared] == head[..compared]
}

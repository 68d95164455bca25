//! The blocks of a recording that keeps only its last: segments, the oldest of which go whole.

use crate::block_info::BlockInfo;
use crate::block_list::overhead_bytes;
use crate::disk::{Disk, DiskFile};
use crate::entry::ENTRY_BYTES;
use crate::error::WriteError;
use crate::segment::{SegmentHead, remove_segments, segment_path};
use crate::sink::Sink;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Segments that the size is divided into.
pub(crate) const SEGMENTS: u64 = 8;

/// The least size of a segment, in bytes.
pub(crate) const LEAST_SEGMENT_BYTES: u64 = 8 << 10;

/// The segment that is being filled, to be brought to disk by others.
pub(crate) type Current = Arc<Mutex<Option<DiskFile>>>;

/// Writes segments.
pub(crate) struct Ring {
    disk: Disk,
    folder: PathBuf,
    segment_bytes: u64,
    /// What all segments may have together.
    all_bytes: u64,
    sink: Sink,
    head: SegmentHead,
    /// Bytes of the blocks in the current segment, and of what a footer says of them.
    filled: u64,
    records: u64,
    greatest: u64,
    /// Of the segments before that are there: their numbers and sizes.
    kept: VecDeque<(u64, u64)>,
    bytes_written: u64,
    /// Of a recording that is brought to disk while it goes on.
    synced: Option<Current>,
}

impl Ring {
    /// Makes the first segment, in an empty `folder`.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn begin(
        folder: PathBuf,
        key: u32,
        all_bytes: u64,
        synced: Option<Current>,
        disk: Disk,
    ) -> Result<Ring, WriteError> {
        remove_segments(&folder);
        let failed =
            |source| WriteError::Output { path: Some(folder.clone()), bytes_written: 0, source, lost: Vec::new() };
        disk.create_folder(&folder).map_err(failed)?;
        let head = SegmentHead { key, ..SegmentHead::default() };
        let sink = begin(&folder, head, synced.as_ref(), &disk)?;
        let segment_bytes = all_bytes / SEGMENTS;
        let (kept, bytes_written) = (VecDeque::new(), sink.bytes_written());
        Ok(Ring {
            disk,
            folder,
            segment_bytes,
            all_bytes,
            sink,
            head,
            filled: 0,
            records: 0,
            greatest: 0,
            kept,
            bytes_written,
            synced,
        })
    }

    /// The file system they lie in.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Where the segments are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes that rows may have which are to become one block.
    pub fn close_bytes(&self) -> usize {
        usize::try_from(self.segment_bytes / 2).unwrap_or(usize::MAX)
    }

    /// Bytes written so far, those included that are gone.
    pub fn bytes_written(&self) -> u64 {
        self.bytes_written
    }

    /// Appends a block; `true` if another segment was begun for it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, bytes: &[u8], block: &BlockInfo) -> Result<bool, WriteError> {
        let size = bytes.len() as u64 + overhead_bytes(block);
        let is_full = self.filled > 0 && self.filled + size > self.segment_bytes;
        if is_full {
            self.turn()?;
        }
        self.sink.write(bytes)?;
        self.filled += size;
        self.bytes_written += bytes.len() as u64;
        self.records += u64::from(block.records);
        self.greatest = self.greatest.max(block.greatest_stamp);
        Ok(is_full)
    }

    /// Appends a block that tells of the recording.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append_own(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.sink.write(bytes)?;
        self.filled += (bytes.len() + ENTRY_BYTES) as u64;
        self.bytes_written += bytes.len() as u64;
        Ok(())
    }

    /// Bytes that may be said of the recording in the beginning of a segment.
    pub fn own_bytes(&self) -> usize {
        usize::try_from(self.segment_bytes / 8).unwrap_or(usize::MAX)
    }

    fn turn(&mut self) -> Result<(), WriteError> {
        self.kept.push_back((self.head.sequence, self.filled));
        let kept = |kept: &VecDeque<(u64, u64)>| kept.iter().map(|(_, size)| size).sum::<u64>();
        while kept(&self.kept) + self.segment_bytes > self.all_bytes {
            let Some((oldest, _)) = self.kept.pop_front() else { break };
            self.disk.remove(&segment_path(&self.folder, oldest)).map_err(|error| self.sink.error(error))?;
        }
        let sequence = self.head.sequence + 1;
        self.head = SegmentHead { sequence, records_before: self.records, greatest_before: self.greatest, ..self.head };
        self.sink = begin(&self.folder, self.head, self.synced.as_ref(), &self.disk)?;
        self.filled = 0;
        Ok(())
    }
}

/// Begins a segment.
fn begin(folder: &Path, head: SegmentHead, synced: Option<&Current>, disk: &Disk) -> Result<Sink, WriteError> {
    let path = segment_path(folder, head.sequence);
    let failed =
        |source: io::Error| WriteError::Output { path: Some(path.clone()), bytes_written: 0, source, lost: Vec::new() };
    let file = disk.create_new(&path).map_err(failed)?;
    if let Some(current) = synced {
        let other = file.try_clone().map_err(failed)?;
        let before = current.lock().unwrap_or_else(PoisonError::into_inner).replace(other);
        before.map_or(Ok(()), |before| before.sync_data()).map_err(failed)?;
    }
    let mut sink = Sink::file(file, path.clone());
    sink.write(&head.write())?;
    Ok(sink)
}

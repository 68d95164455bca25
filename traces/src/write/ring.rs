//! Ring of segments: block storage of a recording that discards its oldest events, one whole segment at a time.

use crate::format::block_info::BlockInfo;
use crate::format::block_list::overhead_bytes;
use crate::format::entry::ENTRY_BYTES;
use crate::format::error::WriteError;
use crate::live::disk::{Disk, DiskFile};
use crate::live::segment::{SegmentHead, own_segments, segment_path};
use crate::live::side_file::FileId;
use crate::write::full_disk::FullDisk;
use crate::write::sink::Sink;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of segments into which the total size is divided.
pub(crate) const SEGMENTS: u64 = 8;

/// Min size of a segment, in bytes.
pub(crate) const MIN_SEGMENT_BYTES: u64 = 8 << 10;

/// Segment being written, shared with the maintenance thread for syncing.
pub(crate) type CurrentSegment = Arc<Mutex<Option<DiskFile>>>;

/// A completed segment.
#[derive(Debug, Clone, Copy)]
struct Segment {
    sequence: u64,
    /// Size of the segment's blocks and of their footer entries, in bytes.
    bytes: u64,
    id: FileId,
}

/// Writer of segments.
pub(crate) struct Ring {
    disk: Disk,
    folder: PathBuf,
    segment_bytes: u64,
    /// Max size of all segments, in bytes.
    all_bytes: u64,
    sink: Sink,
    /// Identity of the current segment's file.
    id: FileId,
    head: SegmentHead,
    /// Size of the current segment's blocks and of their footer entries, in bytes.
    filled: u64,
    records: u64,
    max_stamp: u64,
    /// Earlier segments that still exist.
    completed: VecDeque<Segment>,
    bytes_written: u64,
    /// Handle of the current segment, if the recording is synced periodically.
    synced: Option<CurrentSegment>,
    full_disk: Option<FullDisk>,
}

impl Ring {
    /// Creates an empty `folder` and the first segment in it.
    ///
    /// # Errors
    /// The folder or the segment cannot be created.
    pub fn begin(
        folder: PathBuf,
        key: u32,
        all_bytes: u64,
        synced: Option<CurrentSegment>,
        disk: Disk,
    ) -> Result<Ring, WriteError> {
        let failed =
            |source| WriteError::Output { path: Some(folder.clone()), bytes_written: 0, source, lost: Vec::new() };
        // An existing folder is removed only if it is empty.
        if own_segments(&folder, &[], &disk)?.is_some() {
            disk.remove_folder(&folder).map_err(failed)?;
        }
        disk.create_folder(&folder).map_err(failed)?;
        let head = SegmentHead { key, ..SegmentHead::default() };
        let (sink, id) = begin(&folder, head, synced.as_ref(), &disk).inspect_err(|_| {
            let _ = disk.remove_folder(&folder);
        })?;
        let segment_bytes = all_bytes / SEGMENTS;
        let (completed, bytes_written) = (VecDeque::new(), sink.bytes_written());
        Ok(Ring {
            disk,
            folder,
            segment_bytes,
            all_bytes,
            sink,
            id,
            head,
            filled: 0,
            records: 0,
            max_stamp: 0,
            completed,
            bytes_written,
            synced,
            full_disk: None,
        })
    }

    /// Sets the handler for a full disk: failed writes are repeated as long as it frees space.
    pub fn set_full_disk_handler(&mut self, full_disk: FullDisk) {
        self.sink.set_full_disk_handler(full_disk.clone());
        self.full_disk = Some(full_disk);
    }

    /// File system of the segments.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Folder of the segments.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Size of the rows at which a block is closed, in bytes.
    pub fn close_bytes(&self) -> usize {
        usize::try_from(self.segment_bytes / 2).unwrap_or(usize::MAX)
    }

    /// Total bytes written, deleted segments included.
    pub fn bytes_written(&self) -> u64 {
        self.bytes_written
    }

    /// Appends a block; returns `true` if a new segment was begun for it.
    ///
    /// # Errors
    /// The block or the segment cannot be written.
    pub fn append(&mut self, bytes: &[u8], block: &BlockInfo) -> Result<bool, WriteError> {
        let size = bytes.len() as u64 + overhead_bytes(block);
        let is_full = self.filled > 0 && self.filled + size > self.segment_bytes;
        if is_full {
            self.start_segment()?;
        }
        self.sink.write(bytes)?;
        self.filled += size;
        self.bytes_written += bytes.len() as u64;
        self.records += u64::from(block.records);
        self.max_stamp = self.max_stamp.max(block.max_stamp);
        Ok(is_full)
    }

    /// Appends metadata blocks.
    ///
    /// # Errors
    /// The blocks cannot be written.
    pub fn append_metadata(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.sink.write(bytes)?;
        self.filled += (bytes.len() + ENTRY_BYTES) as u64;
        self.bytes_written += bytes.len() as u64;
        Ok(())
    }

    /// Max size of the metadata repeated at the begin of a segment, in bytes.
    pub fn metadata_bytes(&self) -> usize {
        usize::try_from(self.segment_bytes / 8).unwrap_or(usize::MAX)
    }

    /// Closes the current segment, because not every system removes a file that is open.
    pub fn close(self) {
        self.synced.iter().for_each(|current| drop(current.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }

    fn start_segment(&mut self) -> Result<(), WriteError> {
        self.completed.push_back(Segment { sequence: self.head.sequence, bytes: self.filled, id: self.id });
        let completed_bytes =
            |completed: &VecDeque<Segment>| completed.iter().map(|segment| segment.bytes).sum::<u64>();
        // Old segments are removed before the new one is created, so that the total stays within its limit.
        while completed_bytes(&self.completed) + self.segment_bytes > self.all_bytes {
            let Some(oldest) = self.completed.pop_front() else { break };
            let path = segment_path(&self.folder, oldest.sequence);
            self.disk.remove_same(&path, oldest.id).map_err(|error| self.sink.error(error))?;
        }
        let sequence = self.head.sequence + 1;
        self.head =
            SegmentHead { sequence, records_before: self.records, max_stamp_before: self.max_stamp, ..self.head };
        (self.sink, self.id) = begin(&self.folder, self.head, self.synced.as_ref(), &self.disk)?;
        if let Some(full_disk) = &self.full_disk {
            self.sink.set_full_disk_handler(full_disk.clone());
        }
        self.filled = 0;
        Ok(())
    }
}

/// Creates a segment and syncs its predecessor.
fn begin(
    folder: &Path,
    head: SegmentHead,
    synced: Option<&CurrentSegment>,
    disk: &Disk,
) -> Result<(Sink, FileId), WriteError> {
    let path = segment_path(folder, head.sequence);
    let failed =
        |source: io::Error| WriteError::Output { path: Some(path.clone()), bytes_written: 0, source, lost: Vec::new() };
    let head = head.write();
    let file = disk.create_side_file(&path, &head).map_err(failed)?;
    let id = file.id().map_err(failed)?;
    if let Some(current) = synced {
        let other = file.try_clone().map_err(failed)?;
        let before = current.lock().unwrap_or_else(PoisonError::into_inner).replace(other);
        // The previous segment is not synced any more after the switch, so it is synced here.
        before.map_or(Ok(()), |before| before.sync_data()).map_err(failed)?;
    }
    Ok((Sink::file_after(file, path, head.len() as u64), id))
}

//! Sidecar of an active recording: its lock, and the memory of its slots.

use crate::format::control_block::ControlBlock;
use crate::format::error::WriteError;
use crate::format::parse::run;
use crate::live::control_page::{ControlPage, FAILED_AT, PAGE_BYTES, SLOTS_AT, failed_word, slots_word};
use crate::live::disk::{Disk, DiskFile};
use crate::live::free_space::{free_bytes, is_full, may_grow};
use crate::live::map::SlotMemory;
use crate::live::path_claim::PathClaim;
use crate::live::pending_sidecars::PendingSidecars;
use crate::live::request::{ANSWER_AT, Answer, REQUEST_AT, REQUEST_BYTES, Request};
use crate::live::segment::{remove_segments, segments_folder};
use crate::live::side_file::FileId;
use crate::live::slot::Slot;
use std::collections::BTreeSet;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Sidecar of a recording of this process.
#[derive(Debug)]
pub(crate) struct Sidecar {
    file: DiskFile,
    path: PathBuf,
    id: FileId,
    key: u32,
    slot_bytes: usize,
    slots_begin: u64,
    /// Also guards the file position: every user of the position holds this lock.
    slots: Mutex<Slots>,
    /// True if the folder was synced since the trace appeared in it.
    is_folder_synced: AtomicBool,
    /// Part of the free space that the end of the trace needs, in bytes.
    reserved: AtomicU64,
}

/// Slots of a sidecar.
#[derive(Debug, Default)]
struct Slots {
    /// Number of slots in the file.
    count: u64,
    /// Unmapped slots that were returned to the file system.
    returned: BTreeSet<u64>,
}

/// Size of a slot with its line and `room` bytes for records, in bytes: whole pages.
pub(crate) fn slot_bytes(room: usize) -> usize {
    room.clamp(1, 1 << 30).next_multiple_of(PAGE_BYTES as usize)
}

/// Recording that a sidecar belongs to.
pub(crate) struct SidecarSettings {
    /// Key of the recording.
    pub key: u32,
    pub sync_interval_ns: u64,
}

impl Sidecar {
    /// Creates the sidecar of the recording with this key and sync interval, with the definitions that its head lacks.
    pub fn begin(
        path_claim: PathClaim,
        settings: SidecarSettings,
        room: usize,
        definitions: Option<(ControlBlock, Vec<u8>)>,
        disk: &Disk,
    ) -> Result<Sidecar, WriteError> {
        let SidecarSettings { key, sync_interval_ns } = settings;
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let slot_bytes = slot_bytes(room);
        let (control_block, definitions) = definitions.unwrap_or_default();
        let control_page = ControlPage {
            key,
            process: std::process::id(),
            began_at_unix_ns: began.as_nanos() as u64,
            slot_bytes: slot_bytes as u32,
            sync_interval_ns,
            definitions: [definitions.len() as u32, control_block.words[0] as u32, crc32c::crc32c(&definitions)],
        };
        let slots_begin = control_page.slots_begin();
        let mut page = control_page.write();
        page.resize(PAGE_BYTES as usize, 0);
        page.extend_from_slice(&definitions);
        page.resize(slots_begin as usize, 0);
        let (file, path, id) = path_claim.begin(key, &page, disk)?;
        let (slots, is_folder_synced, reserved) = (Mutex::default(), AtomicBool::new(false), AtomicU64::new(0));
        Ok(Sidecar { file, path, id, key, slot_bytes, slots_begin, slots, is_folder_synced, reserved })
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn offset(&self, slot: u64) -> u64 {
        self.slots_begin + slot * self.slot_bytes as u64
    }

    /// Creates another slot and returns its memory, of which `room` bytes are used; `None` if the sidecar would exceed
    /// its share of the free space, or slots have been returned to the file system.
    ///
    /// # Errors
    /// The file cannot grow, or the slot cannot be mapped.
    pub fn make_slot(&self, room: usize) -> io::Result<Option<SlotMemory>> {
        let mut slots = self.slots();
        let (offset, end) = (self.offset(slots.count), self.offset(slots.count + 1));
        let has_space = self.free_bytes().is_none_or(|free| may_grow(offset, end, free));
        if !has_space || !slots.returned.is_empty() {
            return Ok(None);
        }
        match self.make_slot_at(offset, slots.count + 1, room) {
            Ok(piece) => {
                slots.count += 1;
                Ok(Some(piece))
            }
            Err(error) => {
                // The bytes written so far occupy space that the trace may need.
                let _ = self.file.truncate(offset);
                if is_full(&error) { Ok(None) } else { Err(error) }
            }
        }
    }

    fn make_slot_at(&self, offset: u64, count: u64, room: usize) -> io::Result<SlotMemory> {
        let used_bytes = slot_bytes(room).min(self.slot_bytes);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(&vec![0; used_bytes])?;
        if used_bytes < self.slot_bytes {
            // Slots have one size in the file. The rest of this one is a hole that nobody maps.
            self.file.truncate(self.offset(count))?;
        }
        let piece = touch(self.file.map(offset, used_bytes)?);
        // A reader detects a missing slot by this count.
        self.write_count(count)?;
        Ok(piece)
    }

    fn write_count(&self, count: u64) -> io::Result<()> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(SLOTS_AT))?;
        file.write_all(&slots_word(count))
    }

    /// Returns unused slots to the file system; `false` if `returned` is empty. Those at the end of the file are cut
    /// off, others become holes, which read as free slots.
    pub fn return_slots(&self, returned: Vec<Slot>) -> bool {
        if returned.is_empty() {
            return false;
        }
        let mut slots = self.slots();
        for slot in returned {
            let Some(offset) = slot.offset() else { continue };
            // Unmapped first: touching the memory of a hole would allocate space again and, on a full disk, raise
            // SIGBUS.
            drop(slot);
            let _ = self.file.punch_hole(offset, self.slot_bytes as u64);
            slots.returned.insert((offset - self.slots_begin) / self.slot_bytes as u64);
        }
        let before = slots.count;
        while slots.count > 0 && slots.returned.contains(&(slots.count - 1)) {
            slots.count -= 1;
        }
        // Count before truncation: a file shorter than its count is considered damaged.
        if slots.count < before && self.write_count(slots.count).is_ok() {
            let _ = self.file.truncate(self.offset(slots.count));
        }
        true
    }

    /// True if the sidecar exceeds its share of the free space, because the trace has grown.
    pub fn is_too_large(&self) -> bool {
        let slots = self.slots();
        let bytes = self.offset(slots.count - slots.returned.range(..slots.count).count() as u64);
        self.free_bytes().is_some_and(|free| !may_grow(bytes, bytes, free))
    }

    /// Free space, excluding the part that the end of the trace needs.
    fn free_bytes(&self) -> Option<u64> {
        free_bytes(&self.path).map(|free| free.saturating_sub(self.reserved.load(Ordering::Relaxed)))
    }

    /// Sets the space that the end of the trace needs, in bytes.
    pub fn reserve(&self, bytes: u64) {
        self.reserved.store(bytes, Ordering::Relaxed);
    }

    /// Size of a slot, in bytes.
    pub fn slot_bytes(&self) -> u64 {
        self.slot_bytes as u64
    }

    /// States in the sidecar that a write of the recorder has failed: if the process does not end the recording, an unknown
    /// number of events is lost. The page exists on disk, so a full disk accepts the word.
    pub fn mark_failed_write(&self) {
        let _position = self.slots();
        let mut file = &self.file;
        // Without the word, the loss is stated by the trace's note and by the recorder's error.
        let _ = file.seek(SeekFrom::Start(FAILED_AT)).and_then(|_| file.write_all(&failed_word(true)));
    }

    /// Latest request of a client, answered or not.
    pub fn request(&self) -> Option<Request> {
        let mut bytes = [0; REQUEST_BYTES];
        let _position = self.slots();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(REQUEST_AT)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        run(REQUEST_AT, "request", &bytes, Request::parse).ok()
    }

    /// Writes an answer.
    pub fn answer(&self, answer: &Answer) -> io::Result<()> {
        let _position = self.slots();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(ANSWER_AT))?;
        file.write_all(&answer.write())
    }

    /// Folder of the recording's segments, if it is a ring recording.
    pub fn segments_folder(&self) -> PathBuf {
        segments_folder(&self.path)
    }

    /// Path of the sidecar.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of the trace.
    pub fn trace_path(&self) -> PathBuf {
        self.path.with_extension("")
    }

    /// File system of the sidecar.
    pub fn disk(&self) -> &Disk {
        self.file.disk()
    }

    /// Syncs the data of the sidecar to disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Removes the sidecar and the segments after the recording has ended and the trace is complete.
    pub fn remove(&self) {
        // If removal fails or is undone by a machine failure, the complete trace shows that the side files are
        // obsolete.
        remove_segments(&segments_folder(&self.path), &[self.key], self.disk());
        let _ = self.disk().remove_same(&self.path, self.id);
        PendingSidecars::lock().remove(&self.path);
        self.sync_folder();
    }

    /// Marks the folder as not synced, because the trace has a new name or was replaced.
    pub fn trace_appeared(&self) {
        self.is_folder_synced.store(false, Ordering::Relaxed);
    }

    /// Syncs the folder, so that the trace is found under its name after a machine failure; has an effect once.
    pub fn sync_folder(&self) {
        #[cfg(unix)]
        if let Some(folder) = self.path.parent().filter(|_| !self.is_folder_synced.swap(true, Ordering::Relaxed)) {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        }
    }
}

/// Touches every page of the mapping, because page faults would delay the recording thread.
fn touch(mut piece: SlotMemory) -> SlotMemory {
    let (_, rows) = piece.parts();
    rows.iter_mut().step_by(PAGE_BYTES as usize).for_each(|byte| *byte = 0);
    if let Some(last) = rows.last_mut() {
        *last = 0;
    }
    piece
}

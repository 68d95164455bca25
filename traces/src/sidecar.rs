//! The file beside a recording under way: its lock, and the memory of its slots.

use crate::claim::Claim;
use crate::control::{Control, PAGE_BYTES, SLOTS_AT, slots_word};
use crate::disk::{Disk, DiskFile};
use crate::map::Piece;
use crate::parse::run;
use crate::request::{ANSWER_AT, Answer, REQUEST_AT, REQUEST_BYTES, Request};
use crate::segment::{remove_segments, segments_folder};
use crate::told::Told;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The sidecar of a recording of this process.
#[derive(Debug)]
pub(crate) struct Sidecar {
    file: DiskFile,
    path: PathBuf,
    slot_bytes: usize,
    slots_begin: u64,
    slots: AtomicU64,
    /// The folder has been brought to disk since the trace appeared in it.
    is_named: AtomicBool,
}

/// Size of a slot with a line and `room` bytes for records: whole pages.
pub(crate) fn slot_bytes(room: usize) -> usize {
    room.clamp(1, 1 << 30).next_multiple_of(PAGE_BYTES as usize)
}

impl Sidecar {
    /// Begins that of the recording with this key, which is brought to disk so often, and whose head lacks these definitions.
    pub fn begin(
        mut claim: Claim,
        (key, sync_interval_ns): (u32, u64),
        room: usize,
        definitions: Option<(Told, Vec<u8>)>,
        disk: &Disk,
    ) -> io::Result<Sidecar> {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let slot_bytes = slot_bytes(room);
        let (told, definitions) = definitions.unwrap_or_default();
        let control = Control {
            key,
            process: std::process::id(),
            began_at_unix_ns: began.as_nanos() as u64,
            slot_bytes: slot_bytes as u32,
            sync_interval_ns,
            definitions: [definitions.len() as u32, told.words[0] as u32, crc32c::crc32c(&definitions)],
        };
        let slots_begin = control.slots_begin();
        let mut page = control.write();
        page.resize(PAGE_BYTES as usize, 0);
        page.extend_from_slice(&definitions);
        page.resize(slots_begin as usize, 0);
        let file = disk.file(claim.file.try_clone()?, &claim.path);
        (&file).seek(SeekFrom::Start(0))?;
        (&file).write_all(&page)?;
        claim.is_used = true;
        let path = claim.path.clone();
        Ok(Sidecar { file, path, slot_bytes, slots_begin, slots: AtomicU64::new(0), is_named: AtomicBool::new(false) })
    }

    /// Another slot's memory, which the file has room for.
    pub fn make_slot(&self) -> io::Result<Piece> {
        let offset = self.slots_begin + self.slots.fetch_add(1, Ordering::Relaxed) * self.slot_bytes as u64;
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(&vec![0; self.slot_bytes])?;
        let piece = touch(self.file.map(offset, self.slot_bytes)?);
        // By this a reader knows that one is missing.
        file.seek(SeekFrom::Start(SLOTS_AT))?;
        file.write_all(&slots_word(self.slots.load(Ordering::Relaxed)))?;
        Ok(piece)
    }

    /// What somebody asks, or asked.
    pub fn request(&self) -> Option<Request> {
        let mut bytes = [0; REQUEST_BYTES];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(REQUEST_AT)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        run(REQUEST_AT, "request", &bytes, Request::parse).ok()
    }

    /// Answers it.
    pub fn answer(&self, answer: &Answer) -> io::Result<()> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(ANSWER_AT))?;
        file.write_all(&answer.write())
    }

    /// Where the segments of the recording are, if it keeps only its last.
    pub fn segments_folder(&self) -> PathBuf {
        segments_folder(&self.path)
    }

    /// The trace that it stands beside.
    pub fn trace_path(&self) -> PathBuf {
        self.path.with_extension("")
    }

    /// The file system it lies in.
    pub fn disk(&self) -> &Disk {
        self.file.disk()
    }

    /// Brings everything in it to disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// The recording has ended: there is nothing in it that the trace lacks.
    pub fn remove(&self) {
        // Where it cannot be removed, or comes back when the machine fails, the whole trace beside it says that it is of no use.
        let _ = self.disk().remove(&self.path);
        remove_segments(&segments_folder(&self.path));
        self.bring_name_to_disk();
    }

    /// The trace has another name, or is another file, than when the folder was brought to disk last.
    pub fn trace_appeared(&self) {
        self.is_named.store(false, Ordering::Relaxed);
    }

    /// Has the trace found under its name should the machine fail; once.
    pub fn bring_name_to_disk(&self) {
        #[cfg(unix)]
        if let Some(folder) = self.path.parent().filter(|_| !self.is_named.swap(true, Ordering::Relaxed)) {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
    }
}

/// Has every page of the mapping there before it is recorded into: a first touch takes long.
fn touch(mut piece: Piece) -> Piece {
    let (_, rows) = piece.parts();
    rows.iter_mut().step_by(PAGE_BYTES as usize).for_each(|byte| *byte = 0);
    if let Some(last) = rows.last_mut() {
        *last = 0;
    }
    piece
}

//! Reader of a sidecar, orphaned or of an active recording: the records of its slots as far as each is valid. The file
//! is read, not mapped, because another process may be writing it.

use crate::format::error::Damage;
use crate::format::parse::run;
use crate::format::row_head::salt;
use crate::format::schema_block;
use crate::live::control_page::{ControlPage, PAGE_BYTES, has_failed, lost, slots};
use crate::live::file_lock::{self, LockResult};
use crate::live::map::LINE_BYTES;
use crate::live::path_claim::{is_alive, sidecar_path};
use crate::live::regular_file::open_regular;
use crate::live::slot_line::{First, LINE_WORDS, LineState, SlotLine};
use crate::live::sparse::{SoundRecords, SparseBytes, next_data, read_at, sound_records};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use taut_schemas::SchemaTable;

/// Line and records of a slot, or the index of the invalid word of the line.
type ReadSlot = Result<(LineState, SoundRecords), usize>;

/// Max number of attempts to read a slot that changes meanwhile.
const READS: usize = 100;

/// A slot in use.
#[derive(Debug)]
pub(crate) struct SidecarSlot {
    pub line: LineState,
    /// Valid records, from the first on.
    pub rows: SparseBytes,
    /// Number of valid records.
    pub records: u64,
    /// True if another record was being written after the valid records.
    pub is_torn: bool,
    /// True if a committed record after the valid records is no longer valid.
    pub is_damaged: bool,
}

/// Content of a sidecar.
#[derive(Debug)]
pub(crate) struct OrphanedSidecar {
    pub control_page: ControlPage,
    /// True if the recording is active.
    pub is_alive: bool,
    pub slots: Vec<SidecarSlot>,
    /// Events lost after the output had failed that no slot counts, by stream.
    pub lost: Vec<(u32, u64)>,
    /// True if a write of the recorder failed and its losses were not counted.
    pub has_unknown_losses: bool,
    /// Definitions of events that the trace's head lacks.
    pub defined: Option<SchemaTable>,
    /// Damage in the sidecar; offsets are within the sidecar.
    pub damage: Vec<Damage>,
}

/// A sidecar whose control page has been read.
struct Opened {
    file: File,
    page: Vec<u8>,
    control_page: ControlPage,
    is_alive: bool,
}

fn unreadable(error: io::Error) -> Damage {
    Damage {
        offset: 0,
        what: SIDECAR,
        expected: "a file that can be read".to_owned(),
        found: error.to_string(),
        events_lost: None,
    }
}

/// Opens the sidecar of the trace at `path` and reads its control page; `None` if there is none or it is empty.
fn open(path: &Path) -> Result<Option<Opened>, Damage> {
    let file = match open_regular(sidecar_path(path)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let page = read_at(&file, 0, PAGE_BYTES as usize).map_err(unreadable)?;
    if page.is_empty() {
        return Ok(None);
    }
    let control_page =
        run(0, SIDECAR, &page, ControlPage::parse).map_err(|damage| Damage { events_lost: None, ..damage })?;
    let is_alive = match file_lock::shared(&file) {
        LockResult::Held => true,
        // The lock was free, so no recorder is active; the probe's lock is released at once.
        LockResult::Acquired => file_lock::release(&file).is_err(),
        LockResult::Unknown => is_alive(control_page.process),
    };
    Ok(Some(Opened { file, page, control_page, is_alive }))
}

/// Reads the sidecar of the trace at `path`; `None` if there is none or it is empty. Holes take no memory.
///
/// # Errors
/// The sidecar cannot be read, or its control page is damaged; offsets are within the sidecar.
pub(crate) fn orphaned_sidecar(path: &Path) -> Result<Option<OrphanedSidecar>, Damage> {
    let Some(Opened { file, page, control_page, is_alive }) = open(path)? else { return Ok(None) };
    let size_bytes = file.metadata().map_err(unreadable)?.len();
    let mut left = OrphanedSidecar {
        control_page,
        is_alive,
        slots: Vec::new(),
        lost: lost(&page),
        has_unknown_losses: has_failed(&page) && !is_alive,
        defined: None,
        damage: Vec::new(),
    };
    left.define(&file).map_err(unreadable)?;
    match run(0, SIDECAR, &page, slots) {
        Ok(slots) => left.check_size(slots, size_bytes),
        Err(damage) => left.damage.push(Damage { events_lost: None, ..damage }),
    }
    let slot_bytes = u64::from(control_page.slot_bytes);
    let mut offset = control_page.slots_begin();
    while offset + slot_bytes <= size_bytes {
        // The line of a free slot is zeros, as is a hole: slots that lie in a hole were never taken.
        let Some(data) = next_data(&file, offset).map_err(unreadable)? else { return Ok(Some(left)) };
        offset += (data - offset) / slot_bytes * slot_bytes;
        if offset + slot_bytes <= size_bytes {
            left.slot(&file, offset).map_err(unreadable)?;
            offset += slot_bytes;
        }
    }
    if offset < size_bytes && !is_alive {
        // The process ended while it created another slot, or the file was truncated.
        left.slot(&file, offset).map_err(unreadable)?;
    }
    Ok(Some(left))
}

/// True if a process records to the trace at `path`. Reads the control page only.
pub(crate) fn is_recorded(path: &Path) -> bool {
    open(path).is_ok_and(|opened| opened.is_some_and(|opened| opened.is_alive))
}

/// Name of the file in damage.
pub(crate) const SIDECAR: &str = "sidecar";

/// Line at the beginning of a slot.
fn line(bytes: &[u8]) -> Result<Option<LineState>, usize> {
    let (words, _) = bytes.as_chunks::<8>();
    let words: [AtomicU64; LINE_WORDS] = std::array::from_fn(|word| {
        let bytes = words.get(word).copied().unwrap_or_default();
        AtomicU64::new(u64::from_le_bytes(bytes))
    });
    SlotLine(&words).read()
}

impl OrphanedSidecar {
    /// Reads the definitions of events that the trace's head lacks.
    fn define(&mut self, file: &File) -> io::Result<()> {
        let [size_bytes, text_bytes, crc] = self.control_page.definitions;
        if size_bytes == 0 {
            return Ok(());
        }
        let payload = read_at(file, PAGE_BYTES, size_bytes as usize)?;
        let read = match crc32c::crc32c(&payload) {
            found if found != crc => Err((format!("definitions with CRC-32C {crc:#010x}"), format!("{found:#010x}"))),
            _ => schema_block::parse(text_bytes, &payload),
        };
        match read {
            Ok(part) => self.defined = Some(part),
            Err((expected, found)) => {
                let (offset, what) = (PAGE_BYTES, SIDECAR);
                self.damage.push(Damage { offset, what, expected, found, events_lost: None });
            }
        }
        Ok(())
    }

    /// Checks that the file has `slots` slots.
    fn check_size(&mut self, slots: u64, size_bytes: u64) {
        let expected =
            self.control_page.slots_begin().saturating_add(slots.saturating_mul(self.control_page.slot_bytes.into()));
        if size_bytes < expected {
            self.damage.push(Damage {
                offset: size_bytes,
                what: SIDECAR,
                expected: format!("{slots} slots up to byte {expected}"),
                found: "the end of the file".to_owned(),
                events_lost: None,
            });
        }
    }

    /// Reads the slot at an offset.
    fn slot(&mut self, file: &File, offset: u64) -> io::Result<()> {
        let damage = |at: u64, expected: &str, found: String| Damage {
            offset: at,
            what: SIDECAR,
            expected: expected.to_owned(),
            found,
            events_lost: None,
        };
        let found = if self.is_alive { self.unchanged(file, offset)? } else { self.read_slot(file, offset)? };
        let (state, rows) = match found {
            None => return Ok(()),
            Some(Ok(read)) => read,
            Some(Err(word)) => {
                let at = offset + 8 * word as u64;
                self.damage.push(damage(at, "a word of a slot's line", "other bytes".to_owned()));
                return Ok(());
            }
        };
        let SoundRecords { bytes: rows, count: records, end, is_at_end } = rows;
        let is_damaged = end < state.committed;
        if is_damaged {
            let at = offset + LINE_BYTES as u64 + end;
            let found = if is_at_end { "the end of the file" } else { "other bytes" };
            self.damage.push(damage(at, "a record that its check is of", found.to_owned()));
        }
        let is_torn = state.reserved > end && !is_damaged;
        self.slots.push(SidecarSlot { line: state, rows, records, is_torn, is_damaged });
        Ok(())
    }

    /// Line and records of a slot; `None` for a free one.
    fn read_slot(&self, file: &File, offset: u64) -> io::Result<Option<ReadSlot>> {
        Ok(match line(&read_at(file, offset, LINE_BYTES)?).transpose() {
            None => None,
            Some(Err(word)) => Some(Err(word)),
            Some(Ok(state)) => {
                let (begin, room) =
                    (offset + LINE_BYTES as u64, u64::from(self.control_page.slot_bytes) - LINE_BYTES as u64);
                let salt = salt(self.control_page.key, state.turn);
                Some(Ok((state, sound_records(file, begin, room, salt, state.committed)?)))
            }
        })
    }

    /// Same as [`read_slot`](Self::read_slot) while the recorder may be writing the slot: the records count only if
    /// turn and ordinal are equal before and after the read. A slot that was handed over or reused meanwhile is read
    /// again. `None` after too many changes: the earlier records are then in the file.
    fn unchanged(&self, file: &File, offset: u64) -> io::Result<Option<ReadSlot>> {
        for _ in 0..READS {
            let Some(read) = self.read_slot(file, offset)? else { return Ok(None) };
            let Ok((state, rows)) = read else { continue };
            if let Ok(Some(now)) = line(&read_at(file, offset, LINE_BYTES)?)
                && (now.turn, now.first) == (state.turn, state.first)
            {
                return Ok(Some(Ok((state, rows))));
            }
        }
        Ok(None)
    }

    /// Slots of each stream, in the order of its events: slots that were handed over by their ordinal, then other slots
    /// by their turn. A stream with losses in the control page has an entry even without slots.
    pub fn by_stream(&self) -> BTreeMap<u32, Vec<&SidecarSlot>> {
        let mut streams: BTreeMap<u32, Vec<&SidecarSlot>> = BTreeMap::new();
        self.lost.iter().for_each(|(stream, _)| {
            streams.entry(*stream).or_default();
        });
        self.slots.iter().for_each(|slot| streams.entry(slot.line.stream).or_default().push(slot));
        for slots in streams.values_mut() {
            slots.sort_by_key(|slot| match slot.line.first {
                First::Settled(first) => (0, first, slot.line.turn),
                First::Provisional(_) => (1, slot.line.turn, 0),
            });
        }
        streams
    }
}

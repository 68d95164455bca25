//! What a recording left beside its trace, or has there while it goes on: the records of its slots, as far as each proves
//! itself. The file is read, not mapped: another process may be writing it.

use crate::claim::{is_alive, sidecar_path};
use crate::control::{Control, PAGE_BYTES, slots};
use crate::error::Damage;
use crate::file_lock::{self, Asked};
use crate::map::LINE_BYTES;
use crate::parse::run;
use crate::row_head::{record_bytes, row_head, salt, sound_row};
use crate::schema_block;
use crate::slot::SLACK_BYTES;
use crate::slot_line::{First, LINE_WORDS, LineState, SlotLine};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use taut_schemas::SchemaTable;

/// A slot's line, or the word of it that is none, and the bytes behind it.
type ReadSlot = (Result<LineState, usize>, Vec<u8>);

/// Times that a slot is read which changes meanwhile.
const READS: usize = 100;

/// A slot that somebody took.
#[derive(Debug)]
pub(crate) struct LeftSlot {
    pub line: LineState,
    /// Its sound records from the first on, and slack behind them.
    pub rows: Vec<u8>,
    /// How many they are.
    pub records: u64,
    /// A record behind them was being written.
    pub is_torn: bool,
    /// A record behind them was whole and is not.
    pub is_damaged: bool,
}

/// A sidecar, read.
#[derive(Debug)]
pub(crate) struct LeftBehind {
    pub control: Control,
    /// The process still records.
    pub is_alive: bool,
    pub slots: Vec<LeftSlot>,
    /// What the trace's head does not define.
    pub defined: Option<SchemaTable>,
    /// Damage in the sidecar; offsets are its own.
    pub damage: Vec<Damage>,
}

/// Reads the sidecar of the trace at `path`; none if there is none, or it is empty.
///
/// # Errors
/// It cannot be read, or its first page is damaged; offsets are the sidecar's own.
pub(crate) fn left_behind(path: &Path) -> Result<Option<LeftBehind>, Damage> {
    let unreadable = |error: io::Error| Damage {
        offset: 0,
        what: SIDECAR,
        expected: "a file that can be read".to_owned(),
        found: error.to_string(),
        events_lost: None,
    };
    let file = match File::open(sidecar_path(path)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let size_bytes = file.metadata().map_err(unreadable)?.len();
    if size_bytes == 0 {
        return Ok(None);
    }
    let page = read_at(&file, 0, PAGE_BYTES as usize).map_err(unreadable)?;
    let control = run(0, SIDECAR, &page, Control::parse).map_err(|damage| Damage { events_lost: None, ..damage })?;
    let is_alive = match file_lock::shared(&file) {
        Asked::Held => true,
        Asked::Got => file.unlock().is_err(),
        Asked::Unknown => is_alive(control.process),
    };
    let mut left = LeftBehind { control, is_alive, slots: Vec::new(), defined: None, damage: Vec::new() };
    left.define(&file).map_err(unreadable)?;
    match run(0, SIDECAR, &page, slots) {
        Ok(slots) => left.check_size(slots, size_bytes),
        Err(damage) => left.damage.push(Damage { events_lost: None, ..damage }),
    }
    let slot_bytes = u64::from(control.slot_bytes);
    let mut offset = control.slots_begin();
    while offset + slot_bytes <= size_bytes {
        left.slot(&file, offset).map_err(unreadable)?;
        offset += slot_bytes;
    }
    if offset < size_bytes && !is_alive {
        // The process ended while it made another slot, or the file was cut.
        left.slot(&file, offset).map_err(unreadable)?;
    }
    Ok(Some(left))
}

/// Whether a process records to the trace at `path`.
pub(crate) fn is_recorded(path: &Path) -> bool {
    left_behind(path).is_ok_and(|left| left.is_some_and(|left| left.is_alive))
}

/// What sentences call the file.
pub(crate) const SIDECAR: &str = "sidecar";

/// Up to `length` bytes of a file at an offset.
fn read_at(mut file: &File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The line at a slot's beginning.
fn line(bytes: &[u8]) -> Result<Option<LineState>, usize> {
    let (words, _) = bytes.as_chunks::<8>();
    let words: [AtomicU64; LINE_WORDS] = std::array::from_fn(|word| {
        let bytes = words.get(word).copied().unwrap_or_default();
        AtomicU64::new(u64::from_le_bytes(bytes))
    });
    SlotLine(&words).read()
}

impl LeftBehind {
    /// Reads what the trace's head does not define.
    fn define(&mut self, file: &File) -> io::Result<()> {
        let [size_bytes, text_bytes, crc] = self.control.definitions;
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

    /// Checks that the file has so many slots.
    fn check_size(&mut self, slots: u64, size_bytes: u64) {
        let expected = self.control.slots_begin().saturating_add(slots.saturating_mul(self.control.slot_bytes.into()));
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
        let (state, mut rows) = match found {
            None => return Ok(()),
            Some((Ok(state), rows)) => (state, rows),
            Some((Err(word), _)) => {
                let at = offset + 8 * word as u64;
                self.damage.push(damage(at, "a word of a slot's line", "other bytes".to_owned()));
                return Ok(());
            }
        };
        let salt = salt(self.control.key, state.turn);
        let (mut end, mut records) = (0, 0);
        while let Some(row) = sound_row(&rows, end, salt) {
            end += record_bytes(row.len());
            records += 1;
        }
        let is_damaged = (end as u64) < state.committed;
        if is_damaged {
            let at = offset + (LINE_BYTES + end) as u64;
            let found = row_head(&rows, end).map_or("the end of the file".to_owned(), |_| "other bytes".to_owned());
            self.damage.push(damage(at, "a record that its check is of", found));
        }
        let is_torn = state.reserved > end as u64 && !is_damaged;
        rows.truncate(end);
        rows.extend_from_slice(&[0; SLACK_BYTES]);
        self.slots.push(LeftSlot { line: state, rows, records, is_torn, is_damaged });
        Ok(())
    }

    /// A slot's line, and the bytes behind it; none of a free one.
    fn read_slot(&self, file: &File, offset: u64) -> io::Result<Option<ReadSlot>> {
        Ok(match line(&read_at(file, offset, LINE_BYTES)?).transpose() {
            None => None,
            Some(Err(word)) => Some((Err(word), Vec::new())),
            Some(Ok(state)) => {
                let rows_bytes = self.control.slot_bytes as usize - LINE_BYTES;
                Some((Ok(state), read_at(file, offset + LINE_BYTES as u64, rows_bytes)?))
            }
        })
    }

    /// The same while somebody may be writing it: the line is that of the bytes if it was one use's before and behind them. One that was
    /// handed over meanwhile, or taken anew, is read again; of one that changes all the time, what it had is in the file.
    fn unchanged(&self, file: &File, offset: u64) -> io::Result<Option<ReadSlot>> {
        for _ in 0..READS {
            let Some((state, rows)) = self.read_slot(file, offset)? else { return Ok(None) };
            let Ok(state) = state else { continue };
            if let Ok(Some(now)) = line(&read_at(file, offset, LINE_BYTES)?)
                && (now.turn, now.first) == (state.turn, state.first)
            {
                return Ok(Some((Ok(state), rows)));
            }
        }
        Ok(None)
    }

    /// The streams that have slots.
    pub fn streams(&self) -> Vec<u32> {
        let mut streams: Vec<u32> = self.slots.iter().map(|slot| slot.line.stream).collect();
        streams.sort_unstable();
        streams.dedup();
        streams
    }

    /// The slots of a stream, in the order of its events: those handed over by their place, then the others as they were taken.
    pub fn of_stream(&self, stream: u32) -> Vec<&LeftSlot> {
        let mut slots: Vec<&LeftSlot> = self.slots.iter().filter(|slot| slot.line.stream == stream).collect();
        slots.sort_by_key(|slot| match slot.line.first {
            First::Settled(first) => (0, first, slot.line.turn),
            First::Provisional(_) => (1, slot.line.turn, 0),
        });
        slots
    }
}

/// The records from number `from` on.
pub(crate) fn records_from(rows: &[u8], from: u64) -> &[u8] {
    let mut at = 0;
    for _ in 0..from {
        let Some((row_bytes, _, _)) = row_head(rows, at) else { break };
        at += record_bytes(row_bytes as usize);
    }
    rows.get(at..).unwrap_or_default()
}

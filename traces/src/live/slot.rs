//! Slot: a buffer of one thread's records, in memory that may survive the process.

use crate::format::limit;
use crate::format::row_head::{ROW_HEAD_BYTES, record_bytes, row_head, salt, write_row_head};
use crate::live::map::SlotMemory;
use crate::live::slot_line::SlotLine;
use taut_schemas::{Encoder, EventCode};

/// Size of the bytes after the last record, which allow rows to be read in words.
pub(crate) const SLACK_BYTES: usize = 8;

/// Guard that marks the slot as torn if a payload panics.
struct TornSlotGuard<'s> {
    torn: &'s mut bool,
    open: &'s mut usize,
}

impl Drop for TornSlotGuard<'_> {
    fn drop(&mut self) {
        (*self.torn, *self.open) = (true, 0);
    }
}

/// Buffer of one thread's records. It is written in place, and its line states at every moment how far.
#[derive(Debug)]
pub(crate) struct Slot {
    memory: SlotMemory,
    /// Capacity for records, in bytes.
    room: usize,
    /// Capacity in use, in bytes: `room`, or 0 while the slot accepts nothing.
    open: usize,
    committed: usize,
    records: u64,
    turn: u64,
    salt: u64,
    /// True if a payload panicked.
    torn: bool,
    /// Size of the row that did not fit, in bytes.
    wanted_bytes: usize,
}

impl Slot {
    /// Creates a free slot with `room` bytes for records, limited to the size of `memory`.
    pub fn new(memory: SlotMemory, room: usize) -> Slot {
        let room = room.min(memory.rows().len().saturating_sub(SLACK_BYTES)) & !7;
        Slot { memory, room, open: 0, committed: 0, records: 0, turn: 0, salt: 0, torn: false, wanted_bytes: 0 }
    }

    fn line(&self) -> SlotLine<'_> {
        SlotLine(self.memory.line())
    }

    /// Starts a new use of the slot by a stream.
    pub fn take(&mut self, key: u32, stream: u32, turn: u64, first: u64, lost_before: u64) {
        (self.open, self.committed, self.records, self.torn) = (self.room, 0, 0, false);
        (self.turn, self.salt) = (turn, salt(key, turn));
        self.line().take(stream, turn, first, lost_before);
    }

    /// Number of this use among all slot uses of the recording.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// True if the slot is in the sidecar and survives the process.
    pub fn is_persistent(&self) -> bool {
        self.memory.is_persistent()
    }

    /// Offset of the slot in the sidecar.
    pub fn offset(&self) -> Option<u64> {
        self.memory.offset()
    }

    /// Capacity for records, in bytes.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Size of complete records, in bytes.
    pub fn filled(&self) -> usize {
        self.committed
    }

    /// Number of complete records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// True if the payload of the last record panicked.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// Writes a record, into `large` if that is not empty. Returns `false` if the record is not in the slot, which is
    /// then unchanged: it did not fit, or is in `large`.
    #[inline]
    pub fn write(
        &mut self,
        code: EventCode,
        stamp: u64,
        large: &mut [u8],
        payload: &impl Fn(&mut Encoder<'_>),
    ) -> bool {
        let start = self.committed;
        let (line, rows) = self.memory.parts();
        let line = SlotLine(line);
        let is_large = !large.is_empty();
        let rest = match is_large {
            // The payload of this record panicked in the first attempt.
            true if self.torn => return false,
            true => large,
            false => rows.get_mut(start..self.open).unwrap_or_default(),
        };
        let Some(row) = rest.get_mut(ROW_HEAD_BYTES..) else { return false };
        // The record is marked as being written before its first byte is stored.
        line.reserve(start + ROW_HEAD_BYTES);
        let torn = TornSlotGuard { torn: &mut self.torn, open: &mut self.open };
        let mut encoder = Encoder::bounded(row);
        payload(&mut encoder);
        // The payload returned, so the guard must not run.
        std::mem::forget(torn);
        let row_bytes = encoder.whole().filter(|row_bytes| *row_bytes <= limit::ROW_BYTES);
        let Some(row_bytes) = row_bytes else {
            self.wanted_bytes = encoder.end();
            line.reserve(start);
            return false;
        };
        // Rows are checked against a capacity that is a multiple of 8 bytes, so the padded record fits.
        let Some(record) = rest.get_mut(..record_bytes(row_bytes)) else { return false };
        write_row_head(record, row_bytes, code, stamp, self.salt);
        if is_large {
            line.reserve(start);
            return false;
        }
        self.committed = start + record.len();
        self.records += 1;
        // Stored last: a record counts only when all of its bytes are stored.
        line.commit(self.committed);
        true
    }

    /// Size of the row that did not fit, in bytes, and resets it; 0 if no row was rejected.
    pub fn take_wanted_bytes(&mut self) -> usize {
        std::mem::take(&mut self.wanted_bytes)
    }

    /// Code and row of the last record.
    pub fn last_row(&self) -> Option<(EventCode, &[u8])> {
        let (mut at, mut last) = (0, None);
        while at < self.committed {
            let (row_bytes, code, _) = row_head(self.rows(), at)?;
            let start = at + ROW_HEAD_BYTES;
            last = Some((code, self.rows().get(start..start + row_bytes as usize)?));
            at += record_bytes(row_bytes as usize);
        }
        last
    }

    /// Accepts nothing more in this use.
    pub fn shut(&mut self) {
        self.open = 0;
    }

    /// Sets the losses after the records and discards a torn record; the slot accepts nothing more in this use.
    pub fn lose(&mut self, dropped: u64, refused: u64) {
        (self.open, self.torn) = (0, false);
        self.line().reserve(self.committed);
        self.line().lose(dropped, refused);
    }

    /// Sets the first record's ordinal among the stream's events, when the slot is handed over.
    pub fn set_first_ordinal(&self, first: u64) {
        self.line().set_first_ordinal(first);
    }

    /// Frees the slot after all its records are in the file.
    pub fn free(&mut self) {
        self.line().free();
        (self.committed, self.records) = (0, 0);
    }

    /// Records, followed by slack bytes.
    pub fn rows(&self) -> &[u8] {
        self.memory.rows().get(..self.committed + SLACK_BYTES).unwrap_or_default()
    }
}

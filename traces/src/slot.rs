//! A buffer of one thread's records, in memory that may outlive the process.

use crate::limit;
use crate::map::Piece;
use crate::row_head::{ROW_HEAD_BYTES, record_bytes, row_head, salt, write_row_head};
use crate::slot_line::SlotLine;
use taut_schemas::{Encoder, EventCode};

/// Bytes behind the last record: rows are read in words.
pub(crate) const SLACK_BYTES: usize = 8;

/// Dropped when a payload panics.
struct Torn<'s> {
    torn: &'s mut bool,
    open: &'s mut usize,
}

impl Drop for Torn<'_> {
    fn drop(&mut self) {
        (*self.torn, *self.open) = (true, 0);
    }
}

/// A buffer of one thread's records. It is written in place, and its line says at each moment how far.
#[derive(Debug)]
pub(crate) struct Slot {
    memory: Piece,
    /// Bytes for records.
    room: usize,
    /// The same, or 0 while the slot takes none.
    open: usize,
    committed: usize,
    records: u64,
    turn: u64,
    salt: u64,
    /// A payload panicked.
    torn: bool,
    /// Size of the row that there was no room for.
    wanted_bytes: usize,
}

impl Slot {
    /// A free slot with `room` bytes for records, or as many as `memory` has.
    pub fn new(memory: Piece, room: usize) -> Slot {
        let room = room.min(memory.rows().len().saturating_sub(SLACK_BYTES)) & !7;
        Slot { memory, room, open: 0, committed: 0, records: 0, turn: 0, salt: 0, torn: false, wanted_bytes: 0 }
    }

    fn line(&self) -> SlotLine<'_> {
        SlotLine(self.memory.line())
    }

    /// Begins anew as a stream's.
    pub fn take(&mut self, key: u32, stream: u32, turn: u64, first: u64, lost_before: u64) {
        (self.open, self.committed, self.records, self.torn) = (self.room, 0, 0, false);
        (self.turn, self.salt) = (turn, salt(key, turn));
        self.line().take(stream, turn, first, lost_before);
    }

    /// Which use of a slot this is, of all uses in the recording.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// Whether it outlives the process.
    pub fn is_kept(&self) -> bool {
        self.memory.is_kept()
    }

    /// Bytes for records.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Bytes of whole records.
    pub fn filled(&self) -> usize {
        self.committed
    }

    /// Whole records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Whether the payload of the last record panicked.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// Writes a record, into `large` if that has been given the record's size. `false` if it is not in the slot, which is as it was
    /// then: there was no room, or it is in `large`.
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
            // The payload of the record that it was for panicked.
            true if self.torn => return false,
            true => large,
            false => rows.get_mut(start..self.open).unwrap_or_default(),
        };
        let Some(row) = rest.get_mut(ROW_HEAD_BYTES..) else { return false };
        line.reserve(start + ROW_HEAD_BYTES);
        let torn = Torn { torn: &mut self.torn, open: &mut self.open };
        let mut encoder = Encoder::bounded(row);
        payload(&mut encoder);
        std::mem::forget(torn);
        let row_bytes = encoder.whole().filter(|row_bytes| *row_bytes <= limit::ROW_BYTES);
        let Some(row_bytes) = row_bytes else {
            self.wanted_bytes = encoder.end();
            line.reserve(start);
            return false;
        };
        // What a row has room in ends at a multiple of 8 bytes.
        let Some(record) = rest.get_mut(..record_bytes(row_bytes)) else { return false };
        write_row_head(record, row_bytes, code, stamp, self.salt);
        if is_large {
            line.reserve(start);
            return false;
        }
        self.committed = start + record.len();
        self.records += 1;
        line.commit(self.committed);
        true
    }

    /// Size of the row that there was no room for, in bytes; 0 if it was not asked.
    pub fn take_wanted_bytes(&mut self) -> usize {
        std::mem::take(&mut self.wanted_bytes)
    }

    /// The last record's code and row.
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

    /// Takes nothing more in this use.
    pub fn shut(&mut self) {
        self.open = 0;
    }

    /// Events were lost behind the records; there is no torn one any more, and the slot takes nothing more in this use.
    pub fn lose(&mut self, dropped: u64, refused: u64) {
        (self.open, self.torn) = (0, false);
        self.line().reserve(self.committed);
        self.line().lose(dropped, refused);
    }

    /// Says which place the first record has among the stream's events.
    pub fn settle(&self, first: u64) {
        self.line().settle(first);
    }

    /// Everything in it is in the file.
    pub fn free(&mut self) {
        self.line().free();
        (self.committed, self.records) = (0, 0);
    }

    /// The records, and the slack behind them.
    pub fn rows(&self) -> &[u8] {
        self.memory.rows().get(..self.committed + SLACK_BYTES).unwrap_or_default()
    }
}

//! A buffer of one thread's records, in memory that may outlive the process.

use crate::map::Piece;
use crate::row_head::{ROW_HEAD_BYTES, salt, write_row_head};
use crate::slot_line::SlotLine;
use taut_schemas::{Encoder, EventCode};

/// Bytes behind the last record: rows are read in words.
pub(crate) const SLACK_BYTES: usize = 8;

/// A record that a slot did not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRoom {
    /// Not even what stands before a row fits.
    Full,
    /// The row has so many bytes.
    Row(usize),
}

/// A buffer of one thread's records. It is written in place, and its line says at each moment how far.
#[derive(Debug)]
pub(crate) struct Slot {
    memory: Piece,
    /// Bytes for records.
    room: usize,
    committed: usize,
    records: u64,
    turn: u64,
    salt: u64,
    /// A payload panicked, or is being written.
    torn: bool,
}

impl Slot {
    /// A free slot with `room` bytes for records, or as many as `memory` has.
    pub fn new(memory: Piece, room: usize) -> Slot {
        let room = room.min(memory.rows().len().saturating_sub(SLACK_BYTES));
        Slot { memory, room, committed: 0, records: 0, turn: 0, salt: 0, torn: false }
    }

    fn line(&self) -> SlotLine<'_> {
        SlotLine(self.memory.line())
    }

    /// Begins anew as a stream's.
    pub fn take(&mut self, key: u32, stream: u32, turn: u64, first: u64, lost_before: u64) {
        (self.committed, self.records, self.torn) = (0, 0, false);
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

    /// Writes a record.
    ///
    /// # Errors
    /// It does not fit; the slot is as it was.
    #[inline]
    pub fn write(&mut self, code: EventCode, stamp: u64, payload: impl Fn(&mut Encoder<'_>)) -> Result<(), NoRoom> {
        let start = self.committed;
        let (line, rows) = self.memory.parts();
        let line = SlotLine(line);
        let rest = rows.get_mut(start..self.room).unwrap_or_default();
        let Some(row) = rest.get_mut(ROW_HEAD_BYTES..) else { return Err(NoRoom::Full) };
        line.reserve(start + ROW_HEAD_BYTES);
        self.torn = true;
        let mut encoder = Encoder::bounded(row);
        payload(&mut encoder);
        let row_bytes = encoder.end();
        self.torn = false;
        let Some(record) = rest.get_mut(..row_bytes.saturating_add(ROW_HEAD_BYTES)) else {
            line.reserve(start);
            return Err(NoRoom::Row(row_bytes));
        };
        write_row_head(record, code, stamp, self.salt);
        self.committed = start + record.len();
        self.records += 1;
        line.commit(self.committed);
        Ok(())
    }

    /// Events were lost behind the records; there is no torn one any more.
    pub fn lose(&mut self, dropped: u64, refused: u64) {
        self.torn = false;
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

//! A buffer that is being filled.

use crate::buffer::{HEADER_BYTES, flags};
use std::io::{self, Write};

/// Size of every buffer on disk, the header's too.
pub(super) const BUFFER_BYTES: usize = 64 << 10;
/// BufferType of a buffer with events.
pub(super) const TYPE_GENERIC: u16 = 0;
/// Flag of the first and the last buffer of a file.
const FLUSH_MARKER: u16 = 1;

/// Content of a processor's next buffer.
pub(super) struct PendingBuffer {
    processor: u16,
    sequence: i64,
    /// Header and records, each padded to 8 bytes.
    bytes: Vec<u8>,
    /// End of the last record without its padding.
    used: usize,
    last_tick: i64,
}

impl PendingBuffer {
    pub fn new(processor: u16, sequence: i64) -> Self {
        Self { processor, sequence, bytes: vec![0; HEADER_BYTES], used: HEADER_BYTES, last_tick: i64::MIN }
    }

    pub fn left_bytes(&self) -> usize {
        BUFFER_BYTES - self.bytes.len()
    }

    /// Appends a record, which has to fit.
    pub fn push(&mut self, record: &[u8], tick: i64) {
        self.append(tick, |bytes| bytes.extend_from_slice(record));
    }

    /// Appends the record that `write` makes.
    pub fn append(&mut self, tick: i64, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.used = self.bytes.len();
        self.bytes.resize(self.used.next_multiple_of(8), 0);
        self.last_tick = self.last_tick.max(tick);
    }

    /// Begins the processor's next buffer.
    pub fn restart(&mut self) {
        self.bytes.truncate(HEADER_BYTES);
        self.used = HEADER_BYTES;
        self.sequence += 1;
    }

    /// Writes the buffer with its whole size.
    pub fn write(&mut self, out: &mut impl Write, buffer_type: u16, is_first_or_last: bool) -> io::Result<()> {
        let used = (self.used as u32).to_le_bytes();
        let marker = if is_first_or_last { FLUSH_MARKER } else { 0 };
        self.bytes.resize(BUFFER_BYTES, 0);
        let mut put = |at: usize, bytes: &[u8]| self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        put(0x00, &(BUFFER_BYTES as u32).to_le_bytes());
        put(0x04, &used);
        put(0x08, &used);
        put(0x10, &self.last_tick.to_le_bytes());
        put(0x18, &self.sequence.to_le_bytes());
        put(0x28, &self.processor.to_le_bytes());
        put(0x30, &used);
        put(0x34, &(marker | flags::PROCESSOR_INDEX).to_le_bytes());
        put(0x36, &buffer_type.to_le_bytes());
        out.write_all(&self.bytes)
    }
}

//! One thread's records, collected in columns until they make a block.

use crate::block_head::{BlockHead, CRC_BYTES, ColumnEntry, KINDS, STAMPS};
use crate::column::ColumnEncoder;
use crate::limit;
use crate::nesting::Nesting;
use crate::walk::{RowSink, Scalar, Walk, Walks};
use taut_schemas::{CodecError, EventCode, Slot};

/// The columns of a block being filled.
#[derive(Debug, Default)]
struct Columns {
    kinds: Vec<u8>,
    stamps: Vec<u64>,
    counts: Vec<u64>,
    bytes: Vec<u8>,
    slots: Vec<Vec<u64>>,
}

/// Where a finished block lies in the file and what its index entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    pub length_bytes: u32,
    pub records: u32,
    pub lost_before: u64,
    pub first_stamp: u64,
    pub last_stamp: u64,
    pub kinds: Vec<(EventCode, u32)>,
}

/// Collects the records of one thread.
#[derive(Debug)]
pub(crate) struct BlockEncoder {
    thread: u32,
    columns: Columns,
    /// Kind of each walk in this block; `NO_KIND` for none yet.
    kind_of_walk: Vec<u16>,
    /// Codes in order of their first record.
    kinds: Vec<EventCode>,
    row_bytes: usize,
    number: u64,
    records_before: u64,
    lost_before: u64,
    nesting: Nesting,
    /// Depth and listed calls at the start of the block.
    open_at_start: (u32, Vec<EventCode>),
}

const NO_KIND: u16 = u16::MAX;

impl RowSink for Columns {
    fn scalar(&mut self, slot: u16, value: u64) {
        self.slots[usize::from(slot)].push(value);
    }
    fn count(&mut self, count: u32) {
        self.counts.push(count.into());
    }
    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
}

impl Columns {
    /// Takes a row of plain scalars. `padded` goes on at least 7 bytes behind the row.
    #[inline]
    fn plain(&mut self, scalars: &[Scalar], padded: &[u8]) {
        for scalar in scalars {
            let at = scalar.at as usize;
            let word = padded.get(at..at + 8).and_then(|bytes| bytes.first_chunk());
            if let (Some(word), Some(slot)) = (word, self.slots.get_mut(usize::from(scalar.slot))) {
                slot.push(u64::from_le_bytes(*word) & scalar.mask());
            }
        }
    }

    fn walk(&mut self, walk: &Walk, row: &[u8]) -> Result<(), CodecError> {
        // A row that turns out wrong half-way must not leave half of its values.
        walk.check(row)?;
        walk.take(row, self)
    }

    /// Records of each kind.
    fn kind_counts(&self) -> [u32; limit::BLOCK_KINDS] {
        let mut counts = [0; limit::BLOCK_KINDS];
        self.kinds.iter().for_each(|kind| counts[usize::from(*kind)] += 1);
        counts
    }

    fn clear(&mut self) {
        self.kinds.clear();
        self.stamps.clear();
        self.counts.clear();
        self.bytes.clear();
        self.slots.iter_mut().for_each(Vec::clear);
    }
}

impl BlockEncoder {
    pub fn new(thread: u32, walks: &Walks) -> Self {
        let slots = walks.slots.iter().map(|_| Vec::new()).collect();
        Self {
            thread,
            columns: Columns { slots, ..Columns::default() },
            kind_of_walk: vec![NO_KIND; walks.len()],
            kinds: Vec::new(),
            row_bytes: 0,
            number: 0,
            records_before: 0,
            lost_before: 0,
            nesting: Nesting::default(),
            open_at_start: (0, Vec::new()),
        }
    }

    /// Number of the thread.
    pub fn thread(&self) -> u32 {
        self.thread
    }

    /// Whether the block holds records.
    pub fn has_records(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// Whether there is anything to write.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.lost_before == 0
    }

    /// Counts events that were lost after the last record. The block must be empty.
    pub fn lose(&mut self, events: u64) {
        self.lost_before += events;
    }

    /// Adds a record, the first `row_bytes` of `padded`; a plain one's needs 7 more bytes behind it. `false` if the
    /// block is full: nothing has been added then.
    ///
    /// # Errors
    /// The row has not the layout of its event; nothing has been added then.
    #[inline]
    pub fn add(&mut self, index: usize, walks: &Walks, stamp: u64, padded: &[u8], row_bytes: usize) -> Result<bool, CodecError> {
        if self.columns.kinds.len() >= limit::BLOCK_RECORDS || self.row_bytes >= limit::CLOSE_BLOCK_BYTES {
            return Ok(false);
        }
        let mut kind = self.kind_of_walk[index];
        if kind == NO_KIND && self.kinds.len() == limit::BLOCK_KINDS {
            return Ok(false);
        }
        match walks.plain(index) {
            Some((scalars, plain_bytes)) if row_bytes == plain_bytes => self.columns.plain(scalars, padded),
            _ => self.columns.walk(walks.walk(index), &padded[..row_bytes])?,
        }
        if kind == NO_KIND {
            kind = self.new_kind(index, walks.walk(index).code);
        }
        self.columns.kinds.push(kind as u8);
        self.columns.stamps.push(stamp);
        self.row_bytes += row_bytes;
        if !walks.is_info(index) {
            let walk = walks.walk(index);
            self.nesting.follow(walk.code, walk.opcode);
        }
        Ok(true)
    }

    #[cold]
    fn new_kind(&mut self, index: usize, code: EventCode) -> u16 {
        let kind = self.kinds.len() as u16;
        self.kind_of_walk[index] = kind;
        self.kinds.push(code);
        kind
    }

    /// Appends the block to `out` and begins the next.
    pub fn finish(&mut self, key: u32, slot_numbers: &[u16], encoder: &mut ColumnEncoder, out: &mut Vec<u8>) -> Written {
        let mut body = Vec::new();
        let columns = self.write_columns(slot_numbers, encoder, &mut body);
        let (depth, open) = std::mem::take(&mut self.open_at_start);
        let mut head = BlockHead {
            length_bytes: 0,
            key,
            thread: self.thread,
            records: self.columns.kinds.len() as u32,
            number: self.number,
            records_before: self.records_before,
            lost_before: self.lost_before,
            first_stamp: self.columns.stamps.first().copied().unwrap_or_default(),
            last_stamp: self.columns.stamps.last().copied().unwrap_or_default(),
            row_bytes: self.row_bytes as u32,
            depth,
            open,
            kinds: self.kinds.drain(..).zip(self.columns.kind_counts()).collect(),
            columns,
        };
        head.length_bytes = (head.head_bytes() + body.len() + CRC_BYTES) as u32;
        let start = out.len();
        head.write(out);
        out.extend_from_slice(&body);
        let crc = crc32c::crc32c(&out[start..]);
        out.extend_from_slice(&crc.to_le_bytes());
        self.restart(&head);
        let BlockHead { length_bytes, records, lost_before, first_stamp, last_stamp, kinds, .. } = head;
        Written { length_bytes, records, lost_before, first_stamp, last_stamp, kinds }
    }

    fn write_columns(&self, slot_numbers: &[u16], encoder: &mut ColumnEncoder, body: &mut Vec<u8>) -> Vec<ColumnEntry> {
        let mut entries = Vec::new();
        let mut add = |slot: u16, values: usize, body: &mut Vec<u8>, write: &mut dyn FnMut(&mut Vec<u8>)| {
            if values > 0 {
                let start = body.len();
                write(body);
                entries.push(ColumnEntry { slot, values: values as u32, length_bytes: (body.len() - start) as u32 });
            }
        };
        let Columns { kinds, stamps, counts, bytes, slots } = &self.columns;
        add(KINDS, kinds.len(), body, &mut |body| encoder.bytes(kinds, body));
        add(STAMPS, stamps.len(), body, &mut |body| encoder.numbers(stamps, body));
        add(Slot::BYTES.0, bytes.len(), body, &mut |body| encoder.bytes(bytes, body));
        add(Slot::COUNTS.0, counts.len(), body, &mut |body| encoder.numbers(counts, body));
        for (number, values) in slot_numbers.iter().zip(slots) {
            add(*number, values.len(), body, &mut |body| encoder.numbers(values, body));
        }
        entries
    }

    fn restart(&mut self, written: &BlockHead) {
        self.number += 1;
        self.records_before += u64::from(written.records);
        self.lost_before = 0;
        self.row_bytes = 0;
        self.kind_of_walk.fill(NO_KIND);
        self.columns.clear();
        self.open_at_start = (self.nesting.depth(), self.nesting.listed().to_vec());
    }

    /// Gives the columns' memory back; the thread is idle. The block must be empty.
    pub fn rest(&mut self) {
        let slots = self.columns.slots.iter().map(|_| Vec::new()).collect();
        self.columns = Columns { slots, ..Columns::default() };
    }
}

//! Encoder of one thread's records, which collects records in columns until they form a block.

use crate::format::block_head::{BlockHead, ColumnEntry, KINDS, STAMPS};
use crate::format::block_info::BlockInfo;
use crate::format::column::ColumnEncoder;
use crate::format::columns::Columns;
use crate::format::file_head::VERSION;
use crate::format::limit;
use crate::format::nesting::Nesting;
use crate::format::row_head::{ROW_HEAD_BYTES, record_bytes, row_head};
use crate::format::walk::Walks;
use taut_schemas::{CodecError, EventCode, Slot};

/// Encoder of the records of one thread.
#[derive(Debug)]
pub(crate) struct BlockEncoder {
    thread: u32,
    columns: Columns,
    /// Kind of each walk in this block; `NO_KIND` until the first record of the walk.
    kind_of_walk: Vec<u16>,
    /// Codes in order of their first record.
    kinds: Vec<EventCode>,
    row_bytes: usize,
    number: u64,
    records_before: u64,
    lost_before: u64,
    /// Events lost since the thread began, up to the previous block.
    lost_in_all: u64,
    nesting: Nesting,
    /// Depth and listed calls at the start of the block.
    open_at_start: (u32, Vec<EventCode>),
    /// Size of the rows at which a block is full, in bytes.
    close_bytes: usize,
}

// Kinds are below `limit::BLOCK_KINDS` (256), so this value is never one of them.
const NO_KIND: u16 = u16::MAX;

/// Records that [`BlockEncoder::add_plain`] adds between two checks of the block's limits.
// Bounds the three stack arrays of `add_plain`.
const BATCH: usize = 256;

impl BlockEncoder {
    /// Creates an encoder without column memory; [`wake`](Self::wake) allocates it.
    pub fn new(thread: u32) -> Self {
        Self {
            thread,
            columns: Columns::new(&[]),
            kind_of_walk: Vec::new(),
            kinds: Vec::new(),
            row_bytes: 0,
            number: 0,
            records_before: 0,
            lost_before: 0,
            lost_in_all: 0,
            nesting: Nesting::default(),
            open_at_start: (0, Vec::new()),
            close_bytes: limit::CLOSE_BLOCK_BYTES,
        }
    }

    /// Lowers the size of the rows at which blocks are closed to `close_bytes`; a larger value has no effect.
    pub fn closing_at(self, close_bytes: usize) -> Self {
        Self { close_bytes: close_bytes.min(self.close_bytes), ..self }
    }

    /// Creates an encoder that continues a thread after `number` blocks with these totals of records and lost events.
    pub fn after(thread: u32, number: u64, records: u64, lost: u64, nesting: Nesting) -> Self {
        let open_at_start = (nesting.depth(), nesting.listed().to_vec());
        Self { number, records_before: records, lost_in_all: lost, nesting, open_at_start, ..Self::new(thread) }
    }

    /// Number of the thread.
    pub fn thread(&self) -> u32 {
        self.thread
    }

    /// True if the block has records.
    pub fn has_records(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// Size of the block's rows, in bytes.
    pub fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    /// True if there is neither a record nor a loss to write.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.lost_before == 0
    }

    /// Counts events that were lost after the last record. The block must be empty.
    pub fn lose(&mut self, events: u64) {
        self.lost_before += events;
    }

    /// Adds a record. Returns `false` if the block is full; nothing has been added then.
    ///
    /// # Errors
    /// The row does not have the layout of its event; nothing has been added then.
    pub fn add(&mut self, index: usize, walks: &Walks, stamp: u64, row: &[u8]) -> Result<bool, CodecError> {
        if self.columns.records() >= limit::BLOCK_RECORDS || self.row_bytes >= self.close_bytes {
            return Ok(false);
        }
        let mut kind = self.kind_of_walk[index];
        if kind == NO_KIND && self.kinds.len() == limit::BLOCK_KINDS {
            return Ok(false);
        }
        let walk = walks.walk(index);
        self.columns.add_row(walk, row)?;
        if kind == NO_KIND {
            kind = self.new_kind(index, walk.code);
        }
        self.columns.add(&[kind as u8], &[stamp]);
        self.row_bytes += row.len();
        self.nesting.follow(walk.code, walk.opcode);
        Ok(true)
    }

    /// Adds records from `rows`, starting at `at`, while they are plain, of kinds that the block already has, and the
    /// block is not full. Returns the position of the first record that was not added. `rows` has to extend 8 bytes
    /// past the last record.
    pub fn add_plain(&mut self, walks: &Walks, rows: &[u8], mut at: usize) -> usize {
        let batch = BATCH.min(limit::BLOCK_RECORDS - self.columns.records());
        let (mut kinds, mut stamps, mut starts) = ([0; BATCH], [0; BATCH], [0; BATCH]);
        let (mut records, mut run_start, mut run_layout) = (0, 0, None);
        while records < batch {
            let Some((row_bytes, code, stamp)) = row_head(rows, at) else { break };
            let Some(brief) = walks.brief(code) else { break };
            let kind = self.kind_of_walk[usize::from(brief.index)];
            let full = self.row_bytes >= self.close_bytes;
            let start = at + ROW_HEAD_BYTES;
            let end = at + record_bytes(row_bytes as usize);
            // All other records are left to `add`, which creates kinds and reports layout errors.
            if !brief.plain || brief.row_bytes != row_bytes || kind == NO_KIND || full || end + 8 > rows.len() {
                break;
            }
            if run_layout != Some(brief.layout) {
                let run = &starts[run_start..records];
                run_layout.into_iter().for_each(|layout| self.columns.add_plain(walks.layout(layout), rows, run));
                (run_start, run_layout) = (records, Some(brief.layout));
            }
            if !brief.info {
                let walk = walks.walk(brief.index.into());
                self.nesting.follow(walk.code, walk.opcode);
            }
            (kinds[records], stamps[records], starts[records]) = (kind as u8, stamp, start as u32);
            self.row_bytes += row_bytes as usize;
            records += 1;
            at = end;
        }
        let run = &starts[run_start..records];
        run_layout.into_iter().for_each(|layout| self.columns.add_plain(walks.layout(layout), rows, run));
        self.columns.add(&kinds[..records], &stamps[..records]);
        at
    }

    #[cold]
    fn new_kind(&mut self, index: usize, code: EventCode) -> u16 {
        let kind = self.kinds.len() as u16;
        self.kind_of_walk[index] = kind;
        self.kinds.push(code);
        kind
    }

    /// Appends the block to `out`, starts the next one and returns the block's index entry, whose offset is left 0.
    pub fn finish(
        &mut self,
        key: u32,
        slot_numbers: &[u16],
        encoder: &mut ColumnEncoder,
        out: &mut Vec<u8>,
    ) -> BlockInfo {
        // The body is encoded first, because the head states its length.
        let mut body = Vec::new();
        let columns = self.write_columns(slot_numbers, encoder, &mut body);
        let (depth, open) = std::mem::take(&mut self.open_at_start);
        let stamps = self.columns.stamps();
        let ends = (stamps.iter().min().copied(), stamps.iter().max().copied());
        let lost_before = std::mem::take(&mut self.lost_before);
        self.lost_in_all += lost_before;
        let mut head = BlockHead {
            version: VERSION,
            head_bytes: 0,
            length_bytes: 0,
            key,
            thread: self.thread,
            records: self.columns.records() as u32,
            number: self.number,
            records_before: self.records_before,
            lost: self.lost_in_all,
            stamps: (ends.0.unwrap_or_default(), ends.1.unwrap_or_default()),
            row_bytes: self.row_bytes as u32,
            depth,
            open,
            kinds: self.kinds.drain(..).zip(self.columns.kind_counts()).collect(),
            columns,
        };
        let start = out.len();
        head.length_bytes = head.write(body.len(), out);
        out.extend_from_slice(&body);
        let crc = crc32c::crc32c(&out[start..]);
        out.extend_from_slice(&crc.to_le_bytes());
        self.restart(head.records);
        BlockInfo { lost_before, ..head.info(0) }
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
        let columns = &self.columns;
        let (kinds, stamps, bytes, counts) = (columns.kinds(), columns.stamps(), columns.bytes(), columns.counts());
        add(KINDS, kinds.len(), body, &mut |body| encoder.bytes(kinds, body));
        add(STAMPS, stamps.len(), body, &mut |body| encoder.numbers(stamps, body));
        add(Slot::BYTES.0, bytes.len(), body, &mut |body| encoder.bytes(bytes, body));
        add(Slot::COUNTS.0, counts.len(), body, &mut |body| encoder.slot(counts, body));
        for (index, number) in slot_numbers.iter().enumerate() {
            let values = columns.slot(index);
            add(*number, values.len(), body, &mut |body| encoder.slot(values, body));
        }
        entries
    }

    fn restart(&mut self, written: u32) {
        self.number += 1;
        self.records_before += u64::from(written);
        self.row_bytes = 0;
        self.kind_of_walk.fill(NO_KIND);
        self.columns.clear();
        self.open_at_start = (self.nesting.depth(), self.nesting.listed().to_vec());
    }

    /// Releases the column memory after the thread has ended. The block must be empty.
    pub fn rest(&mut self) {
        (self.columns, self.kind_of_walk) = (Columns::new(&[]), Vec::new());
    }

    /// Allocates the column memory if it is not allocated.
    pub fn wake(&mut self, walks: &Walks) {
        if self.kind_of_walk.is_empty() {
            (self.columns, self.kind_of_walk) = (Columns::new(&walks.slot_widths), vec![NO_KIND; walks.len()]);
        }
    }
}

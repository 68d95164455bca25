//! Rows of a decoded block, rebuilt from its columns in batches.

use crate::Trace;
use crate::format::block_head::BlockHead;
use crate::format::block_info::BlockInfo;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::columns::COUNT_BYTES;
use crate::format::error::Damage;
use crate::format::walk::{Brief, Elements, Scalar, Step, Walk, Widths};
use crate::read::block::Block;
use crate::read::slot_values::{COUNT, SlotValues};
use taut_schemas::{EventCode, Slot};

/// Number of rows built at a time: large enough to be fast, small enough to stay in the L1 cache.
const BATCH: usize = 128;

/// Size of the rows at which a batch ends early, in bytes.
const BATCH_BYTES: usize = 1 << 15;

/// Memory above which a decoder's buffers are not reused for the next block, in bytes.
const HEAVY_BYTES: usize = 8 << 20;

/// Decoded block with its rows. The buffers are reused for the next block.
#[derive(Debug, Default)]
pub(crate) struct BlockRows {
    offset: u64,
    /// Walk and code of each kind.
    walks: Vec<(Brief, EventCode)>,
    kinds: Vec<u8>,
    stamps: Vec<u64>,
    counts: SlotValues,
    bytes: Vec<u8>,
    bytes_at: usize,
    slots: Vec<SlotValues>,
    /// No slot holds a value wider than any scalar that the block's plain rows have on it.
    fits: bool,
    /// Index of the next record to return.
    record: usize,
    /// Rows of the batch: code and stamp, and the end of each in `rows`.
    batch: Vec<(EventCode, u64, usize)>,
    /// Number of rows of the batch that were returned, and the end of the last returned row.
    returned: usize,
    returned_end: usize,
    rows: Vec<u8>,
    /// Scratch buffer for a row with texts or lists.
    row: Vec<u8>,
    /// Size of the rows of all batches so far, in bytes.
    built_bytes: u64,
    /// Error of the record after the batch; reported when the batch has been returned.
    failed: Option<RowMismatch>,
    /// Index entry of the block.
    info: Option<BlockInfo>,
    /// Size of the decoded columns, in bytes.
    decoded_bytes: usize,
    parked: Option<Box<ParkedPositions>>,
}

/// Positions in the columns of a block whose buffers were released.
#[derive(Debug)]
struct ParkedPositions {
    /// Stamp of the record after the batch; `None` at the end of the block.
    next_stamp: Option<u64>,
    counts_at: usize,
    bytes_at: usize,
    /// Index and position of each slot with consumed values.
    slots: Vec<(usize, usize)>,
}

/// Error of a row that could not be built, with the expected content.
#[derive(Debug)]
struct RowMismatch(&'static str);

const TOO_FEW_VALUES: RowMismatch = RowMismatch("as many values as the record has");
const VALUE_TOO_WIDE: RowMismatch = RowMismatch("a value of its field's width");

impl BlockRows {
    /// Decodes a block. After an error there are no rows.
    pub fn load(&mut self, trace: &Trace, info: &BlockInfo, decoder: &mut ColumnDecoder) -> Result<BlockHead, Damage> {
        self.skip();
        trace.count_read(info);
        let block = Block::read(trace.source(), info)?;
        let loaded = self.decode(trace, &block, decoder);
        if loaded.is_err() {
            self.skip();
        }
        self.info = Some(info.clone());
        loaded.map(|()| block.head)
    }

    fn decode(&mut self, trace: &Trace, block: &Block<'_>, decoder: &mut ColumnDecoder) -> Result<(), Damage> {
        self.offset = block.offset;
        self.walks.clear();
        let codes = block.head.kinds.iter().map(|kind| kind.0);
        self.walks.extend(codes.filter_map(|code| Some((trace.walks.brief(code)?, code))));
        block.kinds(decoder, &mut self.kinds)?;
        block.stamps(decoder, &mut self.stamps)?;
        self.counts.load_as(block, Slot::COUNTS.0, COUNT_BYTES, COUNT, decoder)?;
        block.bytes(Slot::BYTES.0, decoder, &mut self.bytes)?;
        self.slots.resize_with(trace.walks.slots.len(), SlotValues::default);
        for ((number, widths), slot) in trace.walks.slots.iter().zip(&block.widths).zip(&mut self.slots) {
            slot.load(block, *number, widths.widest, decoder)?;
        }
        self.bytes_at = 0;
        // If all fields of a slot have one width, the column decoder has checked the slot's values.
        let used = |(widths, slot): (&Widths, &SlotValues)| if widths.are_one() { 0 } else { slot.used_bits() };
        let used: Vec<u64> = block.widths.iter().zip(&self.slots).map(used).collect();
        let mut scalars = self.walks.iter().flat_map(|(brief, _)| trace.walks.layout(brief.layout));
        self.fits = scalars.all(|scalar| used[usize::from(scalar.slot)] & !scalar.mask() == 0);
        let values: usize = self.slots.iter().map(SlotValues::capacity).sum();
        let heads = self.kinds.capacity() + size_of::<u64>() * self.stamps.capacity();
        let tables = size_of::<SlotValues>() * self.slots.len();
        self.decoded_bytes = values + heads + tables + self.bytes.capacity() + self.counts.capacity();
        Ok(())
    }

    /// Size of the decoded columns, in bytes; 0 if their buffers have been released.
    pub fn decoded_bytes(&self) -> usize {
        if self.parked.is_some() { 0 } else { self.decoded_bytes }
    }

    /// Releases the buffers of the columns. The block is decoded again when the rows of the batch have been returned.
    pub fn park(&mut self) {
        let after = self.record + self.batch.len() - self.returned;
        let used = |(index, slot): (usize, &SlotValues)| (slot.position() > 0).then(|| (index, slot.position()));
        self.parked = Some(Box::new(ParkedPositions {
            next_stamp: self.stamps.get(after).copied(),
            counts_at: self.counts.position(),
            bytes_at: self.bytes_at,
            slots: self.slots.iter().enumerate().filter_map(used).collect(),
        }));
        (self.kinds, self.stamps, self.bytes) = (Vec::new(), Vec::new(), Vec::new());
        (self.counts, self.slots, self.row) = (SlotValues::default(), Vec::new(), Vec::new());
    }

    /// Decodes a parked block again and restores its positions.
    fn unpark(&mut self, trace: &Trace, parked: &ParkedPositions) -> Result<(), Damage> {
        let Some(info) = self.info.clone() else { return Ok(()) };
        let block = Block::read(trace.source(), &info)?;
        self.decode(trace, &block, &mut ColumnDecoder::new())?;
        self.counts.set_position(parked.counts_at);
        self.bytes_at = parked.bytes_at;
        for (index, position) in &parked.slots {
            self.slots[*index].set_position(*position);
        }
        Ok(())
    }

    /// Stamp of the next record of a parked block.
    #[cold]
    fn parked_peek(&self) -> Option<u64> {
        let parked = self.parked.as_ref()?;
        self.batch.get(self.returned).map(|(_, stamp, _)| *stamp).or(parked.next_stamp)
    }

    /// True if the buffers are larger than most blocks need.
    pub fn is_heavy(&self) -> bool {
        let values: usize = self.slots.iter().map(SlotValues::capacity).sum();
        values + self.bytes.capacity() + self.rows.capacity() + self.row.capacity() > HEAVY_BYTES
    }

    /// Skips the rest of the block.
    pub fn skip(&mut self) {
        self.kinds.clear();
        self.stamps.clear();
        self.batch.clear();
        (self.record, self.returned, self.built_bytes, self.failed) = (0, 0, 0, None);
        (self.parked, self.info) = (None, None);
    }

    /// Stamp of the next record; `None` at the end of the block.
    #[inline]
    pub fn peek(&self) -> Option<u64> {
        match self.stamps.get(self.record) {
            Some(stamp) => Some(*stamp),
            None => self.parked_peek(),
        }
    }

    /// Ensures that [`next`](Self::next) has a row; there must be a record.
    ///
    /// # Errors
    /// The columns do not form a row. The rest of the block is skipped and lost.
    #[inline]
    pub fn ready(&mut self, trace: &Trace) -> Result<(), Damage> {
        if self.returned == self.batch.len() { self.fill(trace) } else { Ok(()) }
    }

    /// Code, stamp and row of the next record, which must be [`ready`](Self::ready).
    #[inline]
    pub fn next(&mut self) -> (EventCode, u64, &[u8]) {
        let (code, stamp, end) = self.batch[self.returned];
        let start = std::mem::replace(&mut self.returned_end, end);
        self.returned += 1;
        self.record += 1;
        (code, stamp, &self.rows[start..end])
    }

    /// Builds the next batch of at least one row.
    fn fill(&mut self, trace: &Trace) -> Result<(), Damage> {
        self.batch.clear();
        (self.returned, self.returned_end) = (0, 0);
        if let Some(parked) = self.parked.take()
            && let Err(damage) = self.unpark(trace, &parked)
        {
            self.skip();
            return Err(damage);
        }
        if let Some(unfit) = self.failed.take() {
            return Err(self.end_block(unfit));
        }
        let mut rows = std::mem::take(&mut self.rows);
        let (mut record, mut end) = (self.record, 0);
        let last = (record + BATCH).min(self.stamps.len());
        while record < last && end < BATCH_BYTES {
            let (brief, code) = self.walks[usize::from(self.kinds[record])];
            let built = if brief.plain && self.fits {
                self.plain(trace.walks.layout(brief.layout), brief.row_bytes as usize, &mut rows, end)
            } else {
                self.build(trace.walks.walk(brief.index.into()), &mut rows, end)
            };
            match built {
                Ok(built) => end = built,
                Err(unfit) => {
                    self.failed = Some(unfit);
                    break;
                }
            }
            self.batch.push((code, self.stamps[record], end));
            record += 1;
        }
        self.rows = rows;
        self.built_bytes += end as u64;
        // Rows before the failing one are returned first.
        match self.failed.take_if(|_| self.batch.is_empty()) {
            Some(unfit) => Err(self.end_block(unfit)),
            None => Ok(()),
        }
    }

    fn end_block(&mut self, RowMismatch(expected): RowMismatch) -> Damage {
        let (record, left) = (self.record, self.stamps.len() - self.record);
        self.skip();
        Damage {
            offset: self.offset,
            what: "record",
            expected: expected.to_owned(),
            found: format!("something else in record {record} of the block"),
            events_lost: Some(left as u64),
        }
    }

    /// Builds the row of an event without texts and lists at `end`; returns the row's end. Requires that every value
    /// [fits](Self::fits).
    #[inline]
    fn plain(
        &mut self,
        scalars: &[Scalar],
        row_bytes: usize,
        rows: &mut Vec<u8>,
        end: usize,
    ) -> Result<usize, RowMismatch> {
        // Each value is written as a whole word; the bytes beyond its width are overwritten by the next value.
        let row = room(rows, end, row_bytes + size_of::<u64>());
        for scalar in scalars {
            let value = self.slots[usize::from(scalar.slot)].take_word().ok_or(TOO_FEW_VALUES)?;
            let at = scalar.at as usize;
            row[at..at + size_of::<u64>()].copy_from_slice(&value.to_le_bytes());
        }
        Ok(end + row_bytes)
    }

    /// Builds the row of an event with texts or lists at `end`; returns the row's end.
    fn build(&mut self, walk: &Walk, rows: &mut Vec<u8>, end: usize) -> Result<usize, RowMismatch> {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let built = walk.steps.iter().try_for_each(|step| self.step(step, &mut row));
        room(rows, end, row.len()).copy_from_slice(&row);
        self.row = row;
        built.map(|()| end + self.row.len())
    }

    fn step(&mut self, step: &Step, row: &mut Vec<u8>) -> Result<(), RowMismatch> {
        match step {
            Step::Scalar(scalar) => self.scalar(*scalar, row),
            Step::Bytes => {
                let count = self.count(row)?;
                let end = self.bytes_at.checked_add(count).ok_or(TOO_FEW_VALUES)?;
                row.extend_from_slice(self.bytes.get(self.bytes_at..end).ok_or(TOO_FEW_VALUES)?);
                self.bytes_at = end;
                Ok(())
            }
            Step::List { elements: Elements { columns, .. }, optional } => {
                let count = self.count(row)?;
                if *optional && count > 1 {
                    return Err(RowMismatch("an optional of 0 or 1 elements"));
                }
                // Terminates at the latest at the end of the slots: every element has a column.
                (0..count).try_for_each(|_| columns.iter().try_for_each(|scalar| self.scalar(*scalar, row)))
            }
        }
    }

    fn scalar(&mut self, scalar: Scalar, row: &mut Vec<u8>) -> Result<(), RowMismatch> {
        let value = self.slots[usize::from(scalar.slot)].take().ok_or(TOO_FEW_VALUES)?;
        if value & !scalar.mask() != 0 {
            return Err(VALUE_TOO_WIDE);
        }
        row.extend_from_slice(&value.to_le_bytes()[..usize::from(scalar.width_bytes).min(8)]);
        Ok(())
    }

    fn count(&mut self, row: &mut Vec<u8>) -> Result<usize, RowMismatch> {
        let count = self.counts.take().ok_or(TOO_FEW_VALUES)? as u32;
        row.extend_from_slice(&count.to_le_bytes());
        Ok(count as usize)
    }

    /// True if every value of the block has been consumed and the rows are as large as the head states; required at the
    /// end of a block.
    pub fn is_consumed(&self, row_bytes: u32) -> bool {
        let all_used = self.counts.is_consumed()
            && self.bytes_at == self.bytes.len()
            && self.slots.iter().all(SlotValues::is_consumed);
        self.peek().is_none() && all_used && self.built_bytes == u64::from(row_bytes)
    }
}

/// The `bytes` bytes of `rows` at `at`; grows `rows` if necessary.
#[inline]
fn room(rows: &mut Vec<u8>, at: usize, bytes: usize) -> &mut [u8] {
    if rows.len() < at + bytes {
        // Growth is doubled for small requests only; large rows are rare and would double the memory.
        rows.resize(if bytes > BATCH_BYTES { at + bytes } else { 2 * (at + bytes) }, 0);
    }
    &mut rows[at..at + bytes]
}

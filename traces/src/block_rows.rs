//! A decoded block, turned back into rows.

use crate::Trace;
use crate::block::Block;
use crate::block_head::BlockHead;
use crate::block_info::BlockInfo;
use crate::column_decoder::ColumnDecoder;
use crate::error::Damage;
use crate::slot_values::{COUNT, COUNT_BYTES, SlotValues};
use crate::walk::{Brief, Elements, Scalar, Step, Walk, Widths};
use taut_schemas::{EventCode, Slot};

/// Rows that are put together at a time: enough to be quick, few enough to stay in the first-level cache.
const BATCH: usize = 128;

/// And as soon as they have so many bytes, however few they are.
const BATCH_BYTES: usize = 1 << 16;

/// More memory than this is not kept for the next block.
const HEAVY_BYTES: usize = 16 << 20;

/// A decoded block. Its memory is used again for the next.
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
    /// No slot holds a value wider than any scalar of the block's plain rows on it.
    fits: bool,
    /// The next record to be given out.
    record: usize,
    /// Rows put together: code and stamp, and where each ends in `rows`.
    batch: Vec<(EventCode, u64, usize)>,
    /// Of these, those given out, and where the last of them ended.
    given: usize,
    given_end: usize,
    rows: Vec<u8>,
    /// A row with texts or lists, while it is put together.
    row: Vec<u8>,
    /// Size of the rows of all batches so far.
    built_bytes: u64,
    /// Why the row behind these could not be put together.
    failed: Option<Unfit>,
}

/// Why a row could not be put together: what was expected.
#[derive(Debug)]
struct Unfit(&'static str);

const ENOUGH: Unfit = Unfit("as many values as the record has");
const NARROW: Unfit = Unfit("a value of its field's width");

impl BlockRows {
    /// Decodes a block. On an error there are no rows.
    pub fn load(&mut self, trace: &Trace, info: &BlockInfo, decoder: &mut ColumnDecoder) -> Result<BlockHead, Damage> {
        self.skip();
        trace.count_read(info);
        let block = Block::read(trace.source(), info)?;
        let loaded = self.decode(trace, &block, decoder);
        if loaded.is_err() {
            self.skip();
        }
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
        // Where all fields of a slot are as wide, its values have been found to fit.
        let used = |(widths, slot): (&Widths, &SlotValues)| if widths.are_one() { 0 } else { slot.used_bits() };
        let used: Vec<u64> = block.widths.iter().zip(&self.slots).map(used).collect();
        let mut scalars = self.walks.iter().flat_map(|(brief, _)| trace.walks.layout(brief.layout));
        self.fits = scalars.all(|scalar| used[usize::from(scalar.slot)] & !scalar.mask() == 0);
        Ok(())
    }

    /// Whether this has more memory than most blocks need.
    pub fn is_heavy(&self) -> bool {
        let values: usize = self.slots.iter().map(SlotValues::capacity).sum();
        values + self.bytes.capacity() + self.rows.capacity() + self.row.capacity() > HEAVY_BYTES
    }

    /// Leaves out what is left of the block.
    pub fn skip(&mut self) {
        self.kinds.clear();
        self.stamps.clear();
        self.batch.clear();
        (self.record, self.given, self.built_bytes, self.failed) = (0, 0, 0, None);
    }

    /// Stamp of the next record; `None` at the block's end.
    #[inline]
    pub fn peek(&self) -> Option<u64> {
        self.stamps.get(self.record).copied()
    }

    /// Makes sure that [`next`](Self::next) has a row; there must be a record.
    ///
    /// # Errors
    /// The columns do not make a row. The rest of the block is left out, and lost.
    #[inline]
    pub fn ready(&mut self, trace: &Trace) -> Result<(), Damage> {
        if self.given == self.batch.len() { self.fill(trace) } else { Ok(()) }
    }

    /// The next record, which must be [`ready`](Self::ready): code, stamp, row.
    #[inline]
    pub fn next(&mut self) -> (EventCode, u64, &[u8]) {
        let (code, stamp, end) = self.batch[self.given];
        let start = std::mem::replace(&mut self.given_end, end);
        self.given += 1;
        self.record += 1;
        (code, stamp, &self.rows[start..end])
    }

    /// Puts the next rows together: at least one.
    fn fill(&mut self, trace: &Trace) -> Result<(), Damage> {
        self.batch.clear();
        (self.given, self.given_end) = (0, 0);
        if let Some(unfit) = self.failed.take() {
            return Err(self.give_up(unfit));
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
        // The rows before the one that failed are given out first.
        match self.failed.take_if(|_| self.batch.is_empty()) {
            Some(unfit) => Err(self.give_up(unfit)),
            None => Ok(()),
        }
    }

    fn give_up(&mut self, Unfit(expected): Unfit) -> Damage {
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

    /// Puts the row of an event without texts and lists together at `end`; gives its end. Every value
    /// [fits](Self::fits).
    #[inline]
    fn plain(&mut self, scalars: &[Scalar], row_bytes: usize, rows: &mut Vec<u8>, end: usize) -> Result<usize, Unfit> {
        // Each value is written as a whole word, and what is beyond its width is overwritten by the next.
        let row = room(rows, end, row_bytes + size_of::<u64>());
        for scalar in scalars {
            let value = self.slots[usize::from(scalar.slot)].take_word().ok_or(ENOUGH)?;
            let at = scalar.at as usize;
            row[at..at + size_of::<u64>()].copy_from_slice(&value.to_le_bytes());
        }
        Ok(end + row_bytes)
    }

    /// Puts the row of an event with texts or lists together at `end`; gives its end.
    fn build(&mut self, walk: &Walk, rows: &mut Vec<u8>, end: usize) -> Result<usize, Unfit> {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let built = walk.steps.iter().try_for_each(|step| self.step(step, &mut row));
        room(rows, end, row.len()).copy_from_slice(&row);
        self.row = row;
        built.map(|()| end + self.row.len())
    }

    fn step(&mut self, step: &Step, row: &mut Vec<u8>) -> Result<(), Unfit> {
        match step {
            Step::Scalar(scalar) => self.scalar(*scalar, row),
            Step::Bytes => {
                let count = self.count(row)?;
                let end = self.bytes_at.checked_add(count).ok_or(ENOUGH)?;
                row.extend_from_slice(self.bytes.get(self.bytes_at..end).ok_or(ENOUGH)?);
                self.bytes_at = end;
                Ok(())
            }
            Step::List { elements: Elements { columns, .. }, optional } => {
                let count = self.count(row)?;
                if *optional && count > 1 {
                    return Err(Unfit("an optional of 0 or 1 elements"));
                }
                // Ends at the latest when the slots do: every element has a column.
                (0..count).try_for_each(|_| columns.iter().try_for_each(|scalar| self.scalar(*scalar, row)))
            }
        }
    }

    fn scalar(&mut self, scalar: Scalar, row: &mut Vec<u8>) -> Result<(), Unfit> {
        let value = self.slots[usize::from(scalar.slot)].take().ok_or(ENOUGH)?;
        if value & !scalar.mask() != 0 {
            return Err(NARROW);
        }
        row.extend_from_slice(&value.to_le_bytes()[..usize::from(scalar.width_bytes).min(8)]);
        Ok(())
    }

    fn count(&mut self, row: &mut Vec<u8>) -> Result<usize, Unfit> {
        let count = self.counts.take().ok_or(ENOUGH)? as u32;
        row.extend_from_slice(&count.to_le_bytes());
        Ok(count as usize)
    }

    /// Whether every value of the block has been used and its rows are as large as its head says, as at its end it
    /// must be.
    pub fn used_up(&self, row_bytes: u32) -> bool {
        let all_used = self.counts.is_used_up()
            && self.bytes_at == self.bytes.len()
            && self.slots.iter().all(SlotValues::is_used_up);
        self.peek().is_none() && all_used && self.built_bytes == u64::from(row_bytes)
    }
}

/// The `bytes` of `rows` from `at` on.
#[inline]
fn room(rows: &mut Vec<u8>, at: usize, bytes: usize) -> &mut [u8] {
    if rows.len() < at + bytes {
        // Large ones are few.
        rows.resize(if bytes > BATCH_BYTES { at + bytes } else { 2 * (at + bytes) }, 0);
    }
    &mut rows[at..at + bytes]
}

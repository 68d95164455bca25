//! One thread's records, block by block, each put together again as the row it was.

use crate::block::Block;
use crate::block_head::BlockHead;
use crate::column::ColumnDecoder;
use crate::error::Damage;
use crate::footer::BlockInfo;
use crate::walk::{Scalar, Step, Walk};
use crate::Trace;
use taut_schemas::{EventCode, Slot};

/// The values of one slot and how many of them have been used.
#[derive(Debug, Default)]
struct SlotValues {
    values: Vec<u64>,
    at: usize,
}

/// A block being walked through. Its memory is used again for the next.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    /// Blocks of the thread that are still to come, last first.
    ahead: Vec<BlockInfo>,
    offset: u64,
    /// Walk and code of each kind.
    walks: Vec<(usize, EventCode)>,
    kinds: Vec<u8>,
    stamps: Vec<u64>,
    counts: SlotValues,
    bytes: Vec<u8>,
    bytes_at: usize,
    slots: Vec<SlotValues>,
    record: usize,
    row: Vec<u8>,
    row_bytes: usize,
    next_number: u64,
}

/// Why a row could not be put together.
struct Unfit(&'static str);

impl Cursor {
    pub fn new(mut blocks: Vec<BlockInfo>, slots: usize) -> Cursor {
        blocks.reverse();
        let slots = (0..slots).map(|_| SlotValues::default()).collect();
        Cursor { ahead: blocks, slots, ..Cursor::default() }
    }

    /// Stamp of the next record, reading blocks until one has a record; `None` at the thread's end.
    #[inline]
    pub fn peek(&mut self, trace: &Trace, decoder: &mut ColumnDecoder, damage: &mut Vec<Damage>) -> Option<u64> {
        match self.stamps.get(self.record) {
            Some(stamp) => Some(*stamp),
            None => self.next_block(trace, decoder, damage),
        }
    }

    #[cold]
    fn next_block(&mut self, trace: &Trace, decoder: &mut ColumnDecoder, damage: &mut Vec<Damage>) -> Option<u64> {
        while let Some(info) = self.ahead.pop() {
            if let Err(found) = self.load_next(trace, &info, decoder) {
                self.stamps.clear();
                self.record = 0;
                damage.push(found);
            }
            if let Some(stamp) = self.stamps.first() {
                return Some(*stamp);
            }
        }
        None
    }

    /// Decodes the thread's next block, which must not be one that has been before.
    fn load_next(&mut self, trace: &Trace, info: &BlockInfo, decoder: &mut ColumnDecoder) -> Result<(), Damage> {
        let head = self.load(trace, info, decoder)?;
        if head.number < self.next_number {
            let (expected, found) = (format!("at least {}", self.next_number), head.number.to_string());
            let events_lost = Some(head.records.into());
            return Err(Damage { offset: info.offset, what: "block number", expected, found, events_lost });
        }
        self.next_number = head.number.saturating_add(1);
        Ok(())
    }

    /// Decodes a block.
    pub fn load(&mut self, trace: &Trace, info: &BlockInfo, decoder: &mut ColumnDecoder) -> Result<BlockHead, Damage> {
        let block = Block::read(&trace.file, info, trace.key, &trace.walks)?;
        self.offset = block.offset;
        self.walks.clear();
        self.walks.extend(block.walks.iter().map(|index| (*index, trace.walks.walk(*index).code)));
        block.kinds(decoder, &mut self.kinds)?;
        block.stamps(decoder, &mut self.stamps)?;
        block.numbers(Slot::COUNTS.0, decoder, &mut self.counts.values)?;
        block.bytes(Slot::BYTES.0, decoder, &mut self.bytes)?;
        for (number, slot) in trace.walks.slots.iter().zip(&mut self.slots) {
            block.numbers(*number, decoder, &mut slot.values)?;
            slot.at = 0;
        }
        (self.counts.at, self.bytes_at, self.record) = (0, 0, 0);
        Ok(block.head)
    }

    /// Puts the next record's row together; there must be one. [`row`](Self::row) gives it.
    ///
    /// # Errors
    /// The columns do not make a row. The rest of the block is skipped, and lost.
    #[inline]
    pub fn advance(&mut self, trace: &Trace) -> Result<(), Damage> {
        let (index, _) = self.walks[usize::from(self.kinds[self.record])];
        let built = match trace.walks.plain(index) {
            Some((scalars, row_bytes)) => self.plain(scalars, row_bytes),
            None => self.build(trace.walks.walk(index)),
        };
        match built {
            Ok(row_bytes) => {
                self.row_bytes = row_bytes;
                self.record += 1;
                Ok(())
            }
            Err(unfit) => Err(self.give_up(unfit)),
        }
    }

    #[cold]
    fn give_up(&mut self, Unfit(expected): Unfit) -> Damage {
        let record = std::mem::replace(&mut self.record, self.stamps.len());
        Damage {
            offset: self.offset,
            what: "record",
            expected: expected.to_owned(),
            found: format!("something else in record {record} of the block"),
            events_lost: Some((self.stamps.len() - record) as u64),
        }
    }

    /// The record put together last: code, stamp and row.
    #[inline]
    pub fn row(&self) -> (EventCode, u64, &[u8]) {
        let record = self.record - 1;
        let (_, code) = self.walks[usize::from(self.kinds[record])];
        (code, self.stamps[record], &self.row[..self.row_bytes])
    }

    /// A row of plain scalars. Each is written as a word; the next one overwrites what is too much.
    #[inline]
    fn plain(&mut self, scalars: &[Scalar], row_bytes: usize) -> Result<usize, Unfit> {
        if self.row.len() < row_bytes + 8 {
            self.row.resize(row_bytes + 8, 0);
        }
        let mut too_wide = 0;
        for scalar in scalars {
            let slot = &mut self.slots[usize::from(scalar.slot)];
            let value = slot.values.get(slot.at).copied().ok_or(Unfit(ENOUGH))?;
            slot.at += 1;
            too_wide |= value & !scalar.mask();
            let at = scalar.at as usize;
            self.row[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        if too_wide == 0 { Ok(row_bytes) } else { Err(Unfit(NARROW)) }
    }

    fn build(&mut self, walk: &Walk) -> Result<usize, Unfit> {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let built = walk.steps.iter().try_for_each(|step| self.step(step, &mut row));
        self.row = row;
        built.map(|()| self.row.len())
    }

    fn step(&mut self, step: &Step, row: &mut Vec<u8>) -> Result<(), Unfit> {
        match step {
            Step::Scalar(scalar) => self.scalar(*scalar, row),
            Step::Bytes => {
                let count = self.count(row)?;
                let end = self.bytes_at.checked_add(count).ok_or(Unfit(ENOUGH))?;
                row.extend_from_slice(self.bytes.get(self.bytes_at..end).ok_or(Unfit(ENOUGH))?);
                self.bytes_at = end;
                Ok(())
            }
            Step::List { columns, optional, .. } => {
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
        let slot = &mut self.slots[usize::from(scalar.slot)];
        let value = slot.values.get(slot.at).copied().ok_or(Unfit(ENOUGH))?;
        slot.at += 1;
        if value & !scalar.mask() != 0 {
            return Err(Unfit(NARROW));
        }
        row.extend_from_slice(&value.to_le_bytes()[..usize::from(scalar.width_bytes).min(8)]);
        Ok(())
    }

    fn count(&mut self, row: &mut Vec<u8>) -> Result<usize, Unfit> {
        let count = self.counts.values.get(self.counts.at).copied().ok_or(Unfit(ENOUGH))?;
        self.counts.at += 1;
        let count = u32::try_from(count).map_err(|_| Unfit("a count of 32 bits"))?;
        row.extend_from_slice(&count.to_le_bytes());
        Ok(count as usize)
    }

    /// Whether every value of the block has been used, as at its end they must be.
    pub fn used_up(&self) -> bool {
        let used = |slot: &SlotValues| slot.at == slot.values.len();
        self.record == self.stamps.len() && used(&self.counts) && self.bytes_at == self.bytes.len() && self.slots.iter().all(used)
    }

    /// Whether records of the block are left.
    pub fn has_record(&self) -> bool {
        self.record < self.stamps.len()
    }
}

const ENOUGH: &str = "as many values as the record has";
const NARROW: &str = "a value of its field's width";

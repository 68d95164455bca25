//! A decoded block, turned back into rows.

use crate::Trace;
use crate::block::Block;
use crate::block_head::BlockHead;
use crate::column::ColumnDecoder;
use crate::error::Damage;
use crate::footer::BlockInfo;
use crate::walk::{Brief, Scalar, Step, Walk};
use taut_schemas::{EventCode, Slot};

/// Rows that are put together at a time: enough to be quick, few enough to stay in the first-level cache.
const BATCH: usize = 128;

/// The values of one slot and how many of them have been used.
#[derive(Debug, Default)]
struct SlotValues {
    values: Vec<u64>,
    at: usize,
}

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
    /// Rows put together: those of the records from `batch_start` on, where each ends in `rows`.
    batch_start: usize,
    ends: Vec<usize>,
    rows: Vec<u8>,
    /// Why the row behind these could not be put together.
    failed: Option<Unfit>,
}

/// Why a row could not be put together: what was expected.
#[derive(Debug)]
struct Unfit(&'static str);

const ENOUGH: Unfit = Unfit("as many values as the record has");
const NARROW: Unfit = Unfit("a value of its field's width");

impl BlockRows {
    pub fn new(slots: usize) -> BlockRows {
        BlockRows { slots: (0..slots).map(|_| SlotValues::default()).collect(), ..BlockRows::default() }
    }

    /// Decodes a block. On an error there are no rows.
    pub fn load(&mut self, trace: &Trace, info: &BlockInfo, decoder: &mut ColumnDecoder) -> Result<BlockHead, Damage> {
        self.skip();
        let block = Block::read(&trace.file, info, trace.key, &trace.walks)?;
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
        block.numbers(Slot::COUNTS.0, decoder, &mut self.counts.values)?;
        block.bytes(Slot::BYTES.0, decoder, &mut self.bytes)?;
        for (number, slot) in trace.walks.slots.iter().zip(&mut self.slots) {
            block.numbers(*number, decoder, &mut slot.values)?;
            slot.at = 0;
        }
        (self.counts.at, self.bytes_at) = (0, 0);
        let used: Vec<u64> =
            self.slots.iter().map(|slot| slot.values.iter().fold(0, |bits, value| bits | value)).collect();
        let mut scalars = self.walks.iter().flat_map(|(brief, _)| trace.walks.layout(*brief));
        self.fits = scalars.all(|scalar| used[usize::from(scalar.slot)] & !scalar.mask() == 0);
        Ok(())
    }

    /// Leaves out what is left of the block.
    pub fn skip(&mut self) {
        self.kinds.clear();
        self.stamps.clear();
        self.ends.clear();
        (self.record, self.batch_start, self.failed) = (0, 0, None);
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
        if self.record - self.batch_start == self.ends.len() { self.fill(trace) } else { Ok(()) }
    }

    /// The next record, which must be [`ready`](Self::ready): code, stamp, row.
    #[inline]
    pub fn next(&mut self) -> (EventCode, u64, &[u8]) {
        let (record, place) = (self.record, self.record - self.batch_start);
        self.record += 1;
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        let (_, code) = self.walks[usize::from(self.kinds[record])];
        (code, self.stamps[record], &self.rows[start..self.ends[place]])
    }

    /// Puts the next rows together: at least one.
    fn fill(&mut self, trace: &Trace) -> Result<(), Damage> {
        self.batch_start = self.record;
        self.ends.clear();
        if let Some(unfit) = self.failed.take() {
            return Err(self.give_up(unfit));
        }
        let mut rows = std::mem::take(&mut self.rows);
        let mut end = 0;
        for record in self.record..(self.record + BATCH).min(self.stamps.len()) {
            let (brief, _) = self.walks[usize::from(self.kinds[record])];
            let built = if brief.plain && self.fits {
                let scalars = trace.walks.layout(brief);
                plain(&mut self.slots, scalars, brief.row_bytes as usize, &mut rows, end).ok_or(ENOUGH)
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
            self.ends.push(end);
        }
        self.rows = rows;
        // The rows before the one that failed are given out first.
        match self.failed.take_if(|_| self.ends.is_empty()) {
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

    /// Puts the row of an event with texts or lists together at `end`; gives its end.
    fn build(&mut self, walk: &Walk, rows: &mut Vec<u8>, end: usize) -> Result<usize, Unfit> {
        rows.truncate(end);
        rows.resize(end, 0);
        walk.steps.iter().try_for_each(|step| self.step(step, rows))?;
        Ok(rows.len())
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
        let value = self.slots[usize::from(scalar.slot)].take()?;
        if value & !scalar.mask() != 0 {
            return Err(NARROW);
        }
        row.extend_from_slice(&value.to_le_bytes()[..usize::from(scalar.width_bytes).min(8)]);
        Ok(())
    }

    fn count(&mut self, row: &mut Vec<u8>) -> Result<usize, Unfit> {
        let count = u32::try_from(self.counts.take()?).map_err(|_| Unfit("a count of 32 bits"))?;
        row.extend_from_slice(&count.to_le_bytes());
        Ok(count as usize)
    }

    /// Whether every value of the block has been used, as at its end they must be.
    pub fn used_up(&self) -> bool {
        let used = |slot: &SlotValues| slot.at == slot.values.len();
        self.peek().is_none() && used(&self.counts) && self.bytes_at == self.bytes.len() && self.slots.iter().all(used)
    }
}

impl SlotValues {
    #[inline]
    fn take(&mut self) -> Result<u64, Unfit> {
        let value = self.values.get(self.at).copied().ok_or(ENOUGH)?;
        self.at += 1;
        Ok(value)
    }
}

/// Puts a row of plain scalars together at `end`; gives its end, or nothing if the slots end before. Each scalar is
/// written as a word; the next one overwrites what is too much.
#[inline]
fn plain(
    slots: &mut [SlotValues],
    scalars: &[Scalar],
    row_bytes: usize,
    rows: &mut Vec<u8>,
    end: usize,
) -> Option<usize> {
    if rows.len() < end + row_bytes + 8 {
        rows.resize(2 * (end + row_bytes + 8), 0);
    }
    let row = &mut rows[end..];
    for scalar in scalars {
        let slot = slots.get_mut(usize::from(scalar.slot))?;
        let value = *slot.values.get(slot.at)?;
        slot.at += 1;
        let at = scalar.at as usize;
        row.get_mut(at..at + 8)?.copy_from_slice(&value.to_le_bytes());
    }
    Some(end + row_bytes)
}

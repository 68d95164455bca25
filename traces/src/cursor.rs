//! One thread's records, block by block.

use crate::Trace;
use crate::block_info::BlockInfo;
use crate::block_rows::BlockRows;
use crate::column::ColumnDecoder;
use crate::error::Damage;

/// One thread's records, block by block.
#[derive(Debug)]
pub(crate) struct Cursor {
    /// Blocks still to come, last first.
    ahead: Vec<BlockInfo>,
    /// The block at hand.
    pub rows: BlockRows,
    next_number: u64,
}

impl Cursor {
    pub fn new(mut blocks: Vec<BlockInfo>) -> Cursor {
        blocks.reverse();
        Cursor { ahead: blocks, rows: BlockRows::default(), next_number: 0 }
    }

    /// Stamp of the next record, reading blocks until one has a record; `None` at the thread's end.
    #[inline]
    pub fn peek(&mut self, trace: &Trace, decoder: &mut ColumnDecoder, damage: &mut Vec<Damage>) -> Option<u64> {
        self.rows.peek().or_else(|| self.next_block(trace, decoder, damage))
    }

    #[cold]
    fn next_block(&mut self, trace: &Trace, decoder: &mut ColumnDecoder, damage: &mut Vec<Damage>) -> Option<u64> {
        while let Some(info) = self.ahead.pop() {
            if let Err(found) = self.load(trace, &info, decoder) {
                self.rows.skip();
                damage.push(found);
            }
            if let Some(stamp) = self.rows.peek() {
                return Some(stamp);
            }
        }
        // There may be very many threads, most of them at their end.
        self.rows = BlockRows::default();
        None
    }

    /// Decodes the thread's next block, which must not be one that has been before.
    fn load(&mut self, trace: &Trace, info: &BlockInfo, decoder: &mut ColumnDecoder) -> Result<(), Damage> {
        let head = self.rows.load(trace, info, decoder)?;
        if head.number < self.next_number {
            let (expected, found) = (format!("at least {}", self.next_number), head.number.to_string());
            let events_lost = Some(head.records.into());
            return Err(Damage { offset: info.offset, what: "block number", expected, found, events_lost });
        }
        self.next_number = head.number.saturating_add(1);
        Ok(())
    }
}

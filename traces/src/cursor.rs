//! One thread's records, block by block.

use crate::Trace;
use crate::block_info::BlockInfo;
use crate::block_rows::BlockRows;
use crate::column_decoder::ColumnDecoder;
use crate::error::Damage;

/// Decoded blocks whose memory is kept for others.
const FREE: usize = 4;

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

    /// A stamp that is not above that of the next record: of a block that has not been read, its least; `None` at the thread's
    /// end.
    pub fn floor(&self) -> Option<u64> {
        self.rows.peek().or_else(|| self.ahead.last().map(|block| block.least_stamp))
    }

    /// Reads the next block, whose turn has come, with the memory of others. If it is damaged, there are no records.
    #[cold]
    pub fn read(
        &mut self,
        trace: &Trace,
        decoder: &mut ColumnDecoder,
        free: &mut Vec<BlockRows>,
    ) -> Result<(), Damage> {
        let Some(info) = self.ahead.pop() else { return Ok(()) };
        self.rows = free.pop().unwrap_or_default();
        let loaded = self.load(trace, &info, decoder);
        if loaded.is_err() {
            self.rows.skip();
        }
        loaded
    }

    /// Gives the memory of a block that is at its end to others.
    pub fn give_back(&mut self, free: &mut Vec<BlockRows>) {
        if self.rows.peek().is_none() {
            let rows = std::mem::take(&mut self.rows);
            if free.len() < FREE && !rows.is_heavy() {
                free.push(rows);
            }
        }
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

//! Cursor over one thread's records, block by block.

use crate::Trace;
use crate::format::block_info::BlockInfo;
use crate::format::column_decoder::ColumnDecoder;
use crate::format::error::Damage;
use crate::read::block_rows::BlockRows;

/// Max number of idle decoded blocks whose buffers are kept for reuse.
const FREE: usize = 4;

/// Cursor over one thread's records, block by block.
#[derive(Debug)]
pub(crate) struct Cursor {
    /// Remaining blocks, last first.
    ahead: Vec<BlockInfo>,
    /// Current block.
    pub rows: BlockRows,
    /// Size of the current block's decoded columns that is included in the reader's total, in bytes.
    pub counted_bytes: usize,
    next_number: u64,
}

impl Cursor {
    pub fn new(mut blocks: Vec<BlockInfo>) -> Cursor {
        blocks.reverse();
        Cursor { ahead: blocks, rows: BlockRows::default(), counted_bytes: 0, next_number: 0 }
    }

    /// Lower bound of the next record's stamp: for a block that has not been read, its min stamp. `None` at the end of
    /// the thread.
    pub fn floor(&self) -> Option<u64> {
        self.rows.peek().or_else(|| self.ahead.last().map(|block| block.min_stamp))
    }

    /// Decodes the next block into idle buffers. A damaged block has no records.
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

    /// Moves the buffers of a consumed block to `free`, from which the next block of any thread takes them.
    pub fn recycle(&mut self, free: &mut Vec<BlockRows>) {
        if self.rows.peek().is_none() {
            let rows = std::mem::take(&mut self.rows);
            if free.len() < FREE && !rows.is_heavy() {
                free.push(rows);
            }
        }
    }

    /// Decodes the thread's next block, whose number must not be below those already read.
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

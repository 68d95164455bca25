//! Blocks that take much memory when they are decoded: a few bytes in a file may state very many values. One worker at a time
//! decodes such a block, and gives its memory back.

use crate::Trace;
use crate::block_head::BlockHead;
use crate::block_info::BlockInfo;
use crate::head;
use crate::parse::run;
use std::sync::{MutexGuard, PoisonError};

/// Values in a block that is decoded beside others. Rows of numbers of 4 and 8 bytes never have more.
const VALUES: u64 = 1 << 22;

impl Trace {
    /// The right to decode a block that has very many values; `None` for one that needs no right.
    pub(crate) fn alone(&self, info: &BlockInfo) -> Option<MutexGuard<'_, ()>> {
        let values: u64 = self.head(info)?.columns.iter().map(|column| u64::from(column.values)).sum();
        // Nothing is in it that a panic could leave half done.
        (values > VALUES).then(|| self.heavy.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Size of a block's rows together, as its head has it; 0 for a damaged one, of which no row is read.
    pub fn row_bytes(&self, block: &BlockInfo) -> u64 {
        self.head(block).map_or(0, |head| head.row_bytes.into())
    }

    fn head(&self, info: &BlockInfo) -> Option<BlockHead> {
        let source = self.source();
        let bytes = source.bytes(info.offset, info.length_bytes)?;
        run(info.offset, "block head", bytes, |input| head::parse_records(input, source.key, source.version)).ok()
    }
}

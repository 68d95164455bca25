//! Decoding of blocks that need much memory: a few bytes in a file may state very many values. The calling thread
//! decodes such blocks one after another, because allocators keep freed memory per thread.

use crate::Trace;
use crate::format::block_head::{BlockHead, ColumnEntry, KINDS};
use crate::format::block_info::BlockInfo;
use crate::format::head;
use crate::format::parse::run;
use rayon::prelude::*;
use taut_schemas::Slot;

/// Number of values above which a block is not decoded in parallel with others. Rows of numbers of 4 and 8 bytes never
/// have more.
const VALUES: u64 = 1 << 22;

impl Trace {
    /// Calls `each` for every block and returns the results in block order. Most blocks are processed in parallel with
    /// one state per worker; blocks with very many values follow one after another, each with a state of its own.
    pub(crate) fn each_block<S, T: Send>(
        &self,
        blocks: &[BlockInfo],
        state: impl Fn() -> S + Sync + Send,
        each: impl Fn(&mut S, &BlockInfo) -> T + Sync + Send,
    ) -> Vec<T> {
        let of_light = |state: &mut S, info| (!self.is_heavy(info)).then(|| each(state, info));
        let results: Vec<Option<T>> = blocks.par_iter().map_init(&state, of_light).collect();
        let heavy = |info: &BlockInfo| each(&mut state(), info);
        blocks.iter().zip(results).map(|(info, results)| results.unwrap_or_else(|| heavy(info))).collect()
    }

    fn is_heavy(&self, info: &BlockInfo) -> bool {
        let Some(head) = self.head(info) else { return false };
        head.columns.iter().map(|column| u64::from(column.values)).sum::<u64>() > VALUES
    }

    /// Size of a block's values when extracted (8 bytes per number, 1 per byte), in bytes; 0 for a damaged block.
    pub fn decoded_bytes(&self, block: &BlockInfo) -> u64 {
        let Some(head) = self.head(block) else { return 0 };
        let size = |column: &ColumnEntry| {
            let width = if column.slot == Slot::BYTES.0 || column.slot == KINDS { 1 } else { size_of::<u64>() as u64 };
            u64::from(column.values) * width
        };
        head.columns.iter().map(size).sum()
    }

    fn head(&self, info: &BlockInfo) -> Option<BlockHead> {
        let source = self.source();
        let bytes = source.bytes(info.offset, info.length_bytes)?;
        run(info.offset, "block head", bytes, |input| head::parse_records(input, source.key, source.version)).ok()
    }
}

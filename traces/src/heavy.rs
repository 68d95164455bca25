//! Blocks that take much memory when they are decoded: a few bytes in a file may state very many values. The thread that asks
//! decodes such blocks one after another, since allocators leave what a thread had with it.

use crate::Trace;
use crate::block_head::BlockHead;
use crate::block_info::BlockInfo;
use crate::head;
use crate::parse::run;
use rayon::prelude::*;

/// Values in a block that is decoded beside others. Rows of numbers of 4 and 8 bytes never have more.
const VALUES: u64 = 1 << 22;

impl Trace {
    /// What `each` gives of blocks, in their order: with a state for each worker, beside each other, but of blocks that have very
    /// many values, with a state for each.
    pub(crate) fn each_block<S, T: Send>(
        &self,
        blocks: &[BlockInfo],
        state: impl Fn() -> S + Sync + Send,
        each: impl Fn(&mut S, &BlockInfo) -> T + Sync + Send,
    ) -> Vec<T> {
        let of_light = |state: &mut S, info| (!self.is_heavy(info)).then(|| each(state, info));
        let made: Vec<Option<T>> = blocks.par_iter().map_init(&state, of_light).collect();
        let heavy = |info: &BlockInfo| each(&mut state(), info);
        blocks.iter().zip(made).map(|(info, made)| made.unwrap_or_else(|| heavy(info))).collect()
    }

    fn is_heavy(&self, info: &BlockInfo) -> bool {
        let Some(head) = self.head(info) else { return false };
        head.columns.iter().map(|column| u64::from(column.values)).sum::<u64>() > VALUES
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

//! Selection of the blocks that may hold the requested events.

use super::{Around, DumpOptions, is_called};
use std::collections::BTreeMap;
use taut_schemas::EventCode;
use taut_traces::{BlockInfo, Rows, Trace};

/// Rows of blocks, and the calls that each thread is within at its first block.
pub struct SelectedRows<'t> {
    pub rows: Rows<'t>,
    /// Thread, and its open calls.
    pub open_calls: Vec<(u32, Vec<EventCode>)>,
}

/// Rows of the blocks that may hold requested events, in order; other blocks are not read.
pub(super) fn select<'t>(options: &DumpOptions, trace: &'t Trace) -> SelectedRows<'t> {
    let from = match options.around() {
        Some(around) => before(options, trace, around),
        None => options.from.unwrap_or(0),
    };
    let wanted = |block: &BlockInfo| {
        block.max_stamp >= from
            && options.to.is_none_or(|to| block.min_stamp <= to)
            && options.thread.is_none_or(|thread| block.thread == thread)
    };
    let mut first = BTreeMap::new();
    for block in trace.blocks().iter().filter(|block| wanted(block)) {
        first.entry(block.thread).or_insert(block);
    }
    // Damage is reported when the rows of the block are read.
    let open_calls = first.into_iter().filter_map(|(thread, block)| Some((thread, trace.open_calls(block).ok()?.1)));
    SelectedRows { open_calls: open_calls.collect(), rows: trace.rows_of(wanted) }
}

/// Stamp such that at least `half` requested events lie between it and `stamp`, or all that there are.
fn before(options: &DumpOptions, trace: &Trace, around: Around) -> u64 {
    let Around { stamp, half } = around;
    let schema = &trace.header().schema;
    let counts = |block: &BlockInfo| -> u64 {
        let called = |code| match &options.event {
            Some(name) => schema.event(code).is_some_and(|event| is_called(event, name)),
            None => true,
        };
        let is_of_thread = options.thread.is_none_or(|thread| block.thread == thread);
        let kinds = block.kinds.iter().filter(|(code, _)| is_of_thread && called(*code));
        kinds.map(|(_, records)| u64::from(*records)).sum()
    };
    // Latest blocks first. A block that extends beyond `stamp` counts as 0, because the number of its events before
    // `stamp` is unknown until it is read.
    let mut blocks: Vec<&BlockInfo> = trace.blocks().iter().filter(|block| block.min_stamp < stamp).collect();
    blocks.sort_by_key(|block| std::cmp::Reverse(block.min_stamp));
    let (mut found, mut from) = (0, stamp);
    for block in blocks {
        if found >= half as u64 {
            break;
        }
        from = block.min_stamp;
        found += if block.max_stamp < stamp { counts(block) } else { 0 };
    }
    from
}

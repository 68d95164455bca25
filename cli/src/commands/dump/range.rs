//! Which blocks have the events that are asked for.

use super::line::Printer;
use crate::args::Dump;
use std::collections::BTreeMap;
use taut_traces::{BlockInfo, Rows, Trace};

/// The records of those blocks that may have wanted ones, in order; the others are not read. The printer is told in which calls
/// each thread is when they begin.
pub fn rows<'t>(dump: &Dump, around: Option<(u64, usize)>, trace: &'t Trace, out: &mut Printer) -> Rows<'t> {
    let from = match around {
        Some((stamp, half)) => before(dump, trace, stamp, half),
        None => dump.from.unwrap_or(0),
    };
    let wanted = |block: &BlockInfo| {
        block.greatest_stamp >= from
            && dump.to.is_none_or(|to| block.least_stamp <= to)
            && dump.thread.is_none_or(|thread| block.thread == thread)
    };
    let mut first = BTreeMap::new();
    for block in trace.blocks().iter().filter(|block| wanted(block)) {
        first.entry(block.thread).or_insert(block);
    }
    for (thread, block) in first {
        // Damage is told by who reads the block.
        if let Ok((_, open)) = trace.open_calls(block) {
            out.begin_within(thread, &open);
        }
    }
    trace.rows_of(wanted)
}

/// A stamp from which on there are at least `half` wanted events before `stamp`, or as many as there are.
fn before(dump: &Dump, trace: &Trace, stamp: u64, half: usize) -> u64 {
    let schema = &trace.header().schema;
    let counts = |block: &BlockInfo| -> u64 {
        let called = |code| match &dump.event {
            Some(name) => schema.event(code).is_some_and(|event| super::is_called(event, name)),
            None => true,
        };
        let is_of_thread = dump.thread.is_none_or(|thread| block.thread == thread);
        let kinds = block.kinds.iter().filter(|(code, _)| is_of_thread && called(*code));
        kinds.map(|(_, records)| u64::from(*records)).sum()
    };
    // Blocks that begin later come first; those that end before `stamp` count with all they have.
    let mut blocks: Vec<&BlockInfo> = trace.blocks().iter().filter(|block| block.least_stamp < stamp).collect();
    blocks.sort_by_key(|block| std::cmp::Reverse(block.least_stamp));
    let (mut found, mut from) = (0, stamp);
    for block in blocks {
        if found >= half as u64 {
            break;
        }
        from = block.least_stamp;
        found += if block.greatest_stamp < stamp { counts(block) } else { 0 };
    }
    from
}

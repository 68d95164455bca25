//! Continuity check of the blocks in each stream, from their heads alone; shared by all readers.

use crate::format::block_info::BlockInfo;
use crate::format::error::Damage;
use std::collections::BTreeMap;

/// State from which a stream's next block has to continue.
#[derive(Debug, Default, Clone, Copy)]
struct Expected {
    number: u64,
    records_before: u64,
    lost: u64,
}

/// Relation of a block to the previous one of its stream.
#[derive(Debug)]
pub(crate) enum Step {
    /// The block is the next one.
    Follows,
    /// Blocks before it are missing; the damage states their records.
    Gap(Damage),
    /// A block with this number or a later one has already occurred.
    Repeated(Damage),
}

/// Next expected block of each stream.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    streams: BTreeMap<u32, Expected>,
    /// True if the first block of a stream may have any number.
    anywhere: bool,
}

impl Sequence {
    /// Creates the check for a recording whose first blocks were discarded.
    pub fn anywhere() -> Sequence {
        Sequence { anywhere: true, ..Sequence::default() }
    }

    /// Advances by a block of records and completes its loss counts: version 0 states the losses since the previous
    /// block; later versions, since the stream began.
    pub fn records(&mut self, block: &mut BlockInfo, version: u16) -> Step {
        let first =
            Expected { number: block.number, records_before: block.records_before, lost: block.lost_since_begin };
        let first = if self.anywhere { first } else { Expected::default() };
        let expected = *self.streams.entry(block.thread).or_insert(first);
        let text = |number: u64, before: u64| format!("block {number} of its thread, {before} records before it");
        let damage = |events_lost| Damage {
            offset: block.offset,
            what: "block number",
            expected: text(expected.number, expected.records_before),
            found: text(block.number, block.records_before),
            events_lost: Some(events_lost),
        };
        if block.number < expected.number {
            return Step::Repeated(damage(0));
        }
        let follows = (block.number, block.records_before) == (expected.number, expected.records_before);
        let missing = block.records_before.saturating_sub(expected.records_before);
        let step = if follows { Step::Follows } else { Step::Gap(damage(missing)) };
        if version == 0 {
            block.lost_since_begin = expected.lost.saturating_add(block.lost_before);
        } else {
            block.lost_before = block.lost_since_begin.saturating_sub(expected.lost);
        }
        let next = Expected {
            number: block.number.saturating_add(1),
            records_before: block.records_before.saturating_add(block.records.into()),
            lost: block.lost_since_begin,
        };
        self.streams.insert(block.thread, next);
        step
    }

    /// Advances by a block of another kind at `offset` with this number in its stream.
    pub fn other(&mut self, offset: u64, stream: u32, number: u64) -> Step {
        let first = Expected { number: if self.anywhere { number } else { 0 }, ..Expected::default() };
        let expected = self.streams.entry(stream).or_insert(first);
        let damage = |expected: u64| Damage {
            offset,
            what: "block number",
            expected: format!("block {expected} of stream {stream}"),
            found: format!("block {number}"),
            events_lost: Some(0),
        };
        if number < expected.number {
            return Step::Repeated(damage(expected.number));
        }
        let before = std::mem::replace(&mut expected.number, number.saturating_add(1));
        if number == before { Step::Follows } else { Step::Gap(damage(before)) }
    }

    /// Number, and records before, of the next expected block of `thread`.
    pub fn next(&self, thread: u32) -> (u64, u64) {
        let expected = self.streams.get(&thread).copied().unwrap_or_default();
        (expected.number, expected.records_before)
    }
}

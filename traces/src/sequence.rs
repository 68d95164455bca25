//! Whether block follows block in each stream. One rule for every reader: the heads alone tell.

use crate::block_info::BlockInfo;
use crate::error::Damage;
use std::collections::BTreeMap;

/// What a stream's next block goes on from.
#[derive(Debug, Default, Clone, Copy)]
struct Expected {
    number: u64,
    records_before: u64,
    lost: u64,
}

/// How a block stands to those of its stream before it.
#[derive(Debug)]
pub(crate) enum Step {
    /// It is the next.
    Follows,
    /// Blocks before it are missing, with what is lost with them.
    Gap(Damage),
    /// A block of this number or a later one has been there before.
    Repeated(Damage),
}

/// How far each stream has come.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    streams: BTreeMap<u32, Expected>,
    /// The first block of a stream may be any.
    anywhere: bool,
}

impl Sequence {
    /// Of a recording whose first blocks are not there any more.
    pub fn anywhere() -> Sequence {
        Sequence { anywhere: true, ..Sequence::default() }
    }

    /// Takes the next block of records, and completes what it says of losses. Version 0 tells of those since the block
    /// before; later versions, since the stream began.
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

    /// Takes a block of another kind at `offset`, with its number in its stream.
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

    /// What a block of `thread` would be if it followed: its number, and the records before it.
    pub fn next(&self, thread: u32) -> (u64, u64) {
        let expected = self.streams.get(&thread).copied().unwrap_or_default();
        (expected.number, expected.records_before)
    }
}

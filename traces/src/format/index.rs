//! Index of a file's blocks, built before any block is read.

use crate::format::block_info::{BlockInfo, UnknownBlock};
use crate::format::entry::Entry;
use crate::format::error::Damage;
use crate::format::other_block::OtherBlock;
use crate::format::sequence::{Sequence, Step};
use taut_schemas::EventCode;

/// Index of a file's blocks.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Blocks of records, each the next of its thread or after a gap.
    pub blocks: Vec<BlockInfo>,
    /// Blocks of other kinds, each the next of its stream or after a gap.
    pub others: Vec<OtherBlock>,
    /// Blocks of kinds that this crate does not know.
    pub unknown: Vec<UnknownBlock>,
    /// Number of records of each code, indexed by code.
    pub counts: Vec<u64>,
    /// True if the recording ended before its workload did.
    pub interrupted: bool,
    /// True if the footer is intact and in its place.
    pub complete: bool,
    pub damage: Vec<Damage>,
}

/// A file and the values of its head.
#[derive(Clone, Copy)]
pub(crate) struct Framed<'a> {
    pub file: &'a [u8],
    /// Offset of the first block.
    pub start: u64,
    pub key: u32,
    pub version: u16,
}

impl Index {
    /// Codes that occur, with their numbers of records.
    pub fn codes(&self) -> impl Iterator<Item = (EventCode, u64)> {
        let counts = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        counts.map(|(code, count)| (EventCode(code as u16), *count))
    }

    /// Adds records to the counts of their codes.
    pub fn count(&mut self, kinds: impl IntoIterator<Item = (EventCode, u64)>) {
        for (code, records) in kinds {
            let code = usize::from(code.0);
            if self.counts.len() <= code {
                self.counts.resize(code + 1, 0);
            }
            self.counts[code] = self.counts[code].saturating_add(records);
        }
    }

    /// Replaces the counts.
    pub fn recount(&mut self, kinds: impl IntoIterator<Item = (EventCode, u64)>) {
        self.counts.clear();
        self.count(kinds);
    }

    /// Adds the blocks of index entries.
    pub fn add_entries(&mut self, entries: Vec<Entry>, sequence: &mut Sequence, version: u16) {
        for entry in entries {
            match entry {
                Entry::Records(block) => self.add(block, sequence, version),
                Entry::Other(block) => self.step_over(block, sequence),
            }
        }
    }

    /// Adds a block of records, unless it is a repetition.
    pub fn add(&mut self, mut block: BlockInfo, sequence: &mut Sequence, version: u16) {
        match sequence.records(&mut block, version) {
            Step::Follows => {}
            Step::Gap(damage) => self.damage.push(damage),
            Step::Repeated(damage) => return self.damage.push(damage),
        }
        self.count(block.kinds.iter().map(|(code, records)| (*code, u64::from(*records))));
        self.blocks.push(block);
    }

    /// Removes the damage that a missing footer causes: the entry of the footer itself and the damage after the last
    /// block. The side files of the recording contain the missing records.
    pub fn forget_end(&mut self, start: u64) {
        let known = self.blocks.iter().map(|block| block.offset + u64::from(block.length_bytes));
        let others = self.others.iter().map(|block| block.offset + u64::from(block.length_bytes));
        let end = known.chain(others).max().unwrap_or(start);
        let mut number = 0;
        self.damage.retain(|damage| {
            number += 1;
            number > 1 && damage.offset < end
        });
    }

    /// Adds recovered blocks, which follow the blocks of the file.
    pub fn add_recovered(&mut self, blocks: Vec<BlockInfo>) {
        let kinds = blocks.iter().flat_map(|block| block.kinds.iter());
        self.count(kinds.map(|(code, records)| (*code, u64::from(*records))));
        self.blocks.extend(blocks);
    }

    /// Adds a block without records, unless it is a repetition.
    pub fn step_over(&mut self, block: OtherBlock, sequence: &mut Sequence) {
        match sequence.other(block.offset, block.stream, block.number) {
            Step::Follows => {}
            Step::Gap(damage) => self.damage.push(damage),
            Step::Repeated(damage) => return self.damage.push(damage),
        }
        self.unknown.extend(Some(block).filter(|block| !block.is_known()).map(|block| block.unknown()));
        self.others.push(block);
    }
}

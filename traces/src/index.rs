//! What is known of a file's blocks before any is read.

use crate::block_info::{BlockInfo, UnknownBlock};
use crate::entry::Entry;
use crate::error::Damage;
use crate::other_block::OtherBlock;
use crate::sequence::{Sequence, Step};
use taut_schemas::EventCode;

/// What is known of a file's blocks before any is read.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Those of records, each the next of its thread or behind a gap.
    pub blocks: Vec<BlockInfo>,
    /// Those of other kinds, each the next of its stream or behind a gap.
    pub others: Vec<OtherBlock>,
    /// Of these, those of kinds that this crate does not know.
    pub unknown: Vec<UnknownBlock>,
    /// How often each code occurs in the blocks of records, by its number.
    pub counts: Vec<u64>,
    /// The recording was told to end before its workload did.
    pub interrupted: bool,
    /// The footer was there, whole and in its place.
    pub complete: bool,
    pub damage: Vec<Damage>,
}

/// A file and what its head says of it.
#[derive(Clone, Copy)]
pub(crate) struct Framed<'a> {
    pub file: &'a [u8],
    /// Where its first block begins.
    pub start: u64,
    pub key: u32,
    pub version: u16,
}

impl Index {
    /// How often each code occurs that does.
    pub fn codes(&self) -> impl Iterator<Item = (EventCode, u64)> {
        let counts = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        counts.map(|(code, count)| (EventCode(code as u16), *count))
    }

    /// Counts records by their codes; these are those of a file whose footer says so.
    pub fn count(&mut self, kinds: impl IntoIterator<Item = (EventCode, u64)>) {
        for (code, records) in kinds {
            let code = usize::from(code.0);
            if self.counts.len() <= code {
                self.counts.resize(code + 1, 0);
            }
            self.counts[code] = self.counts[code].saturating_add(records);
        }
    }

    /// Counts anew.
    pub fn recount(&mut self, kinds: impl IntoIterator<Item = (EventCode, u64)>) {
        self.counts.clear();
        self.count(kinds);
    }

    /// Adds the blocks that an index tells of.
    pub fn add_entries(&mut self, entries: Vec<Entry>, sequence: &mut Sequence, version: u16) {
        for entry in entries {
            match entry {
                Entry::Records(block) => self.add(block, sequence, version),
                Entry::Other(block) => self.step_over(block, sequence),
            }
        }
    }

    /// Adds a block of records, unless it has been there before.
    pub fn add(&mut self, mut block: BlockInfo, sequence: &mut Sequence, version: u16) {
        match sequence.records(&mut block, version) {
            Step::Follows => {}
            Step::Gap(damage) => self.damage.push(damage),
            Step::Repeated(damage) => return self.damage.push(damage),
        }
        self.count(block.kinds.iter().map(|(code, records)| (*code, u64::from(*records))));
        self.blocks.push(block);
    }

    /// Leaves out the damage that a file without its end has there; it is known by what stands beside the file. The first is
    /// the footer's.
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

    /// Counts blocks that come behind the file's.
    pub fn add_recovered(&mut self, blocks: Vec<BlockInfo>) {
        let kinds = blocks.iter().flat_map(|block| block.kinds.iter());
        self.count(kinds.map(|(code, records)| (*code, u64::from(*records))));
        self.blocks.extend(blocks);
    }

    /// Adds a block that holds no records, unless it has been there before.
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

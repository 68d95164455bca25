//! What is known of a file's blocks before any is read.

use crate::block_info::{BlockInfo, UnknownBlock};
use crate::error::Damage;
use crate::sequence::{Sequence, Step};
use std::collections::BTreeMap;
use taut_schemas::EventCode;

/// What is known of a file's blocks before any is read.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Those of records, each the next of its thread or behind a gap.
    pub blocks: Vec<BlockInfo>,
    /// Those that are stepped over.
    pub unknown: Vec<UnknownBlock>,
    /// How often each code occurs in the blocks of records.
    pub codes: BTreeMap<EventCode, u64>,
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
    /// Adds a block of records, unless it has been there before.
    pub fn add(&mut self, mut block: BlockInfo, sequence: &mut Sequence, version: u16) {
        match sequence.records(&mut block, version) {
            Step::Follows => {}
            Step::Gap(damage) => self.damage.push(damage),
            Step::Repeated(damage) => return self.damage.push(damage),
        }
        for (code, records) in block.kinds.iter() {
            *self.codes.entry(*code).or_default() += u64::from(*records);
        }
        self.blocks.push(block);
    }

    /// Leaves out the damage that a file without its end has there; it is known by what stands beside the file. The first is
    /// the footer's.
    pub fn forget_end(&mut self, start: u64) {
        let known = self.blocks.iter().map(|block| block.offset + u64::from(block.length_bytes));
        let unknown = self.unknown.iter().map(|block| block.offset + u64::from(block.length_bytes));
        let end = known.chain(unknown).max().unwrap_or(start);
        let mut number = 0;
        self.damage.retain(|damage| {
            number += 1;
            number > 1 && damage.offset < end
        });
    }

    /// Counts blocks that come behind the file's.
    pub fn add_recovered(&mut self, blocks: Vec<BlockInfo>) {
        for (code, records) in blocks.iter().flat_map(|block| block.kinds.iter()) {
            *self.codes.entry(*code).or_default() += u64::from(*records);
        }
        self.blocks.extend(blocks);
    }

    /// Adds a block that is stepped over, unless it has been there before.
    pub fn step_over(&mut self, block: UnknownBlock, stream: u32, number: u64, sequence: &mut Sequence) {
        match sequence.other(block.offset, stream, number) {
            Step::Follows => {}
            Step::Gap(damage) => self.damage.push(damage),
            Step::Repeated(damage) => return self.damage.push(damage),
        }
        self.unknown.push(block);
    }
}

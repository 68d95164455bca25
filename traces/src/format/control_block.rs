//! Numbers in the head of a block without records, repeated in its index entry; the block's kind defines their meaning.
//! Encoder and parser are in this file so that they stay in step.

use crate::format::parse::Parsed;
use nom::Parser;
use nom::number::complete::{le_u32, le_u64};

/// Size of the numbers, in bytes.
pub(crate) const CONTROL_BLOCK_BYTES: usize = 36;

/// Numbers in the head of a block without records; the block's kind defines their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ControlBlock {
    pub count: u32,
    pub words: [u64; 4],
}

impl ControlBlock {
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.count.to_le_bytes());
        self.words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
    }

    pub fn parse(input: &[u8]) -> Parsed<'_, ControlBlock> {
        let (rest, (count, a, b, c, d)) = (le_u32, le_u64, le_u64, le_u64, le_u64).parse(input)?;
        Ok((rest, ControlBlock { count, words: [a, b, c, d] }))
    }
}

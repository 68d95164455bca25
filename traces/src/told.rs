//! What a block that holds no records says of itself in its head, and a footer or an index of it: numbers, whose meaning is
//! its kind's. Writer and reader side by side.

use crate::parse::Parsed;
use nom::Parser;
use nom::number::complete::{le_u32, le_u64};

/// Size of these numbers, in bytes.
pub(crate) const TOLD_BYTES: usize = 36;

/// Numbers whose meaning is their block's kind's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Told {
    pub count: u32,
    pub words: [u64; 4],
}

impl Told {
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.count.to_le_bytes());
        self.words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
    }

    pub fn parse(input: &[u8]) -> Parsed<'_, Told> {
        let (rest, (count, a, b, c, d)) = (le_u32, le_u64, le_u64, le_u64, le_u64).parse(input)?;
        Ok((rest, Told { count, words: [a, b, c, d] }))
    }
}

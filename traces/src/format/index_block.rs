//! Index blocks: footer entries of the blocks since the previous index block, and a link to that one. Encoder and
//! parser are in this file so that they stay in step.

use crate::format::block_whole::payload;
use crate::format::control_block::ControlBlock;
use crate::format::entry::{Entry, parse_all};
use crate::format::envelope::{Envelope, INDEX};
use crate::format::other_block::{OtherBlock, parse_head};
use crate::format::parse::{Parsed, miss};

/// Decoded index block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexBlock {
    /// The block itself.
    pub block: OtherBlock,
    /// Offset of the previous index block, if there is one.
    pub before: Option<u64>,
    pub entries: Vec<Entry>,
}

/// Numbers and payload of an index block at `offset`.
pub(crate) fn contents(offset: u64, before: Option<u64>, entries: &[Entry]) -> (ControlBlock, Vec<u8>) {
    let mut payload = Vec::new();
    entries.iter().for_each(|entry| entry.write(&mut payload));
    (ControlBlock { count: entries.len() as u32, words: [offset, before.unwrap_or_default(), 0, 0] }, payload)
}

/// Parses the head of an index block at `offset`.
pub(crate) fn head(input: &[u8], key: u32, offset: u64) -> Parsed<'_, OtherBlock> {
    let (rest, envelope) = Envelope::parse(input, key)?;
    if envelope.kind != INDEX {
        return miss(&input[16..], format!("a block of kind {INDEX}"), envelope.kind);
    }
    let (_, control_block) = parse_head(input, &envelope)?;
    if control_block.words[0] != offset {
        return miss(&rest[4..], format!("offset {offset}"), control_block.words[0]);
    }
    Ok((rest, OtherBlock::from_head(offset, &envelope, control_block)))
}

/// Parses an index block that fills `input` and lies at `offset`.
pub(crate) fn parse(input: &[u8], key: u32, offset: u64) -> Parsed<'_, IndexBlock> {
    let (_, block) = head(input, key, offset)?;
    let (_, payload) = payload(input)?;
    let ControlBlock { count, words: [_, before, zeros @ ..] } = block.control_block;
    if zeros != [0, 0] {
        return miss(input, "0 and 0 after the link", format!("{zeros:?}"));
    }
    let (rest, entries) = parse_all(payload, count)?;
    Ok((rest, IndexBlock { block, before: Some(before).filter(|before| *before > 0), entries }))
}

//! Index blocks: what a footer says of the blocks since the index block before, and where that one is. Writer and reader
//! side by side.

use crate::block_whole::payload;
use crate::entry::{Entry, parse_all};
use crate::envelope::{Envelope, INDEX};
use crate::other_block::{OtherBlock, parse_head};
use crate::parse::{Parsed, miss};
use crate::told::Told;

/// What an index block says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexBlock {
    /// The block itself.
    pub block: OtherBlock,
    /// Offset of the index block before, if there is one.
    pub before: Option<u64>,
    pub entries: Vec<Entry>,
}

/// The numbers and the payload of one that lies at `offset`.
pub(crate) fn contents(offset: u64, before: Option<u64>, entries: &[Entry]) -> (Told, Vec<u8>) {
    let mut payload = Vec::new();
    entries.iter().for_each(|entry| entry.write(&mut payload));
    (Told { count: entries.len() as u32, words: [offset, before.unwrap_or_default(), 0, 0] }, payload)
}

/// Reads the head of an index block at `offset`.
pub(crate) fn head(input: &[u8], key: u32, offset: u64) -> Parsed<'_, OtherBlock> {
    let (rest, envelope) = Envelope::parse(input, key)?;
    if envelope.kind != INDEX {
        return miss(&input[16..], format!("a block of kind {INDEX}"), envelope.kind);
    }
    let (_, told) = parse_head(input, &envelope)?;
    if told.words[0] != offset {
        return miss(&rest[4..], format!("offset {offset}"), told.words[0]);
    }
    Ok((rest, OtherBlock::of(offset, &envelope, told)))
}

/// Reads an index block from exactly its bytes, which lie at `offset`.
pub(crate) fn parse(input: &[u8], key: u32, offset: u64) -> Parsed<'_, IndexBlock> {
    let (_, block) = head(input, key, offset)?;
    let (_, payload) = payload(input)?;
    let Told { count, words: [_, before, zeros @ ..] } = block.told;
    if zeros != [0, 0] {
        return miss(input, "0 and 0 behind the link", format!("{zeros:?}"));
    }
    let (rest, entries) = parse_all(payload, count)?;
    Ok((rest, IndexBlock { block, before: Some(before).filter(|before| *before > 0), entries }))
}

//! The footer: an index of the blocks and totals, so that a reader need not scan. Writer and reader side by side.

use crate::block_info::{BlockInfo, UnknownBlock};
use crate::envelope::{CRITICAL, RECORDS};
use crate::limit;
use crate::parse::{Parsed, checksum, constant, miss};
use nom::Parser;
use nom::number::complete::{le_u16, le_u32, le_u64};
use std::collections::BTreeMap;
use taut_schemas::EventCode;

pub(crate) const MAGIC: &[u8] = b"\xb1TF1";
const TRAILER_MAGIC: &[u8] = b"\xb1TAUTEND";

/// Size of the trailer, the last bytes of a complete file.
pub(crate) const TRAILER_BYTES: usize = 28;

/// Flag: the recording was told to end before its workload did.
pub(crate) const INTERRUPTED: u32 = 1;

/// Where the key lies.
pub(crate) const KEY_AT: usize = 4;

/// A block as an index has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Of records.
    Records(BlockInfo),
    /// Of a kind that this crate does not know, with its stream and its number there.
    Unknown(UnknownBlock, u32, u64),
}

impl Entry {
    /// Where the block lies: offset and size, in bytes.
    pub fn place(&self) -> (u64, u32) {
        match self {
            Entry::Records(info) => (info.offset, info.length_bytes),
            Entry::Unknown(block, ..) => (block.offset, block.length_bytes),
        }
    }
}

/// What a complete file ends with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Footer {
    pub blocks: Vec<Entry>,
    /// The recording was told to end before its workload did.
    pub interrupted: bool,
}

/// Bytes that a block of records takes in the footer.
pub(crate) fn entry_bytes(block: &BlockInfo) -> u64 {
    66 + 6 * block.kinds.len() as u64
}

/// The footer and the trailer of a file whose blocks, all of records, end at `offset`.
pub(crate) fn write(blocks: &[BlockInfo], interrupted: bool, offset: u64, key: u32) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&key.to_le_bytes());
    let records: u64 = blocks.iter().map(|block| u64::from(block.records)).sum();
    let lost: u64 = blocks.iter().fold(0, |sum, block| sum.saturating_add(block.lost_before));
    for number in [records, lost] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    for number in [blocks.len() as u32, if interrupted { INTERRUPTED } else { 0 }] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    for block in blocks {
        out.extend_from_slice(&block.offset.to_le_bytes());
        out.extend_from_slice(&block.length_bytes.to_le_bytes());
        out.extend_from_slice(&RECORDS.to_le_bytes());
        out.extend_from_slice(&0u16.to_le_bytes());
        out.extend_from_slice(&block.thread.to_le_bytes());
        out.extend_from_slice(&block.number.to_le_bytes());
        out.extend_from_slice(&block.records.to_le_bytes());
        for number in [block.records_before, block.lost_since_begin, block.least_stamp, block.greatest_stamp] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&(block.kinds.len() as u16).to_le_bytes());
        for (code, records) in block.kinds.iter() {
            out.extend_from_slice(&code.0.to_le_bytes());
            out.extend_from_slice(&records.to_le_bytes());
        }
    }
    out.extend_from_slice(&crc32c::crc32c(&out).to_le_bytes());
    let (length_bytes, trailer_at) = (out.len() as u64, out.len());
    out.extend_from_slice(&offset.to_le_bytes());
    out.extend_from_slice(&length_bytes.to_le_bytes());
    out.extend_from_slice(&crc32c::crc32c(&out[trailer_at..]).to_le_bytes());
    out.extend_from_slice(TRAILER_MAGIC);
    out
}

/// Reads a footer from exactly its bytes.
pub(crate) fn parse(input: &[u8], key: u32) -> Parsed<'_, Footer> {
    let (rest, ()) = constant(input, MAGIC)?;
    let end = input.len().max(4) - 4;
    checksum(&input[end..], &input[..end])?;
    let (rest, ()) = footer_key(rest, key)?;
    let (rest, (events, lost_events, blocks, flags)) = (le_u64, le_u64, le_u32, le_u32).parse(rest)?;
    if flags & !INTERRUPTED != 0 {
        return miss(&input[28..], "flags 0 or 1", flags);
    }
    let mut footer = Footer { interrupted: flags != 0, ..Footer::default() };
    let mut rest = &rest[..rest.len() - 4];
    for _ in 0..blocks {
        let block;
        (rest, block) = entry(rest)?;
        footer.blocks.push(block);
    }
    if !rest.is_empty() {
        return miss(rest, "the end of the footer", format!("{} more bytes", rest.len()));
    }
    let of_records = footer.blocks.iter().filter_map(|entry| match entry {
        Entry::Records(info) => Some(info),
        Entry::Unknown(..) => None,
    });
    let records: u64 = of_records.clone().map(|info| u64::from(info.records)).sum();
    if records != events {
        return miss(&input[8..], format!("{records} events, as the blocks say"), events);
    }
    let lost: BTreeMap<u32, u64> = of_records.map(|info| (info.thread, info.lost_since_begin)).collect();
    let lost = lost.values().fold(0u64, |sum, lost| sum.saturating_add(*lost));
    if lost != lost_events {
        return miss(&input[16..], format!("{lost} events lost, as the blocks say"), lost_events);
    }
    Ok((&input[input.len()..], footer))
}

/// Reads the key of a footer, which must be its file's.
pub(crate) fn footer_key(input: &[u8], key: u32) -> Parsed<'_, ()> {
    let (rest, found) = le_u32(input)?;
    if found == key {
        return Ok((rest, ()));
    }
    miss(input, format!("the footer of this trace, key {key:#010x}"), format!("{found:#010x}"))
}

fn entry(input: &[u8]) -> Parsed<'_, Entry> {
    let (rest, (offset, length_bytes, kind, flags)) = (le_u64, le_u32, le_u16, le_u16).parse(input)?;
    let (rest, (thread, number, records, records_before)) = (le_u32, le_u64, le_u32, le_u64).parse(rest)?;
    let (rest, (lost_since_begin, least_stamp, greatest_stamp)) = (le_u64, le_u64, le_u64).parse(rest)?;
    let (mut rest, count) = le_u16(rest)?;
    if usize::from(count) > limit::BLOCK_KINDS {
        return miss(input, format!("at most {} kinds", limit::BLOCK_KINDS), count);
    }
    let mut kinds = Vec::new();
    for _ in 0..count {
        let (code, records);
        (rest, (code, records)) = (le_u16, le_u32).parse(rest)?;
        kinds.push((EventCode(code), records));
    }
    if kind != RECORDS {
        let is_critical = flags & CRITICAL != 0;
        return Ok((rest, Entry::Unknown(UnknownBlock { offset, length_bytes, kind, is_critical }, thread, number)));
    }
    let by_kind: u64 = kinds.iter().map(|(_, records)| u64::from(*records)).sum();
    if by_kind != u64::from(records) {
        return miss(input, format!("{by_kind} records, as the kinds say"), records);
    }
    let place = BlockInfo { offset, length_bytes, thread, number, records, records_before, ..BlockInfo::default() };
    let kinds = kinds.into();
    Ok((rest, Entry::Records(BlockInfo { lost_since_begin, least_stamp, greatest_stamp, kinds, ..place })))
}

/// Reads a trailer, the last [`TRAILER_BYTES`] of a file: offset and length of the footer.
pub(crate) fn parse_trailer(input: &[u8]) -> Parsed<'_, (u64, u64)> {
    let (rest, (offset, length_bytes)) = (le_u64, le_u64).parse(input)?;
    let (magic, ()) = checksum(rest, &input[..16])?;
    let (rest, ()) = constant(magic, TRAILER_MAGIC)?;
    Ok((rest, (offset, length_bytes)))
}

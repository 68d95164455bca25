//! Footer: an index of the blocks and totals, which saves readers a scan. Encoder and parser are in this file so that
//! they stay in step.

use crate::format::block_info::BlockInfo;
use crate::format::entry::{Entry, parse_all};
use crate::format::parse::{Parsed, checksum, constant, miss};
use nom::Parser;
use nom::number::complete::{le_u32, le_u64};
use std::collections::BTreeMap;

pub(crate) const MAGIC: &[u8] = b"\xb1TF1";
const TRAILER_MAGIC: &[u8] = b"\xb1TAUTEND";

/// Size of the trailer, the last bytes of a complete file.
pub(crate) const TRAILER_BYTES: usize = 28;

/// Size of a footer without blocks, and of the trailer, in bytes.
pub(crate) const EMPTY_BYTES: u64 = 36 + TRAILER_BYTES as u64;

/// Flag: the recording ended before its workload did.
pub(crate) const INTERRUPTED: u32 = 1;

/// Offset of the key in the footer.
pub(crate) const KEY_AT: usize = 4;

/// Decoded footer of a complete file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Footer {
    pub blocks: Vec<Entry>,
    /// True if the recording ended before its workload did.
    pub interrupted: bool,
}

/// Encodes footer and trailer of a file whose blocks end at `offset`.
pub(crate) fn write(blocks: &[Entry], interrupted: bool, offset: u64, key: u32) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&key.to_le_bytes());
    let records: u64 = of_records(blocks).map(|block| u64::from(block.records)).sum();
    let lost: u64 = of_records(blocks).fold(0, |sum, block| sum.saturating_add(block.lost_before));
    for number in [records, lost] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    for number in [blocks.len() as u32, if interrupted { INTERRUPTED } else { 0 }] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    blocks.iter().for_each(|block| block.write(&mut out));
    out.extend_from_slice(&crc32c::crc32c(&out).to_le_bytes());
    let (length_bytes, trailer_at) = (out.len() as u64, out.len());
    out.extend_from_slice(&offset.to_le_bytes());
    out.extend_from_slice(&length_bytes.to_le_bytes());
    out.extend_from_slice(&crc32c::crc32c(&out[trailer_at..]).to_le_bytes());
    out.extend_from_slice(TRAILER_MAGIC);
    out
}

/// Blocks of records among `blocks`.
fn of_records(blocks: &[Entry]) -> impl Iterator<Item = &BlockInfo> + Clone {
    blocks.iter().filter_map(|entry| match entry {
        Entry::Records(info) => Some(info),
        Entry::Other(_) => None,
    })
}

/// Parses a footer that fills `input`.
pub(crate) fn parse(input: &[u8], key: u32) -> Parsed<'_, Footer> {
    let (rest, ()) = constant(input, MAGIC)?;
    // Avoids an underflow for an input that is shorter than the checksum.
    let end = input.len().max(4) - 4;
    checksum(&input[end..], &input[..end])?;
    let (rest, ()) = footer_key(rest, key)?;
    let (rest, (events, lost_events, blocks, flags)) = (le_u64, le_u64, le_u32, le_u32).parse(rest)?;
    if flags & !INTERRUPTED != 0 {
        return miss(&input[28..], "flags 0 or 1", flags);
    }
    let entries = &rest[..rest.len().saturating_sub(4)];
    let blocks = parse_all(entries, blocks).map(|(_, blocks)| blocks)?;
    let records: u64 = of_records(&blocks).map(|info| u64::from(info.records)).sum();
    if records != events {
        return miss(&input[8..], format!("{records} events, as the blocks say"), events);
    }
    // The last block of each thread states the thread's total loss.
    let lost: BTreeMap<u32, u64> = of_records(&blocks).map(|info| (info.thread, info.lost_since_begin)).collect();
    let lost = lost.values().fold(0u64, |sum, lost| sum.saturating_add(*lost));
    if lost != lost_events {
        return miss(&input[16..], format!("{lost} events lost, as the blocks say"), lost_events);
    }
    Ok((&input[input.len()..], Footer { blocks, interrupted: flags != 0 }))
}

/// Parses the key of a footer and compares it with the file's.
pub(crate) fn footer_key(input: &[u8], key: u32) -> Parsed<'_, ()> {
    let (rest, found) = le_u32(input)?;
    if found == key {
        return Ok((rest, ()));
    }
    miss(input, format!("the footer of this trace, key {key:#010x}"), format!("{found:#010x}"))
}

/// Parses a trailer, the last [`TRAILER_BYTES`] of a file: offset and length of the footer.
pub(crate) fn parse_trailer(input: &[u8]) -> Parsed<'_, (u64, u64)> {
    let (rest, (offset, length_bytes)) = (le_u64, le_u64).parse(input)?;
    let (magic, ()) = checksum(rest, &input[..16])?;
    let (rest, ()) = constant(magic, TRAILER_MAGIC)?;
    Ok((rest, (offset, length_bytes)))
}

//! Footer in version 0: it repeats less of the blocks' heads, and counts the codes of all blocks.

use crate::format::block_info::BlockInfo;
use crate::format::footer::{INTERRUPTED, KEY_AT, footer_key};
use crate::format::parse::{Parsed, checksum, constant, miss};
use nom::Parser;
use nom::number::complete::{le_u16, le_u32, le_u64};
use std::collections::BTreeMap;
use taut_schemas::EventCode;

pub(crate) const MAGIC: &[u8] = b"\xb1TF0";

const BLOCK_BYTES: u64 = 44;
const CODE_BYTES: u64 = 10;
const FIXED_BYTES: u64 = 36;

/// Decoded footer of version 0.
#[derive(Debug, Default)]
pub(crate) struct Footer {
    /// Blocks without their numbers, records before, and kinds.
    pub blocks: Vec<BlockInfo>,
    /// Number of records of each code in the file.
    pub codes: BTreeMap<EventCode, u64>,
    /// True if the recording ended before its workload did.
    pub interrupted: bool,
}

/// Parses a footer that fills `input`.
pub(crate) fn parse(input: &[u8], key: u32) -> Parsed<'_, Footer> {
    let (rest, ()) = constant(input, MAGIC)?;
    checksum(&input[input.len().max(4) - 4..], &input[..input.len().max(4) - 4])?;
    let (rest, ()) = footer_key(rest, key)?;
    let (rest, (events, lost_events)) = (le_u64, le_u64).parse(rest)?;
    let (mut rest, (blocks, codes, flags)) = (le_u32, le_u32, le_u32).parse(rest)?;
    // Checked before memory is allocated for the tables.
    let whole = FIXED_BYTES + u64::from(blocks) * BLOCK_BYTES + u64::from(codes) * CODE_BYTES + 4;
    if flags & !INTERRUPTED != 0 {
        return miss(&input[32..], "flags 0 or 1", flags);
    }
    if whole != input.len() as u64 {
        return miss(&input[24..], format!("tables that make {} bytes", input.len()), format!("{whole} bytes"));
    }
    let mut footer = Footer { interrupted: flags != 0, ..Footer::default() };
    for _ in 0..blocks {
        let block;
        (rest, block) = block_info(rest)?;
        footer.blocks.push(block);
    }
    for _ in 0..codes {
        let (code, events);
        let entry = rest;
        (rest, (code, events)) = (le_u16, le_u64).parse(rest)?;
        if footer.codes.last_key_value().is_some_and(|(last, _)| last.0 >= code) {
            return miss(entry, "codes in rising order", code);
        }
        footer.codes.insert(EventCode(code), events);
    }
    let by_code = footer.codes.values().fold(0u64, |sum, events| sum.saturating_add(*events));
    let records = footer.blocks.iter().map(|block| u64::from(block.records)).sum::<u64>();
    let lost = footer.blocks.iter().fold(0u64, |sum, block| sum.saturating_add(block.lost_before));
    if (records, lost, records) != (events, lost_events, by_code) {
        let expected = format!("{records} events and {lost} lost, as the tables say");
        return miss(&input[KEY_AT + 4..], expected, format!("{events} and {lost_events}, by code {by_code}"));
    }
    Ok((rest, footer))
}

fn block_info(input: &[u8]) -> Parsed<'_, BlockInfo> {
    let (rest, (offset, length_bytes, thread, records)) = (le_u64, le_u32, le_u32, le_u32).parse(input)?;
    let (rest, (lost_before, min_stamp, max_stamp)) = (le_u64, le_u64, le_u64).parse(rest)?;
    let place = BlockInfo { offset, length_bytes, thread, records, ..BlockInfo::default() };
    Ok((rest, BlockInfo { lost_before, min_stamp, max_stamp, ..place }))
}

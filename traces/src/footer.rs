//! The footer: an index of the blocks and totals, so that a reader need not scan. Writer and reader side by side.

use crate::parse::{Parsed, checksum, constant, miss};
use nom::Parser;
use nom::number::complete::{le_u16, le_u32, le_u64};
use std::collections::BTreeMap;
use taut_schemas::EventCode;

const MAGIC: &[u8] = b"\xb1TF0";
const TRAILER_MAGIC: &[u8] = b"\xb1TAUTEND";

/// Size of the trailer, the last bytes of a complete file.
pub(crate) const TRAILER_BYTES: usize = 28;

/// Where a block lies and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockInfo {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Size in the file, in bytes.
    pub length_bytes: u32,
    /// Thread whose records it holds.
    pub thread: u32,
    /// Records in it.
    pub records: u32,
    /// Events of the thread that the recorder lost between the block before and this one.
    pub lost_before: u64,
    /// Stamp of the first record, in ticks.
    pub first_stamp: u64,
    /// Stamp of the last record, in ticks.
    pub last_stamp: u64,
}

/// What a complete file ends with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Footer {
    pub blocks: Vec<BlockInfo>,
    /// How often each code occurs in the file.
    pub codes: BTreeMap<EventCode, u64>,
    /// The recording was told to end before its workload did.
    pub interrupted: bool,
}

/// Flag: the recording was told to end before its workload did.
const INTERRUPTED: u32 = 1;

const BLOCK_BYTES: usize = 44;
const CODE_BYTES: usize = 10;
const FIXED_BYTES: usize = 36;

impl Footer {
    /// Records in all blocks.
    pub fn events(&self) -> u64 {
        self.blocks.iter().map(|block| u64::from(block.records)).sum()
    }

    /// Events that the recorder lost.
    pub fn lost_events(&self) -> u64 {
        self.blocks.iter().fold(0, |sum, block| sum.saturating_add(block.lost_before))
    }

    /// The footer and the trailer, for a file whose blocks end at `offset`.
    pub fn write(&self, offset: u64, key: u32) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&key.to_le_bytes());
        for number in [self.events(), self.lost_events()] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let flags = if self.interrupted { INTERRUPTED as usize } else { 0 };
        for number in [self.blocks.len(), self.codes.len(), flags] {
            out.extend_from_slice(&(number as u32).to_le_bytes());
        }
        for block in &self.blocks {
            out.extend_from_slice(&block.offset.to_le_bytes());
            for number in [block.length_bytes, block.thread, block.records] {
                out.extend_from_slice(&number.to_le_bytes());
            }
            for number in [block.lost_before, block.first_stamp, block.last_stamp] {
                out.extend_from_slice(&number.to_le_bytes());
            }
        }
        for (code, events) in &self.codes {
            out.extend_from_slice(&code.0.to_le_bytes());
            out.extend_from_slice(&events.to_le_bytes());
        }
        out.extend_from_slice(&crc32c::crc32c(&out).to_le_bytes());
        let length_bytes = out.len() as u64;
        let trailer_at = out.len();
        out.extend_from_slice(&offset.to_le_bytes());
        out.extend_from_slice(&length_bytes.to_le_bytes());
        out.extend_from_slice(&crc32c::crc32c(&out[trailer_at..]).to_le_bytes());
        out.extend_from_slice(TRAILER_MAGIC);
        out
    }

    /// Reads a footer from exactly its bytes.
    pub fn parse(input: &[u8], key: u32) -> Parsed<'_, Footer> {
        let (rest, ()) = constant(input, MAGIC)?;
        checksum(&input[input.len().max(4) - 4..], &input[..input.len().max(4) - 4])?;
        let (rest, found_key) = le_u32(rest)?;
        if found_key != key {
            return miss(
                &input[4..],
                format!("the footer of this trace, key {key:#010x}"),
                format!("{found_key:#010x}"),
            );
        }
        let (rest, (events, lost_events)) = (le_u64, le_u64).parse(rest)?;
        let (mut rest, (blocks, codes, flags)) = (le_u32, le_u32, le_u32).parse(rest)?;
        // Checked before anything is allocated for the tables.
        let whole =
            FIXED_BYTES as u64 + u64::from(blocks) * BLOCK_BYTES as u64 + u64::from(codes) * CODE_BYTES as u64 + 4;
        if flags & !INTERRUPTED != 0 {
            return miss(&input[32..], "flags 0 or 1".to_owned(), flags);
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
        let sums = (footer.events(), footer.lost_events(), footer.events());
        if sums != (events, lost_events, by_code) {
            let expected = format!("{} events and {} lost, as the tables say", sums.0, sums.1);
            return miss(&input[8..], expected, format!("{events} and {lost_events}, by code {by_code}"));
        }
        Ok((rest, footer))
    }
}

/// Whether a footer seems to begin here.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

fn block_info(input: &[u8]) -> Parsed<'_, BlockInfo> {
    let (rest, (offset, length_bytes, thread, records)) = (le_u64, le_u32, le_u32, le_u32).parse(input)?;
    let (rest, (lost_before, first_stamp, last_stamp)) = (le_u64, le_u64, le_u64).parse(rest)?;
    Ok((rest, BlockInfo { offset, length_bytes, thread, records, lost_before, first_stamp, last_stamp }))
}

/// Reads a trailer, the last [`TRAILER_BYTES`] of a file: offset and length of the footer.
pub(crate) fn parse_trailer(input: &[u8]) -> Parsed<'_, (u64, u64)> {
    let (rest, (offset, length_bytes)) = (le_u64, le_u64).parse(input)?;
    let (magic, ()) = checksum(rest, &input[..16])?;
    let (rest, ()) = constant(magic, TRAILER_MAGIC)?;
    Ok((rest, (offset, length_bytes)))
}

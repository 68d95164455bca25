//! Entry of a block in a footer or an index block. Encoder and parser are in this file so that they stay in step.

use crate::format::block_info::BlockInfo;
use crate::format::control_block::ControlBlock;
use crate::format::envelope::RECORDS;
use crate::format::limit;
use crate::format::other_block::OtherBlock;
use crate::format::parse::{Parsed, miss};
use nom::Parser;
use nom::number::complete::{le_u16, le_u32, le_u64};
use std::sync::Arc;
use taut_schemas::EventCode;

/// Size of an entry without its kinds, in bytes.
pub(crate) const ENTRY_BYTES: usize = 66;

/// Size of one kind of an entry, in bytes.
const KIND_BYTES: usize = 6;

/// Index entry of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    Records(BlockInfo),
    Other(OtherBlock),
}

impl Entry {
    /// Offset and size of the block in the file, in bytes.
    pub fn place(&self) -> (u64, u32) {
        match self {
            Entry::Records(info) => (info.offset, info.length_bytes),
            Entry::Other(block) => (block.offset, block.length_bytes),
        }
    }

    /// Size of the entry, in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Entry::Records(info) => entry_bytes(info),
            Entry::Other(_) => ENTRY_BYTES as u64,
        }
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        let place = |out: &mut Vec<u8>, (offset, length_bytes): (u64, u32), (kind, flags): (u16, u16)| {
            out.extend_from_slice(&offset.to_le_bytes());
            out.extend_from_slice(&length_bytes.to_le_bytes());
            out.extend_from_slice(&kind.to_le_bytes());
            out.extend_from_slice(&flags.to_le_bytes());
        };
        match self {
            Entry::Records(block) => {
                place(out, self.place(), (RECORDS, 0));
                out.extend_from_slice(&block.thread.to_le_bytes());
                out.extend_from_slice(&block.number.to_le_bytes());
                let words = [block.records_before, block.lost_since_begin, block.min_stamp, block.max_stamp];
                ControlBlock { count: block.records, words }.write(out);
                out.extend_from_slice(&(block.kinds.len() as u16).to_le_bytes());
                for (code, records) in block.kinds.iter() {
                    out.extend_from_slice(&code.0.to_le_bytes());
                    out.extend_from_slice(&records.to_le_bytes());
                }
            }
            Entry::Other(block) => {
                place(out, self.place(), (block.kind, block.flags));
                out.extend_from_slice(&block.stream.to_le_bytes());
                out.extend_from_slice(&block.number.to_le_bytes());
                block.control_block.write(out);
                out.extend_from_slice(&0u16.to_le_bytes());
            }
        }
    }

    pub fn parse(input: &[u8]) -> Parsed<'_, Entry> {
        let (rest, (offset, length_bytes, kind, flags)) = (le_u64, le_u32, le_u16, le_u16).parse(input)?;
        let (rest, (stream, number, control_block, count)) =
            (le_u32, le_u64, ControlBlock::parse, le_u16).parse(rest)?;
        if usize::from(count) > limit::BLOCK_KINDS {
            return miss(input, format!("at most {} kinds", limit::BLOCK_KINDS), count);
        }
        let Some((kinds, rest)) = rest.split_at_checked(usize::from(count) * KIND_BYTES) else {
            return miss(&rest[rest.len()..], "more bytes", "0 bytes");
        };
        if kind != RECORDS {
            return Ok((
                rest,
                Entry::Other(OtherBlock { offset, length_bytes, kind, flags, stream, number, control_block }),
            ));
        }
        let (kinds, _) = kinds.as_chunks::<KIND_BYTES>();
        let known = |[a, b, c, d, e, f]: [u8; KIND_BYTES]| {
            (EventCode(u16::from_le_bytes([a, b])), u32::from_le_bytes([c, d, e, f]))
        };
        let kinds: Arc<[(EventCode, u32)]> = kinds.iter().map(|kind| known(*kind)).collect();
        let by_kind: u64 = kinds.iter().map(|(_, records)| u64::from(*records)).sum();
        let ControlBlock { count: records, words: [records_before, lost_since_begin, min_stamp, max_stamp] } =
            control_block;
        if by_kind != u64::from(records) {
            return miss(input, format!("{by_kind} records, as the kinds say"), records);
        }
        let place = BlockInfo { offset, length_bytes, thread: stream, number, ..BlockInfo::default() };
        let counts = BlockInfo { records, records_before, lost_since_begin, ..place };
        Ok((rest, Entry::Records(BlockInfo { min_stamp, max_stamp, kinds, ..counts })))
    }
}

/// Size of the index entry of a block of records, in bytes.
pub(crate) fn entry_bytes(block: &BlockInfo) -> u64 {
    kinds_bytes(block.kinds.len())
}

/// Size of the index entry of a block with records of `kinds` kinds, in bytes.
pub(crate) fn kinds_bytes(kinds: usize) -> u64 {
    (ENTRY_BYTES + KIND_BYTES * kinds) as u64
}

/// Parses `count` entries that fill `input`.
pub(crate) fn parse_all(mut input: &[u8], count: u32) -> Parsed<'_, Vec<Entry>> {
    // A damaged count must not cause a large allocation, so the capacity is limited by the size of the input.
    let mut entries = Vec::with_capacity((count as usize).min(input.len() / ENTRY_BYTES));
    for _ in 0..count {
        let entry;
        (input, entry) = Entry::parse(input)?;
        entries.push(entry);
    }
    if input.is_empty() {
        return Ok((input, entries));
    }
    miss(input, "the end of the entries", format!("{} more bytes", input.len()))
}

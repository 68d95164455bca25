//! Envelope: the 32 bytes at the beginning of every block, whatever its kind. Encoder and parser are in this file so
//! that they stay in step.

use crate::format::limit;
use crate::format::parse::{Parsed, checksum, constant, miss};
use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u16, le_u32, le_u64};

pub(crate) const MAGIC: &[u8] = b"\xb1TB1";

/// Size of an envelope, in bytes.
pub(crate) const ENVELOPE_BYTES: usize = 32;

/// Size of a checksum, in bytes.
pub(crate) const CRC_BYTES: usize = 4;

/// Kind of blocks of records.
pub(crate) const RECORDS: u16 = 1;

/// Kind of index blocks: footer entries of the blocks before.
pub(crate) const INDEX: u16 = 2;

/// Kind of clock blocks: simultaneous clock readings.
pub(crate) const CLOCK: u16 = 3;

/// Kind of streams blocks: process and thread of each stream.
pub(crate) const STREAMS: u16 = 4;

/// Kind of gap blocks: stream, number, span and cause of lost events.
pub(crate) const GAP: u16 = 5;

/// Kind of schema blocks: definitions of events that the head does not define.
pub(crate) const SCHEMA: u16 = 6;

/// Kind of note blocks: a text about the recording.
pub(crate) const NOTE: u16 = 7;

/// Kind of docs blocks: descriptions of events.
pub(crate) const DOCS: u16 = 8;

/// Flag of a block: a reader that does not know its kind must not replay the trace.
pub(crate) const CRITICAL: u16 = 1;

/// True if this crate knows this kind of block without records.
pub(crate) fn is_known(kind: u16) -> bool {
    matches!(kind, INDEX | CLOCK | STREAMS | GAP | SCHEMA | NOTE | DOCS)
}

/// Envelope of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Envelope {
    /// Size of the head, envelope and checksum included, in bytes.
    pub head_bytes: u32,
    /// Size of the whole block, head and both checksums included, in bytes.
    pub length_bytes: u32,
    /// [`FileHead::key`](crate::format::file_head::FileHead::key) of its file.
    pub key: u32,
    pub kind: u16,
    pub flags: u16,
    pub stream: u32,
    /// Number of the block among the blocks of its stream, from 0.
    pub number: u64,
}

impl Envelope {
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(MAGIC);
        for number in [self.head_bytes, self.length_bytes, self.key] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.kind.to_le_bytes());
        out.extend_from_slice(&self.flags.to_le_bytes());
        out.extend_from_slice(&self.stream.to_le_bytes());
        out.extend_from_slice(&self.number.to_le_bytes());
    }

    /// Parses an envelope that begins at its magic, and checks its key. The parser of the block's kind has to check
    /// everything else.
    pub fn parse(input: &[u8], key: u32) -> Parsed<'_, Envelope> {
        let (rest, ()) = constant(input, MAGIC)?;
        let (rest, (head_bytes, length_bytes, found_key)) = (le_u32, le_u32, le_u32).parse(rest)?;
        let (rest, (kind, flags, stream, number)) = (le_u16, le_u16, le_u32, le_u64).parse(rest)?;
        if found_key != key {
            return miss(&input[12..], format!("a block of this trace, key {key:#010x}"), format!("{found_key:#010x}"));
        }
        Ok((rest, Envelope { head_bytes, length_bytes, key, kind, flags, stream, number }))
    }

    /// Checks the head of a block without records: first its length, so that no checksum is computed over an
    /// implausible size, then its checksum.
    pub fn check<'a>(&self, input: &'a [u8]) -> Parsed<'a, ()> {
        let min_bytes = ENVELOPE_BYTES + CRC_BYTES;
        if !(min_bytes..=limit::OTHER_HEAD_BYTES).contains(&(self.head_bytes as usize)) {
            let expected = format!("a head of {min_bytes} to {} bytes", limit::OTHER_HEAD_BYTES);
            return miss(&input[4..], expected, self.head_bytes);
        }
        if (self.length_bytes as usize) < self.head_bytes as usize + CRC_BYTES {
            let expected = format!("a block of at least {} bytes", self.head_bytes as usize + CRC_BYTES);
            return miss(&input[8..], expected, self.length_bytes);
        }
        let (_, covered) = take(self.head_bytes as usize - CRC_BYTES)(input)?;
        checksum(&input[covered.len()..], covered)
    }
}

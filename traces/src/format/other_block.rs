//! Blocks without records. Encoder and parser are in this file so that they stay in step.

use crate::format::block_info::UnknownBlock;
use crate::format::control_block::{CONTROL_BLOCK_BYTES, ControlBlock};
use crate::format::envelope::{CRC_BYTES, CRITICAL, ENVELOPE_BYTES, Envelope, is_known};
use crate::format::parse::{Parsed, miss};

/// Stream of metadata blocks; no thread has this number.
pub(crate) const METADATA_STREAM: u32 = u32::MAX;

/// Size of the head of a block without records of a known kind, in bytes.
pub(crate) const OTHER_HEAD_BYTES: usize = ENVELOPE_BYTES + CONTROL_BLOCK_BYTES + CRC_BYTES;

/// Index entry of a block without records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct OtherBlock {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Size in the file, in bytes.
    pub length_bytes: u32,
    pub kind: u16,
    pub flags: u16,
    pub stream: u32,
    /// Number of the block among the blocks of its stream, from 0.
    pub number: u64,
    /// Numbers that the block's kind defines; for an unknown kind, the numbers of the index entry, or zeros.
    pub control_block: ControlBlock,
}

impl OtherBlock {
    /// Creates the entry of a block at `offset` from its head.
    pub fn from_head(offset: u64, envelope: &Envelope, control_block: ControlBlock) -> OtherBlock {
        let Envelope { length_bytes, kind, flags, stream, number, .. } = *envelope;
        OtherBlock { offset, length_bytes, kind, flags, stream, number, control_block }
    }

    /// True if this crate knows the block's kind.
    pub fn is_known(&self) -> bool {
        is_known(self.kind)
    }

    /// True if a reader that does not know the block's kind must not replay the trace.
    pub fn is_critical(&self) -> bool {
        self.flags & CRITICAL != 0
    }

    /// Public description of a block of an unknown kind.
    pub fn unknown(&self) -> UnknownBlock {
        let OtherBlock { offset, length_bytes, kind, .. } = *self;
        UnknownBlock { offset, length_bytes, kind, is_critical: self.is_critical() }
    }
}

/// Encoder of metadata blocks, which numbers them.
#[derive(Debug)]
pub(crate) struct MetadataEncoder {
    key: u32,
    next: u64,
}

impl MetadataEncoder {
    /// Creates the encoder for the trace with this key.
    pub fn new(key: u32) -> MetadataEncoder {
        MetadataEncoder { key, next: 0 }
    }

    /// Appends the next block to `out`; returns its index entry, whose offset is left 0.
    pub fn write(
        &mut self,
        kind: u16,
        flags: u16,
        control_block: ControlBlock,
        payload: &[u8],
        out: &mut Vec<u8>,
    ) -> OtherBlock {
        let start = out.len();
        let (head_bytes, length_bytes) =
            (OTHER_HEAD_BYTES as u32, (OTHER_HEAD_BYTES + payload.len() + CRC_BYTES) as u32);
        let (key, stream, number) = (self.key, METADATA_STREAM, self.next);
        let envelope = Envelope { head_bytes, length_bytes, key, kind, flags, stream, number };
        envelope.write(out);
        control_block.write(out);
        let sum = crc32c::crc32c(&out[start..]);
        out.extend_from_slice(&sum.to_le_bytes());
        out.extend_from_slice(payload);
        let sum = crc32c::crc32c(&out[start..]);
        out.extend_from_slice(&sum.to_le_bytes());
        self.next += 1;
        OtherBlock::from_head(0, &envelope, control_block)
    }
}

/// Parses the head of a block without records, whose envelope lies at the beginning of `input` and has been parsed.
pub(crate) fn parse_head<'a>(input: &'a [u8], envelope: &Envelope) -> Parsed<'a, ControlBlock> {
    let (rest, ()) = envelope.check(input)?;
    if !is_known(envelope.kind) {
        return Ok((rest, ControlBlock::default()));
    }
    if envelope.head_bytes as usize != OTHER_HEAD_BYTES {
        return miss(&input[4..], format!("a head of {OTHER_HEAD_BYTES} bytes"), envelope.head_bytes);
    }
    ControlBlock::parse(&input[ENVELOPE_BYTES..])
}
